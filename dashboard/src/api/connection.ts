/**
 * Whether the server answers, and when it last did. A request that fails or takes long only raises a suspicion; what
 * decides is whether /health answers. While it does not, it is asked again and again, so that the loss ends by itself.
 */

import { useSyncExternalStore } from 'react';

const PROBE_PATH = '/health';
const PROBE_TIMEOUT_MS = 4_000;
const PROBE_INTERVAL_MS = 2_000;
const SERVER_ERROR = 500;

export interface ConnectionState {
  readonly lost: boolean;
  /** When the server last answered before it was lost; null: it never did. */
  readonly lastAnswerAt: number | null;
}

class Connection {
  #state: ConnectionState = { lost: false, lastAnswerAt: null };
  #lastAnswerAt: number | null = null;
  /** Whether the server answers: the question in flight, if there is one. */
  #probe: Promise<boolean> | null = null;
  #nextProbe: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();

  readonly current = (): ConnectionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The server answered a request with what was asked for. */
  answered(): void {
    this.#lastAnswerAt = Date.now();
  }

  /** Asks the server now and returns whether it answers. */
  check(): Promise<boolean> {
    this.#probe ??= this.#ask();
    return this.#probe;
  }

  async #ask(): Promise<boolean> {
    const answers = await doesServerAnswer();
    this.#probe = null;
    clearTimeout(this.#nextProbe);
    if (!answers) this.#nextProbe = setTimeout(() => void this.check(), PROBE_INTERVAL_MS);
    if (answers === this.#state.lost) {
      this.#state = { lost: !answers, lastAnswerAt: this.#lastAnswerAt };
      for (const listener of this.#listeners) listener();
    }
    return answers;
  }
}

/** A proxy in front of a server that is away answers for it, with 502 to 504. */
async function doesServerAnswer(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const { status } = await fetch(PROBE_PATH, { cache: 'no-store', signal });
    return status < SERVER_ERROR;
  } catch {
    return false;
  }
}

export const connection = new Connection();

// What the browser says about the network is a hint: the server may be on this very machine.
for (const event of ['online', 'offline']) window.addEventListener(event, () => void connection.check());

export function useConnection(): ConnectionState {
  return useSyncExternalStore(connection.subscribe, connection.current);
}
