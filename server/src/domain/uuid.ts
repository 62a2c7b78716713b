const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id as it is stored (lower case), or null when the text is not a UUID. */
export function parseUuid(text: string): string | null {
  return UUID_PATTERN.test(text) ? text.toLowerCase() : null;
}

/** A version 7 UUID: 48 bits of time, then the last 74 random bits of a version 4 UUID, which has its variant in the same place. */
export function uuidV7(timeMs: number, uuidV4: string): string {
  const time = Math.trunc(timeMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuidV4.slice(15)}`;
}

/** When a version 7 UUID was made. */
export function timeOfUuid(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** Comes before every other. */
export const LOWEST_UUID = '00000000-0000-0000-0000-000000000000';

/** The lowest and the highest UUID that begin with a text; null if none does. */
export function uuidsWithPrefix(text: string): { readonly first: string; readonly last: string } | null {
  const prefix = text.toLowerCase();
  const first = prefix + LOWEST_UUID.slice(prefix.length);
  if (parseUuid(first) === null) return null;
  return { first, last: prefix + LOWEST_UUID.slice(prefix.length).replaceAll('0', 'f') };
}
