/**
 * Requests sent at once. The service chooses their order, which the run list shows; in that order every answer must be the
 * predicted one.
 */

import type { ApiReply } from '../support/api-client.js';
import type { NaiveAccount } from './naive-accounts.js';
import type { NaiveRequest } from './naive-answer.js';
import { MONTHLY_LIMITS } from './naive-workspace.js';
import type { Workload } from './workload.js';
import { machine } from './workload-commands.js';

const BURST = 8;
const RUSH_BURST = 50;
/** The runs left in the month after the rush: fewer than the starts of a burst, and than the concurrency limit. */
const LEFT_OF_MONTH = 2;

/** Equal starts at once, near the limits of the workspace. */
export async function burstOfStarts(workload: Workload, account: NaiveAccount, size = BURST): Promise<void> {
  const request = startOf(workload, account);
  const replies = await sendAtOnce(
    workload,
    'start at once',
    Array.from({ length: size }, () => request),
  );
  const inOrder = await listNewest(workload, account, size);
  const byId = new Map(replies.map((reply) => [reply.body.id, reply]));
  // Refused starts are not in the list, and all answers are equal.
  const sorted = replies[0]?.status === 201 ? inOrder.map((id) => byId.get(id) ?? notListed(id)) : replies;
  for (const reply of sorted) workload.expectPredicted(request, reply);
}

/** One request many times at once with one Idempotency-Key: one effect, and the same answer for all. */
export async function burstOfRetries(workload: Workload, account: NaiveAccount): Promise<void> {
  const idempotencyKey = `burst-${workload.contextOf(account).serial}`;
  const request = { ...startOf(workload, account), idempotencyKey };
  const requests = Array.from({ length: BURST }, () => request);
  const replies = await sendAtOnce(workload, 'retry at once', requests);
  for (const reply of replies) workload.expectPredicted(request, reply);
}

/** Enough runs in one month that only a few are left on the lowest plan; then more than that at once. */
export async function rush(workload: Workload, account: NaiveAccount): Promise<void> {
  const { workspace, token } = account;
  const limit = MONTHLY_LIMITS['basic'] ?? 0;
  await configure(workload, token, 'enterprise');
  const wanted = () => limit - LEFT_OF_MONTH - workspace.startedInMonth(workload.clock.now);
  while (wanted() > 0) await burstOfStarts(workload, account, Math.min(RUSH_BURST, wanted()));
  await endAll(workload, account);
  await configure(workload, token, 'basic');
  await burstOfStarts(workload, account);
}

async function configure(workload: Workload, credential: string, plan: string): Promise<void> {
  const settings = { daily_budget_usd: null, user_daily_budget_usd: null, run_lease_seconds: 86_400 };
  const concurrency = plan === 'basic' ? {} : { max_concurrent_runs: 10_000 };
  for (const request of [
    { method: 'PUT', path: '/v1/billing/plan', body: { plan } },
    { method: 'PATCH', path: '/v1/workspace/', body: { ...settings, ...concurrency } },
    { method: 'POST', path: '/v1/workspace/kill-switch', body: { active: false } },
    { method: 'POST', path: '/v1/users/ada/unblock' },
  ])
    await workload.ask('configure', { ...request, credential });
}

/** Ends of different runs are independent: any order has the same answers. */
async function endAll(workload: Workload, account: NaiveAccount): Promise<void> {
  const running = account.workspace.runs.filter(({ status }) => status === 'RUNNING');
  for (let start = 0; start < running.length; start += RUSH_BURST) {
    const requests = running.slice(start, start + RUSH_BURST).map(({ id }) => ({
      method: 'POST',
      path: `/v1/runs/${id}/end`,
      credential: activeKey(account),
      body: { status: 'COMPLETED' },
    }));
    const replies = await sendAtOnce(workload, 'end at once', requests);
    for (const [index, request] of requests.entries())
      workload.expectPredicted(request, replies[index] ?? notListed(request.path));
  }
}

function startOf(workload: Workload, account: NaiveAccount): NaiveRequest {
  return {
    method: 'POST',
    path: '/v1/runs/',
    credential: machine(workload.contextOf(account)),
    body: { user_id: 'ada' },
  };
}

function sendAtOnce(
  workload: Workload,
  kind: string,
  requests: readonly NaiveRequest[],
): Promise<ApiReply[]> {
  for (const _ of requests) workload.count(kind);
  return Promise.all(requests.map((request) => workload.send(request)));
}

/** Oldest of them first. The model has not seen them yet, so this answer is not predicted. */
async function listNewest(workload: Workload, account: NaiveAccount, count: number): Promise<string[]> {
  const path = `/v1/runs/?per_page=${count}`;
  const reply = await workload.send({ method: 'GET', path, credential: account.token });
  const items: readonly { id: string }[] = reply.body.items ?? [];
  return items.map(({ id }) => id).reverse();
}

function activeKey({ workspace }: NaiveAccount): string {
  return workspace.keys.find(({ isActive }) => isActive)?.text ?? '';
}

function notListed(what: string): never {
  throw new Error(`${what} has no answer of this burst`);
}
