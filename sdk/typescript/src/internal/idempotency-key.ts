/**
 * A version 7 UUID: it begins with the time, so that the records of keys made one after the other are written next to each
 * other in the service's database.
 */
export function newIdempotencyKey(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
