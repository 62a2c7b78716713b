/**
 * While the database is away, callers are refused at once instead of each waiting for its own timeout; every now and
 * then one is let through, to see whether it is back.
 */

import { unavailable } from '../../domain/app-error.js';

const PROBE_INTERVAL_MS = 250;

export class PostgresOutageGate {
  /** null: the database answered when it was last asked. */
  #nextProbeAt: number | null = null;

  /** Throws `unavailable` unless the database is worth asking. */
  enter(): void {
    if (this.#nextProbeAt === null) return;
    const now = performance.now();
    if (now < this.#nextProbeAt) throw unavailable('The store is not available right now');
    this.#nextProbeAt = now + PROBE_INTERVAL_MS;
  }

  answered(): void {
    this.#nextProbeAt = null;
  }

  failed(): void {
    this.#nextProbeAt = performance.now() + PROBE_INTERVAL_MS;
  }
}
