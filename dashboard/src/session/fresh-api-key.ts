/** The API key of the registration, for the Set-up page: in memory only, because a key is shown once. */

let key: string | null = null;

export function keepFreshApiKey(apiKey: string | null): void {
  key = apiKey;
}

export function freshApiKey(): string | null {
  return key;
}
