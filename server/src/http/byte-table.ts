/** A lookup table for scanning bytes. */
export interface ByteTable {
  /** The class of each of the 256 bytes, 0 for bytes to skip. */
  readonly classes: Uint8Array;
  /** For each pair of bytes, 0 if both are to be skipped. */
  readonly pairs: Uint8Array;
}

/** Longer runs of bytes to skip are scanned in pairs, which takes half the time. Starting to costs about as much as this scan. */
const SINGLE_BYTES = 128;

export function toByteTable(classes: Readonly<Record<string, number>>): ByteTable {
  const table = new Uint8Array(256);
  for (const [bytes, byteClass] of Object.entries(classes))
    for (const byte of Buffer.from(bytes)) table[byte] = byteClass;
  return withPairs(table);
}

/** A table that skips only these bytes. */
export function toSkippingTable(skipped: string): ByteTable {
  const table = new Uint8Array(256).fill(1);
  for (const byte of Buffer.from(skipped)) table[byte] = 0;
  return withPairs(table);
}

function withPairs(classes: Uint8Array): ByteTable {
  const pairs = new Uint8Array(256 * 256).fill(1);
  // Whole rows, because this is done at start-up.
  for (const [high, byteClass] of classes.entries()) if (byteClass === 0) pairs.set(classes, 256 * high);
  return { classes, pairs };
}

/** Returns the offset of the first byte from `start` on that has a class, or `end` if there is none before it. */
export function nextMatch(
  bytes: Buffer,
  start: number,
  table: ByteTable,
  end: number = bytes.length,
): number {
  const { classes } = table;
  const near = end - start > SINGLE_BYTES ? start + SINGLE_BYTES : end;
  let at = start;
  // Unrolled, which halves the time.
  for (; at < near - 3; at += 4) {
    if (classes[bytes[at] ?? 0] !== 0) return at;
    if (classes[bytes[at + 1] ?? 0] !== 0) return at + 1;
    if (classes[bytes[at + 2] ?? 0] !== 0) return at + 2;
    if (classes[bytes[at + 3] ?? 0] !== 0) return at + 3;
  }
  while (at < near && classes[bytes[at] ?? 0] === 0) at += 1;
  return at < near || near === end ? at : nextInPairs(bytes, at, table, end);
}

function nextInPairs(bytes: Buffer, start: number, { classes, pairs }: ByteTable, end: number): number {
  // A view of pairs begins at an even address.
  const first = bytes.byteOffset % 2 === start % 2 ? start : start + 1;
  if (first > start && classes[bytes[start] ?? 0] !== 0) return start;
  const view = new Uint16Array(bytes.buffer, bytes.byteOffset + first, (end - first) >> 1);
  let pair = 0;
  while (pair < view.length && pairs[view[pair] ?? 0] === 0) pair += 1;
  let at = first + 2 * pair;
  while (at < end && classes[bytes[at] ?? 0] === 0) at += 1;
  return at;
}
