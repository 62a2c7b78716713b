/** Reads everything that can be read, in every workspace; the model predicts all of it. */

import type { NaiveAccount } from './naive-accounts.js';
import type { Workload } from './workload.js';

const STATUSES = ['RUNNING', 'COMPLETED', 'FAILED', 'BLOCKED'];
const OTHER_FILTERS = ['end_reason=LEASE_EXPIRED', 'end_reason=STOPPED', 'idle=true'];
const SORTED_USERS = ['?sort=spend', '?sort=spend&blocked=false', '?search=a', '?search=~'].map(
  (query) => `/v1/users/${query}`,
);
const PER_PAGE = 100;

export async function audit(workload: Workload): Promise<void> {
  for (const account of workload.model.accounts.all) {
    const { email, password } = account;
    const body = { email, password };
    await workload.ask('audit', { method: 'POST', path: '/v1/auth/login', credential: null, body });
    for (const path of pathsOf(account))
      await workload.ask('audit', { method: 'GET', path, credential: account.token });
  }
}

function pathsOf({ workspace }: NaiveAccount): string[] {
  const users = [...workspace.users.keys()].map((user) => `user_id=${encodeURIComponent(user)}`);
  const statuses = STATUSES.map((status) => `status=${status}`);
  const filters = [...statuses, ...OTHER_FILTERS];
  const both = users.flatMap((user) => filters.map((filter) => `${user}&${filter}`));
  return [
    ...pages('/v1/runs/', workspace.runs.length),
    ...[...filters, ...users, ...both].map((filter) => `/v1/runs/?per_page=${PER_PAGE}&${filter}`),
    ...workspace.runs.flatMap(({ id }) => [`/v1/runs/${id}`, `/v1/runs/${id}/decisions`]),
    ...pages('/v1/users/', workspace.users.size),
    '/v1/users/?blocked=true',
    ...SORTED_USERS,
    // A day is read in the same way, however many there are.
    ...[...workspace.users.keys()].map((user) => `/v1/users/-?days=40&name=${encodeURIComponent(user)}`),
    ...[...new Set(workspace.runs.flatMap(({ steps }) => steps.flatMap(({ model }) => model ?? [])))].map(
      (model) => `/v1/models/-?days=40&name=${encodeURIComponent(model)}`,
    ),
    '/v1/users/?blocked=false',
    '/v1/usage/summary',
    '/v1/usage/daily?days=366',
    '/v1/usage/guardrail-effects?days=30&max_cost_usd=0.5&max_steps=2&max_duration_seconds=60&run_lease_seconds=60',
    '/v1/model-pricing/',
    '/v1/api-keys/',
    '/v1/workspace/',
    '/v1/billing/',
    '/v1/auth/me',
  ];
}

/** One page more than there are: the last one is empty. */
function pages(path: string, count: number): string[] {
  const last = Math.ceil(count / PER_PAGE) + 1;
  return Array.from({ length: last }, (_, index) => `${path}?per_page=${PER_PAGE}&page=${index + 1}`);
}
