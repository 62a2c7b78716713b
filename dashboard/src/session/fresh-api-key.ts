/** A new API key for the setup page. It is kept in memory only, because a key is shown once. */

/** An agent that leaks its key, or is made to misuse it, cannot lift its guardrails with it. */
export const SETUP_KEY = { label: 'setup', scope: 'agent' } as const;

let key: string | null = null;

export function setFreshApiKey(apiKey: string | null): void {
  key = apiKey;
}

export function freshApiKey(): string | null {
  return key;
}
