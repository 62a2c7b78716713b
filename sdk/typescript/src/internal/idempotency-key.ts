/** Returns a version 7 UUID. It begins with the time, so that consecutive keys are adjacent in the database. */
export function newIdempotencyKey(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
