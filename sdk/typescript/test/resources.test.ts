import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  Forbidden,
  type GuardedRuns,
  GuardedRunsError,
  type GuardedRunsOptions,
  NotFound,
} from '../src/index.js';
import { type GuardFixture, MODEL, startGuard } from './support/guard-fixture.js';

let fixture: GuardFixture;
let guard: GuardedRuns;
beforeAll(async () => {
  fixture = await startGuard();
  guard = fixture.guard;
});
afterAll(() => fixture.stop());

test('runs: start, createStep, updateStep, end, get, list and decisions', async () => {
  const { id, status } = await guard.runs.start({ userId: 'ada', metadata: { trace: 7 } });
  expect(status).toBe('RUNNING');
  const step = await guard.runs.createStep(id, { type: 'MODEL_CALL', sequence: 1, model: MODEL });
  expect(step.decision).toEqual({ outcome: 'ALLOW', reason: null });
  const updated = await guard.runs.updateStep(
    { runId: id, stepId: step.id },
    { status: 'COMPLETED', promptTokens: 1_000, completionTokens: 0 },
  );
  expect(updated).toEqual({ id: step.id, status: 'COMPLETED' });
  expect(await guard.runs.end(id, { status: 'COMPLETED' })).toMatchObject({ id, status: 'COMPLETED' });
  expect(await guard.runs.get(id)).toMatchObject({ metadata: { trace: 7 }, totalCostUsd: 0.002 });
  expect(await guard.runs.list({ userId: 'ada', status: 'COMPLETED', perPage: 10 })).toMatchObject({
    items: [{ id, stepCount: 1 }],
    total: 1,
    perPage: 10,
  });
  const decisions = await guard.runs.decisions(id);
  expect(decisions.map(({ subject, outcome }) => [subject, outcome])).toEqual([
    ['run', 'ALLOW'],
    ['step', 'ALLOW'],
  ]);
});

test('runs: heartbeat and stop', async () => {
  const { id, leaseExpiresAt } = await guard.runs.start({ userId: 'leased', leaseSeconds: 60 });
  fixture.service.clock.advance(1_000);
  const heartbeat = await guard.runs.heartbeat(id);
  expect(heartbeat).toMatchObject({ id, status: 'RUNNING', decision: { outcome: 'ALLOW', reason: null } });
  expect(toMs(heartbeat.leaseExpiresAt) - toMs(leaseExpiresAt)).toBe(1_000);
  const stopped = await guard.runs.stop(id);
  expect(stopped).toMatchObject({ id, status: 'FAILED', endReason: 'STOPPED' });
  expect(await guard.runs.stop(id)).toEqual(stopped);
  expect(await guard.runs.heartbeat(id)).toMatchObject({ decision: { reason: 'RUN_ALREADY_ENDED' } });
});

const toMs = (timestamp: string | null | undefined) => Date.parse(timestamp ?? '');

test('usage: summary and daily', async () => {
  const summary = await guard.usage.summary();
  expect(summary.byModel).toMatchObject([{ model: MODEL, promptTokens: 1_000 }]);
  expect(await guard.usage.daily({ days: 2 })).toMatchObject([{ totalUsd: 0 }, { totalUsd: 0.002 }]);
  expect(await guard.usage.daily()).toHaveLength(30);
});

test('workspace: get, update and setKillSwitch', async () => {
  expect(await guard.workspace.update({ dailyBudgetUsd: 12.5 })).toMatchObject({ dailyBudgetUsd: 12.5 });
  expect(await guard.workspace.update({ dailyBudgetUsd: null })).toMatchObject({ dailyBudgetUsd: null });
  expect(await guard.workspace.setKillSwitch(true)).toMatchObject({ killSwitch: true });
  expect(await guard.workspace.setKillSwitch(false)).toEqual(await guard.workspace.get());
});

test('prices: put and list, including a model with a slash in its name', async () => {
  const model = 'meta-llama/Llama 3?';
  const price = { inputCostPerToken: 0.000_001, outputCostPerToken: 0.000_002 };
  expect(await guard.prices.put(model, price)).toMatchObject({ model, ...price, isActive: true });
  expect(await guard.prices.list()).toContainEqual(expect.objectContaining({ model }));
  await guard.prices.put(model, { ...price, isActive: false });
  expect(await guard.prices.list()).not.toContainEqual(expect.objectContaining({ model }));
});

test.each(['.', '..'])(
  'an id or model "%s" is rejected, because it would change the request path',
  async (name) => {
    const price = { inputCostPerToken: 0, outputCostPerToken: 0 };
    const calls = [
      () => guard.runs.get(name),
      () => guard.runs.end(name, { status: 'COMPLETED' }),
      () => guard.runs.updateStep({ runId: 'id', stepId: name }, { status: 'COMPLETED' }),
      () => guard.prices.put(name, price),
      () => guard.keys.revoke(name),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ name: GuardedRunsError.name });
  },
);

