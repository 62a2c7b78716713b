/**
 * What is recorded of the input and the output of a step. A payload is copied when it is recorded, so that neither the
 * agent nor a masking function changes the data of the other, and is small enough to be sent.
 */

/** The data of a step: always an object, as the service has it. */
export type Payload = Readonly<Record<string, unknown>>;

/**
 * Unset: what a step is given as `inputData` and `outputData`. `true`: also the requests of the integrations and the
 * results of all calls. A function: as `true`, and its return value is recorded instead of the data. `false`: nothing.
 */
export type RecordPayloads = boolean | ((data: Record<string, unknown>) => Payload | null | undefined);

export interface RecordedPayload {
  readonly data: Payload;
  /** Of its JSON. */
  readonly bytes: number;
}

/** The service accepts bodies of 1 MiB. Several outputs are sent in one body, so that each must be smaller. */
export const MAX_INPUT_BYTES = 1_000 * 1_024;
export const MAX_OUTPUT_BYTES = 256 * 1_024;
/** The service accepts 100 levels in a body; a payload is within a few of them. */
const MAX_DEPTH = 90;

/** Data that the caller has given for the step. Throws a TypeError if it is not JSON. */
export function recordGiven(
  data: Payload | null | undefined,
  given: { record: RecordPayloads | undefined; maxBytes: number },
): RecordedPayload | null {
  return given.record === false || data == null ? null : toRecorded(data, given);
}

/** Data that the SDK has seen. A value that is not JSON is not recorded. */
export function recordSeen(
  read: () => unknown,
  given: { record: RecordPayloads | undefined; maxBytes: number },
): RecordedPayload | null {
  if (given.record === undefined || given.record === false) return null;
  const data = read();
  if (data === undefined || data === null) return null;
  return toRecorded(toPayload(data), given);
}

/** The service records objects only. */
function toPayload(data: unknown): unknown {
  return typeof data === 'object' && !Array.isArray(data) ? data : { result: data };
}

function toRecorded(
  data: unknown,
  { record, maxBytes }: { record: RecordPayloads | undefined; maxBytes: number },
): RecordedPayload | null {
  const json = toJson(data);
  if (typeof record !== 'function') return fromJson(json, maxBytes);
  const copy = parseObject(json);
  return copy === null ? null : fromJson(toJson(record(copy)), maxBytes);
}

function fromJson(json: string | undefined, maxBytes: number): RecordedPayload | null {
  if (json === undefined) return null;
  const bytes = new TextEncoder().encode(json).byteLength;
  const isTooLarge = bytes > maxBytes || depthOf(json) > MAX_DEPTH;
  const data = isTooLarge ? { truncated: true, bytes, hash: hashOf(json) } : parseObject(json);
  return data === null ? null : { data, bytes: isTooLarge ? 100 : bytes };
}

/** Without NUL and halves of surrogate pairs, which the service refuses. JSON.stringify escapes exactly these. */
function toJson(data: unknown): string | undefined {
  return JSON.stringify(data)?.replace(/\\(?:u0000|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g, (escaped) =>
    /^\\u(?:0000|[dD])/.test(escaped) ? '\\ufffd' : escaped,
  );
}

function parseObject(json: string | undefined): Record<string, unknown> | null {
  const value: unknown = json === undefined ? null : JSON.parse(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (isText && character === '\\') index += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}

/** Tells inputs that are too large apart, because the service counts steps with the same input as repeats. */
function hashOf(json: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  const toHex = (value: number) => (value >>> 0).toString(16).padStart(8, '0');
  return toHex(high ^ (high >>> 16)) + toHex(low ^ (low >>> 13));
}
