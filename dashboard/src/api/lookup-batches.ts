/** A request looks up at most so many names, and its URL must stay well below the 16 KiB that the service accepts. */
const MAX_NAMES = 50;
const MAX_ENCODED_LENGTH = 8_000;

/** Divides names into those of each request. */
export function toLookupBatches(names: readonly string[]): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let length = 0;
  for (const name of names) {
    const added = encodeURIComponent(name).length + '&model='.length;
    if (batch.length === MAX_NAMES || (batch.length > 0 && length + added > MAX_ENCODED_LENGTH)) {
      batches.push(batch);
      batch = [];
      length = 0;
    }
    batch.push(name);
    length += added;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
