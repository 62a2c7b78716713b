/** Everything that an account can read about its workspace, from every route that reads. */

import type { ApiClient } from './api-client.js';
import { parametersOf, ROUTES } from './routes.js';

const READS = ROUTES.filter(
  ({ method, auth, path }) => method === 'GET' && auth !== 'none' && parametersOf(path).length === 0,
);

export async function stateOf(person: ApiClient): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {};
  for (const { path } of READS) state[path] = (await person.get(path)).body;
  const { items } = state['/v1/runs/'] as { items: { id: string }[] };
  for (const { id } of items) {
    state[`/v1/runs/${id}`] = (await person.get(`/v1/runs/${id}`)).body;
    state[`/v1/runs/${id}/decisions`] = (await person.get(`/v1/runs/${id}/decisions`)).body;
  }
  return state;
}

/** The state without what the use of a key changes. */
export function withoutUse(state: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(state, (name, value) => (name === 'last_used_at' ? null : value)));
}
