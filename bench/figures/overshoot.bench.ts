/**
 * What parallel calls spend beyond a budget: without holds at most what is in flight when the budget is reached, with holds
 * nothing.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { type TestContext, test } from 'vitest';
import { ApiClient } from '../../server/test/support/api-client.js';
import { campaignSize } from '../../server/test/support/campaign.js';
import { expectStatus } from '../../server/test/support/test-service.js';
import { median, recordFigure } from '../figure.js';
import { inTurns } from '../in-turns.js';
import {
  type BenchDatabase,
  newPostgresDatabase,
  newSqliteDatabase,
  registerWorkspaces,
  startPostgresServer,
  startService,
  verifyStore,
} from '../subjects.js';

const CLIENTS = 50;
const CALL_MS = 200;
/** Calls that the budget has room for. */
const CALLS = 200;
const CALL_USD = 0.001;
/** Costs exactly that much with the price of the bench's workspaces. */
const USAGE = { status: 'COMPLETED', prompt_tokens: 0, completion_tokens: 100 };
const ROUNDS = campaignSize({ short: 3, full: 15 });

type Kind = 'without holds' | 'with holds';

test('overshoot on SQLite', async (context) => measureOvershoot(context, await newSqliteDatabase()));

test('overshoot on PostgreSQL', async (context) =>
  measureOvershoot(context, await newPostgresDatabase(await startPostgresServer())));

async function measureOvershoot(context: TestContext, { name, url }: BenchDatabase): Promise<void> {
  const service = await startService({ name, databaseUrl: url });
  const spent = await inTurns({
    subjects: ['without holds', 'with holds'] as const,
    rounds: ROUNDS,
    measure: (kind: Kind) => callsPaid(service.url, kind),
  });
  for (const [kind, calls] of spent) {
    const beyond = calls.map((count) => count - CALLS);
    recordFigure(context, {
      name: `spend ÷ budget on ${name}, ${CLIENTS} clients ${kind}`,
      value: Math.max(...calls) / CALLS,
      // A client has one call in flight, and the call that reaches the budget is not beyond it.
      goal: { atMost: kind === 'with holds' ? 1 : (CALLS + CLIENTS - 1) / CALLS },
      behind: `budget for ${CALLS} calls of ${CALL_MS} ms: ${median(beyond)} more (${Math.min(...beyond)} to ${Math.max(...beyond)} in ${ROUNDS} rounds)`,
      samples: { 'calls beyond the budget': beyond },
    });
  }
  await service.stop();
  await verifyStore(url);
}

/** In a new workspace, until every client was denied. */
async function callsPaid(serviceUrl: string, kind: Kind): Promise<number> {
  const [apiKey = ''] = await registerWorkspaces(serviceUrl, 1);
  const machine = new ApiClient(serviceUrl, apiKey);
  const settings = { daily_budget_usd: CALLS * CALL_USD };
  expectStatus(await machine.patch('/v1/workspace/', settings), 200);
  const estimate = kind === 'with holds' ? { estimated_cost_usd: CALL_USD } : {};
  await Promise.all(Array.from({ length: CLIENTS }, () => callUntilDenied(machine, estimate)));
  const { body } = expectStatus(await machine.get('/v1/usage/summary'), 200);
  return Math.round(body.today.total_usd / CALL_USD);
}

async function callUntilDenied(machine: ApiClient, estimate: object): Promise<void> {
  const started = expectStatus(await machine.post('/v1/runs/', { user_id: 'bench' }), 201).body;
  for (let sequence = 1; ; sequence += 1) {
    const step = { type: 'MODEL_CALL', sequence, model: 'gpt-4o', ...estimate };
    const { body } = expectStatus(await machine.post(`/v1/runs/${started.id}/steps`, step), 201);
    if (body.status === 'BLOCKED') return;
    await pause(CALL_MS);
    expectStatus(await machine.patch(`/v1/runs/${started.id}/steps/${body.id}`, USAGE), 200);
  }
}
