import { afterAll, beforeAll, expect, test } from 'vitest';
import { Forbidden, type GuardedRuns, GuardedRunsError, NotFound } from '../src/index.js';
import { type GuardFixture, MODEL, startGuard } from './support/guard-fixture.js';

let fixture: GuardFixture;
let guard: GuardedRuns;
beforeAll(async () => {
  fixture = await startGuard();
  guard = fixture.guard;
});
afterAll(() => fixture.stop());

test('runs: start, createStep, updateStep, end, get, list and decisions', async () => {
  const { id, status } = await guard.runs.start({ user_id: 'ada', metadata: { trace: 7 } });
  expect(status).toBe('RUNNING');
  const step = await guard.runs.createStep(id, { type: 'MODEL_CALL', sequence: 1, model: MODEL });
  expect(step.decision).toEqual({ outcome: 'ALLOW', reason: null });
  const updated = await guard.runs.updateStep(
    { runId: id, stepId: step.id },
    { status: 'COMPLETED', prompt_tokens: 1_000, completion_tokens: 0 },
  );
  expect(updated).toEqual({ id: step.id, status: 'COMPLETED' });
  expect(await guard.runs.end(id, { status: 'COMPLETED' })).toMatchObject({ id, status: 'COMPLETED' });
  expect(await guard.runs.get(id)).toMatchObject({ metadata: { trace: 7 }, total_cost_usd: 0.002 });
  expect(await guard.runs.list({ user_id: 'ada', status: 'COMPLETED', per_page: 10 })).toMatchObject({
    items: [{ id, step_count: 1 }],
    total: 1,
    per_page: 10,
  });
  const decisions = await guard.runs.decisions(id);
  expect(decisions.map(({ subject, outcome }) => [subject, outcome])).toEqual([
    ['run', 'ALLOW'],
    ['step', 'ALLOW'],
  ]);
});

test('runs: heartbeat and stop', async () => {
  const { id, lease_expires_at } = await guard.runs.start({ user_id: 'leased', lease_seconds: 60 });
  fixture.service.clock.advance(1_000);
  const heartbeat = await guard.runs.heartbeat(id);
  expect(heartbeat).toMatchObject({ id, status: 'RUNNING', decision: { outcome: 'ALLOW', reason: null } });
  expect(toMs(heartbeat.lease_expires_at) - toMs(lease_expires_at)).toBe(1_000);
  const stopped = await guard.runs.stop(id);
  expect(stopped).toMatchObject({ id, status: 'FAILED', end_reason: 'STOPPED' });
  expect(await guard.runs.stop(id)).toEqual(stopped);
  expect(await guard.runs.heartbeat(id)).toMatchObject({ decision: { reason: 'RUN_ALREADY_ENDED' } });
});

const toMs = (timestamp: string | null | undefined) => Date.parse(timestamp ?? '');

test('usage: summary and daily', async () => {
  const summary = await guard.usage.summary();
  expect(summary.by_model).toMatchObject([{ model: MODEL, prompt_tokens: 1_000 }]);
  expect(await guard.usage.daily({ days: 2 })).toMatchObject([{ total_usd: 0 }, { total_usd: 0.002 }]);
  expect(await guard.usage.daily()).toHaveLength(30);
});

test('workspace: get, update and setKillSwitch', async () => {
  expect(await guard.workspace.update({ daily_budget_usd: 12.5 })).toMatchObject({ daily_budget_usd: 12.5 });
  expect(await guard.workspace.update({ daily_budget_usd: null })).toMatchObject({ daily_budget_usd: null });
  expect(await guard.workspace.setKillSwitch(true)).toMatchObject({ kill_switch: true });
  expect(await guard.workspace.setKillSwitch(false)).toEqual(await guard.workspace.get());
});

test('prices: put and list, including a model with a slash in its name', async () => {
  const model = 'meta-llama/Llama 3?';
  const price = { input_cost_per_token: 0.000_001, output_cost_per_token: 0.000_002 };
  expect(await guard.prices.put(model, price)).toMatchObject({ model, ...price, is_active: true });
  expect(await guard.prices.list()).toContainEqual(expect.objectContaining({ model }));
  await guard.prices.put(model, { ...price, is_active: false });
  expect(await guard.prices.list()).not.toContainEqual(expect.objectContaining({ model }));
});

test.each(['.', '..'])(
  'an id or model "%s" is rejected, because it would change the request path',
  async (name) => {
    const price = { input_cost_per_token: 0, output_cost_per_token: 0 };
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
  const price = { input_cost_per_token: 0, output_cost_per_token: 0 };
  for (const model of ['a/../b', '../x', '...', '.hidden', '%2e%2e', "it's (a) *model*!~"]) {
    expect(await guard.prices.put(model, price)).toMatchObject({ model });
  }
});

test.each(['org/team ünï?', '.', '..', '%2e%2e'])(
  'users: block, list and unblock of "%s"',
  async (userId) => {
    expect(await guard.users.block(userId)).toMatchObject({ user_id: userId, blocked: true });
    expect(await guard.users.list({ blocked: true })).toMatchObject({ items: [{ user_id: userId }] });
    await expect(guard.run({ userId }, () => 'never')).rejects.toMatchObject({ reason: 'USER_BLOCKED' });
    expect(await guard.users.unblock(userId)).toMatchObject({ user_id: userId, blocked: false });
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
  expect(created).toMatchObject({ label: 'of ada', scope: 'agent', user_id: 'ada' });
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
