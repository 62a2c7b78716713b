/** SQLite has no booleans: 0 and 1 stand for them. */
export function fromBoolean(value: boolean): number {
  return value ? 1 : 0;
}
