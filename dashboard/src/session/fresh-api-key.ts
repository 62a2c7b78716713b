/** A new API key for the setup page. It is kept in memory only, because a key is shown once. */

let key: string | null = null;

export function setFreshApiKey(apiKey: string | null): void {
  key = apiKey;
}

export function freshApiKey(): string | null {
  return key;
}
