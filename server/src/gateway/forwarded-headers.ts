/** Which headers pass, in both directions. Raw headers: names as they came, and each header that was sent twice, twice. */

export type RawHeaders = readonly string[];

/** Between two hops, not between the ends (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Set anew for the provider, or meant for this service and the proxies before it. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'host',
  'content-length',
  'expect',
  // The service has to read the answer.
  'accept-encoding',
  'cookie',
  'forwarded',
  'via',
  'x-real-ip',
]);
/** A key of this service, wherever the client has put it. */
const OWN_KEY = /(?:^|\s)lg_/;
const NOT_FORWARDED_PREFIXES = ['x-guarded-', 'x-forwarded'];

/** About the provider's host, not about this one. */
const NOT_RETURNED: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'alt-svc',
  'nel',
  'report-to',
  'set-cookie',
  'strict-transport-security',
]);

export function toForwardedHeaders(
  raw: RawHeaders,
  { without, added }: { without: readonly string[]; added: readonly (readonly [string, string])[] },
): string[] {
  const dropped = new Set([...without, ...added.map(([name]) => name), ...namesInConnection(raw)]);
  const isForwarded = (name: string, value: string) =>
    !OWN_KEY.test(value) &&
    !NOT_FORWARDED.has(name) &&
    !dropped.has(name) &&
    !NOT_FORWARDED_PREFIXES.some((prefix) => name.startsWith(prefix));
  return [...filtered(raw, isForwarded), 'accept-encoding', 'identity', ...added.flat()];
}

export function toReturnedHeaders(raw: RawHeaders, { without }: { without: readonly string[] }): string[] {
  const dropped = new Set([...without, ...namesInConnection(raw)]);
  return filtered(raw, (name) => !NOT_RETURNED.has(name) && !dropped.has(name));
}

/** All values of a header, or null. */
export function headerIn(raw: RawHeaders, wanted: string): string | null {
  const values = filtered(raw, (name) => name === wanted).filter((_, index) => index % 2 === 1);
  return values.length === 0 ? null : values.join(', ');
}

/** A sender names further headers that end at the next hop. */
function namesInConnection(raw: RawHeaders): string[] {
  return (headerIn(raw, 'connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
}

function filtered(raw: RawHeaders, isKept: (name: string, value: string) => boolean): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]];
    if (isKept(name.toLowerCase(), value)) kept.push(name, value);
  }
  return kept;
}
