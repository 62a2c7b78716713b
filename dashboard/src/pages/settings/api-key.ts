import type { Schemas } from '../../api/api-client.ts';

export type ApiKey = Schemas['ApiKey'];
/** With the key itself, which is shown once. */
export type NewApiKey = Schemas['NewApiKey'];

export function nameOf(key: ApiKey): string {
  return key.label === null ? `lg_${key.prefix}_…` : `${key.label} (lg_${key.prefix}_…)`;
}

/** Sorted, so that two lists can be compared. */
export function activeIdsOf(keys: readonly ApiKey[]): readonly string[] {
  return keys
    .filter(({ is_active }) => is_active)
    .map(({ id }) => id)
    .sort();
}
