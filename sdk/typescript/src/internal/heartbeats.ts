/**
 * Renews the lease of a run while it makes no other requests, and passes a denial on. One heartbeat is in flight at a
 * time; one that fails is followed by the next. Heartbeats do not keep the process alive.
 */

import type { DenyReason, Heartbeat } from '../api-types.js';
import { denialOf } from '../denial.js';
import { NotFoundError } from '../errors.js';
import { unrefTimer } from './unref-timer.js';

/** So that a lease survives a lost heartbeat. */
const HEARTBEATS_PER_LEASE = 3;
/** A heartbeat without a response is retried before the lease ends, whatever the timeout of the client is. */
const MAX_TIMEOUT_MS = 5_000;

export interface HeartbeatsOptions {
  readonly leaseSeconds: number;
  /** Heartbeats end when it is garbage-collected: a run that the caller forgot must not keep its slot. */
  readonly owner: object;
  readonly send: (options: { timeoutMs: number }) => Promise<Heartbeat>;
  /** Called with what a new step would get now. */
  readonly onDenied: (reason: DenyReason) => void;
}

export class Heartbeats {
  readonly #intervalMs: number;
  readonly #owner: WeakRef<object> | null;
  readonly #send: HeartbeatsOptions['send'];
  readonly #onDenied: HeartbeatsOptions['onDenied'];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isInFlight = false;
  #isStopped = false;

  constructor({ leaseSeconds, owner, send, onDenied }: HeartbeatsOptions) {
    this.#intervalMs = (leaseSeconds * 1_000) / HEARTBEATS_PER_LEASE;
    // Some edge runtimes have no WeakRef.
    this.#owner = typeof WeakRef === 'undefined' ? null : new WeakRef(owner);
    this.#send = send;
    this.#onDenied = onDenied;
    this.renewed();
  }

  /** Another request has renewed the lease, so that the next heartbeat is due an interval from now. */
  renewed(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#beat(), this.#intervalMs);
    unrefTimer(this.#timer);
  }

  /** From now on, nothing is sent, and the response to a heartbeat in flight is ignored. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #beat(): Promise<void> {
    if (this.#owner !== null && this.#owner.deref() === undefined) return;
    this.renewed();
    if (this.#isInFlight) return;
    this.#isInFlight = true;
    try {
      const timeoutMs = Math.min(this.#intervalMs, MAX_TIMEOUT_MS);
      const reason = denialOf((await this.#send({ timeoutMs })).decision);
      if (this.#isStopped || reason === null) return;
      if (reason === 'RUN_ALREADY_ENDED') this.stop();
      this.#onDenied(reason);
    } catch (error) {
      if (error instanceof NotFoundError) this.stop();
    } finally {
      this.#isInFlight = false;
    }
  }
}
