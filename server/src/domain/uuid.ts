const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id in the form in which ids are stored, or null for text that cannot be one. */
export function parseUuid(text: string): string | null {
  return UUID_PATTERN.test(text) ? text.toLowerCase() : null;
}

/** A version 7 UUID: 48 bits of time, then 74 of the given 80 random bits. */
export function uuidV7(timeMs: number, randomHex20: string): string {
  const time = Math.trunc(timeMs).toString(16).padStart(12, '0');
  const variant = (8 | (Number.parseInt(randomHex20.charAt(3), 16) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomHex20.slice(0, 3)}-${variant}${randomHex20.slice(4, 7)}-${randomHex20.slice(7, 19)}`;
}