test('prices: model names with dots and slashes are preserved', async () => {
  const price = { inputCostPerToken: 0, outputCostPerToken: 0 };
  for (const model of ['a/../b', '../x', '...', '.hidden', '%2e%2e', "it's (a) *model*!~"]) {
    expect(await guard.prices.put(model, price)).toMatchObject({ model });
  }
});

test.each(['org/model', '.', '..', '%2e%2e'])('usage of the model "%s"', async (model) => {
  expect(await guard.usage.model(model, { days: 3 })).toMatchObject({ model, byDay: [{}, {}, {}] });
});

test.each(['org/team ünï?', '.', '..', '%2e%2e'])(
  'users: block, list and unblock of "%s"',
  async (userId) => {
    expect(await guard.users.block(userId, { note: 'a test' })).toMatchObject({ userId, blocked: true });
    expect(await guard.users.get(userId, { days: 7 })).toMatchObject({ userId, blockNote: 'a test' });
    expect(await guard.users.list({ blocked: true })).toMatchObject({ items: [{ userId }] });
    await expect(guard.run({ userId }, () => 'never')).rejects.toMatchObject({ reason: 'USER_BLOCKED' });
    expect(await guard.users.unblock(userId)).toMatchObject({ userId, blocked: false });
    expect(await guard.run({ userId }, () => 'allowed')).toBe('allowed');
  },
);

test('a key of an agent can guard its runs and cannot lift guardrails; the error says which scope is needed', async () => {
  const { key } = await guard.keys.create({ scope: 'agent' });
  const agent = fixture.client({ apiKey: key });
  expect(await agent.run({ userId: 'ada' }, () => 'done')).toBe('done');
  await expect(agent.workspace.setKillSwitch(false)).rejects.toThrow(Forbidden);
  await expect(agent.keys.create()).rejects.toThrow(
    'This API key has the scope agent; this endpoint needs admin',
  );
});

test('a key that is pinned to a user starts only runs of that user', async () => {
  const created = await guard.keys.create({ label: 'of ada', scope: 'agent', userId: 'ada' });
  expect(created).toMatchObject({ label: 'of ada', scope: 'agent', userId: 'ada' });
  const pinned = fixture.client({ apiKey: created.key });
  expect(await pinned.run({ userId: 'ada' }, () => 'done')).toBe('done');
  await expect(pinned.run({ userId: 'bob' }, () => 'never')).rejects.toThrow(Forbidden);
});

test('keys: create, list, revoke and regenerate', async () => {
  const created = await guard.keys.create({ label: 'worker' });
  expect(await guard.keys.list()).toContainEqual(
    expect.objectContaining({ id: created.id, label: 'worker' }),
  );
  const worker = fixture.client({ apiKey: created.key });
  await worker.workspace.get();
  expect(await guard.keys.revoke(created.id)).toBeUndefined();
  await expect(worker.workspace.get()).rejects.toMatchObject({ status: 401 });
  await expect(guard.keys.revoke('nonsense')).rejects.toThrow(NotFound);
  const { key } = await guard.keys.regenerate();
  await expect(guard.workspace.get()).rejects.toMatchObject({ status: 401 });
  await fixture.client({ apiKey: key }).workspace.get();
});

test('all items of a list are read page by page', async () => {
  const client = await newTenant();
  const users = Array.from({ length: 101 }, (_, index) => `user-${index}`);
  for (const userId of users) await client.users.block(userId);
  const found: string[] = [];
  for await (const { userId } of client.users.all({ blocked: true })) found.push(userId);
  expect(found.sort()).toEqual(users.sort());
});

test('the catalogue has public list prices', async () => {
  const client = await newTenant();
  const [price] = await client.prices.catalogue({ query: 'gpt-4o openai' });
  expect(price).toMatchObject({
    model: expect.stringContaining('gpt-4o'),
    inputCostPerToken: expect.any(Number),
  });
});

test('a call can have its own timeout, retries and key, and shows its response', async () => {
  const statuses: number[] = [];
  const idempotencyKey = 'my-own-key';
  const onResponse = ({ status }: { status: number }) => statuses.push(status);
  const options = { timeoutMs: 4_000, maxRetries: 0, idempotencyKey, onResponse };
  const client = await newTenant();
  const first = await client.runs.start({ userId: 'own-options' }, options);
  expect((await client.runs.start({ userId: 'own-options' }, options)).id).toBe(first.id);
  expect(statuses).toEqual([201, 201]);
});

test('with logLevel debug each request is logged, without the key', async () => {
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
  const client = await newTenant({ logLevel: 'debug' });
  await client.workspace.get();
  const lines = debug.mock.calls.map(([line]) => String(line));
  debug.mockRestore();
  expect(lines).toEqual([expect.stringMatching(/^Guarded Runs: GET http.*\/v1\/workspace\/ 200$/)]);
  expect(() => fixture.client({ logLevel: 'loud' as 'debug' })).toThrow(/off, warn, info, debug/);
});

/** The tests of keys have revoked the one of the fixture. */
async function newTenant(options: GuardedRunsOptions = {}): Promise<GuardedRuns> {
  const { apiKey } = await fixture.service.register({ plan: 'enterprise' });
  return fixture.client({ apiKey, ...options });
}
