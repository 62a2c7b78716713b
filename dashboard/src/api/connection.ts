/**
 * Tracks whether the server is reachable and when it last responded. A failed or slow request triggers a probe of
 * /health, and only the probe decides. While the server is unreachable the probe repeats, so the state recovers.
 */

import { useSyncExternalStore } from 'react';

const PROBE_PATH = '/health';
const PROBE_TIMEOUT_MS = 4_000;
const PROBE_INTERVAL_MS = 2_000;
const SERVER_ERROR = 500;

export interface ConnectionState {
  readonly lost: boolean;
  /** Time of the last response before the connection was lost; null if there was none. */
  readonly lastResponseAt: number | null;
}

class Connection {
  #state: ConnectionState = { lost: false, lastResponseAt: null };
  #lastResponseAt: number | null = null;
  /** The probe in flight, if any. Resolves to whether the server is reachable. */
  #probe: Promise<boolean> | null = null;
  #nextProbe: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  readonly current = (): ConnectionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Records the time of a successful response. */
  recordResponse(): void {
    this.#lastResponseAt = Date.now();
  }

  /** Probes the server now and returns whether it is reachable. */
  check(): Promise<boolean> {
    this.#probe ??= this.#runProbe();
    return this.#probe;
  }

  async #runProbe(): Promise<boolean> {
    const isReachable = await isServerReachable();
    this.#probe = null;
    clearTimeout(this.#nextProbe);
    if (!isReachable) this.#nextProbe = setTimeout(() => void this.check(), PROBE_INTERVAL_MS);
    if (isReachable === this.#state.lost) {
      this.#state = { lost: !isReachable, lastResponseAt: this.#lastResponseAt };
      for (const listener of this.#listeners) listener();
    }
    return isReachable;
  }
}

/** A proxy that cannot reach the server responds with 502 to 504. */
async function isServerReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const { status } = await fetch(PROBE_PATH, { cache: 'no-store', signal });
    return status < SERVER_ERROR;
  } catch {
    return false;
  }
}

export const connection = new Connection();

// The browser's network state is only a hint: the server may run on this machine.
for (const event of ['online', 'offline']) window.addEventListener(event, () => void connection.check());

export function useConnection(): ConnectionState {
  return useSyncExternalStore(connection.subscribe, connection.current);
}
