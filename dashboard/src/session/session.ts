/** The session of the signed-in user. The token survives a reload and is shared by all tabs. */

import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'guarded-runs-token';

export interface SessionState {
  readonly token: string | null;
  /** Whether the server rejected the last token, for the message on the sign-in page. */
  readonly expired: boolean;
}

class Session {
  #state: SessionState = { token: readToken(), expired: false };
  readonly #listeners = new Set<() => void>();

  constructor() {
    window.addEventListener('storage', (event) => {
      if (event.key === STORAGE_KEY) this.#set({ token: event.newValue, expired: false });
    });
  }

  readonly current = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  signIn(token: string): void {
    writeToken(token);
    this.#set({ token, expired: false });
  }

  signOut(): void {
    writeToken(null);
    this.#set({ token: null, expired: false });
  }

  expire(): void {
    writeToken(null);
    this.#set({ token: null, expired: true });
  }

  #set(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Without storage, the session ends with the page. */
function readToken(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function writeToken(token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, token);
  } catch {
    // Storage is not available: the token stays in memory.
  }
}

export const session = new Session();

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.current);
}
