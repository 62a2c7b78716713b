/** A lookup table for scanning bytes: the class of each of the 256 bytes, 0 for bytes to skip. */
export type ByteTable = Uint8Array;

export function toByteTable(classes: Readonly<Record<string, number>>): ByteTable {
  const table = new Uint8Array(256);
  for (const [bytes, byteClass] of Object.entries(classes))
    for (const byte of Buffer.from(bytes)) table[byte] = byteClass;
  return table;
}

/** Returns the offset of the first byte from `start` on that has a class, or the length. */
export function nextMatch(bytes: Buffer, start: number, table: ByteTable): number {
  const { length } = bytes;
  let at = start;
  // Unrolled, which halves the time.
  for (; at < length - 3; at += 4) {
    if (table[bytes[at] ?? 0] !== 0) return at;
    if (table[bytes[at + 1] ?? 0] !== 0) return at + 1;
    if (table[bytes[at + 2] ?? 0] !== 0) return at + 2;
    if (table[bytes[at + 3] ?? 0] !== 0) return at + 3;
  }
  while (at < length && table[bytes[at] ?? 0] === 0) at += 1;
  return at;
}
