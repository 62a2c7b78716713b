/** Random commands from several workspaces, the clock driven across midnights and month ends: every answer is predicted. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import type { ApiReply } from '../support/api-client.js';
import { campaignSeed, campaignSize } from '../support/campaign.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';
import { type Answer, NaiveModel, type StepReport } from './naive-model.js';

const OPERATIONS = campaignSize({ short: 3_000, full: 100_000 });
const WORKSPACES = 3;
const USERS = ['ada', 'bob', 'zoë', "'; DROP TABLE runs; --", '用户/1'];
const MODELS = ['gpt-4o', 'meta-llama/Llama-3', 'unpriced'];
const PLANS = ['basic', 'pro', 'scale', 'enterprise'];
const AMOUNTS = ['0', '0.000001', '0.8', '1.25', '3', '0.000000000001'];
const PRICES = ['0.1', '0.0000025', '0.00000015', '0', '0.000000000000000001', '0.3', '0.000000000000500001'];
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

interface Side {
  readonly tenant: TestTenant;
  readonly model: NaiveModel;
  /** Reports that were accepted, to be repeated. */
  readonly reports: { runId: string; stepId: string; report: StepReport }[];
}

let service: TestService;
beforeAll(async () => {
  // The clock moves by months; only this test wants its tokens to live that long.
  service = await startTestService({ JWT_TTL_SECONDS: '31536000' });
});
afterAll(() => service.stop());

test('every answer and the final state are what a naive model predicts', async () => {
  const random = new SeededRandom(campaignSeed('workload'));
  service.clock.set(
    random.pick(['2028-02-27T22:00:00.000Z', '2026-12-30T12:00:00.000Z', '2026-06-15T00:00:00.000Z']),
  );
  const sides: Side[] = [];
  for (let index = 0; index < WORKSPACES; index += 1) {
    sides.push({ tenant: await service.register(), model: new NaiveModel(), reports: [] });
  }
  for (let operation = 0; operation < OPERATIONS; operation += 1) {
    moveClock(random);
    const side = random.pick(sides);
    side.model.now = service.clock.now();
    await act(random, side);
  }
  for (const side of sides) {
    side.model.now = service.clock.now();
    await audit(side);
  }
  expect((await service.app.store.maintenance.verify()).differences).toEqual([]);
}, 3_600_000);

/** Mostly stands still or moves a little; now and then jumps to the last moment of a day, or over it. */
function moveClock(random: SeededRandom): void {
  const roll = random.next();
  if (roll < 0.5) return;
  if (roll < 0.97) service.clock.advance(random.integer(1, 90_000));
  else if (roll < 0.99) service.clock.advance(untilMidnight(service.clock.now()) - random.integer(0, 1));
  else service.clock.advance(random.integer(1, 8) * 86_400_000);
}

const untilMidnight = (now: number) => 86_400_000 - (now % 86_400_000);

async function act(random: SeededRandom, side: Side): Promise<void> {
  const roll = random.next();
  if (roll < 0.22) return startRun(random, side);
  if (roll < 0.48) return createStep(random, side);
  if (roll < 0.72) return updateStep(random, side);
  if (roll < 0.85) return endRun(random, side);
  if (roll < 0.95) return configure(random, side);
  return read(random, side);
}

async function startRun(random: SeededRandom, { tenant, model }: Side): Promise<void> {
  const user = random.pick(USERS);
  const metadata = random.pick([null, { nested: { list: [1, 'two', null] }, __proto: 'x' }, {}]);
  const reply = await tenant.machine.post('/v1/runs/', { user_id: user, metadata });
  expectAnswer(reply, model.startRun(reply.body.id, user, metadata));
}

async function endRun(random: SeededRandom, { tenant, model }: Side): Promise<void> {
  const id = pickRunId(random, model);
  const status = random.pick(['COMPLETED', 'COMPLETED', 'FAILED']);
  expectAnswer(await tenant.machine.post(`/v1/runs/${id}/end`, { status }), model.endRun(id, status));
}

async function createStep(random: SeededRandom, { tenant, model }: Side): Promise<void> {
  const runId = pickRunId(random, model);
  const step = {
    type: random.pick(['MODEL_CALL', 'TOOL_CALL', 'INPUT', 'OUTPUT']),
    sequence: random.integer(1, 5),
    model: random.pick([...MODELS, null]),
  };
  const reply = await tenant.machine.post(`/v1/runs/${runId}/steps`, step);
  expectAnswer(reply, model.createStep(reply.body.id, runId, step));
}

async function updateStep(random: SeededRandom, { tenant, model, reports }: Side): Promise<void> {
  const { runId, stepId, report } = pickReport(random, { model, reports });
  const reply = await tenant.machine.patch(`/v1/runs/${runId}/steps/${stepId}`, report);
  expectAnswer(reply, model.updateStep(runId, stepId, report));
  if (reply.status === 200) reports.push({ runId, stepId, report });
}

/** A report for any step, an exact repetition of an earlier one, or one for a step that does not exist. */
function pickReport(
  random: SeededRandom,
  { model, reports }: Pick<Side, 'model' | 'reports'>,
): Side['reports'][number] {
  if (reports.length > 0 && random.next() < 0.15) return random.pick(reports);
  const open = model.runs.flatMap((run) =>
    run.steps.map((step) => ({ runId: run.id, stepId: step.id, step })),
  );
  const fresh = open.filter(({ step }) => step.report === null);
  const { runId, stepId } =
    open.length === 0 || random.next() < 0.03
      ? { runId: pickRunId(random, model), stepId: UNKNOWN_ID }
      : random.pick(fresh.length > 0 && random.next() < 0.9 ? fresh : open);
  return {
    runId,
    stepId,
    report: {
      status: random.pick(['COMPLETED', 'FAILED']),
      ...(random.next() < 0.5 ? { duration_ms: random.integer(0, 5_000) } : {}),
      ...(random.next() < 0.8 ? { prompt_tokens: random.integer(0, 9) } : {}),
      ...(random.next() < 0.8 ? { completion_tokens: random.integer(0, 1_000_000) } : {}),
    },
  };
}

async function configure(random: SeededRandom, { tenant, model }: Side): Promise<void> {
  const { person } = tenant;
  const roll = random.next();
  if (roll < 0.25) {
    const name = random.pick(MODELS.slice(0, 2));
    const price = { input: random.pick(PRICES), output: random.pick(PRICES), active: random.next() < 0.85 };
    const reply = await person.put(
      `/v1/model-pricing/${random.next() < 0.5 ? name : encodeURIComponent(name)}`,
      {
        input_cost_per_token: Number(price.input),
        output_cost_per_token: Number(price.output),
        is_active: price.active,
      },
    );
    model.prices.set(name, price);
    expect(reply).toMatchObject({ status: 200, body: { model: name, is_active: price.active } });
  } else if (roll < 0.4) {
    const active = random.next() < 0.4;
    expectSettings(
      await person.post('/v1/workspace/kill-switch', { active }),
      model,
      model.setKillSwitch(active),
    );
  } else if (roll < 0.7) {
    const daily = random.pick([undefined, null, ...AMOUNTS]);
    const user = random.pick([undefined, undefined, null, ...AMOUNTS]);
    const concurrent = random.pick([undefined, undefined, 1, 5, 50]);
    const refusal = model.setBudgets({
      ...(daily === undefined ? {} : { daily }),
      ...(user === undefined ? {} : { user }),
      ...(concurrent === undefined ? {} : { concurrent }),
    });
    const reply = await person.patch('/v1/workspace/', {
      ...(daily === undefined ? {} : { daily_budget_usd: daily === null ? null : Number(daily) }),
      ...(user === undefined ? {} : { user_daily_budget_usd: user === null ? null : Number(user) }),
      ...(concurrent === undefined ? {} : { max_concurrent_runs: concurrent }),
    });
    expectSettings(reply, model, refusal);
  } else if (roll < 0.85) {
    const user = random.pick(USERS);
    const block = random.next() < 0.4;
    if (block) model.blocked.add(user);
    else model.blocked.delete(user);
    const reply = await person.post(`/v1/users/${encodeURIComponent(user)}/${block ? 'block' : 'unblock'}`);
    expectAnswer(reply, { status: 200, body: model.user(user) });
  } else {
    const plan = random.pick(PLANS);
    model.setPlan(plan);
    expect(await person.put('/v1/billing/plan', { plan })).toMatchObject({ status: 200, body: { plan } });
  }
}

async function read(random: SeededRandom, { tenant, model }: Side): Promise<void> {
  const client = random.pick([tenant.machine, tenant.person]);
  const roll = random.next();
  if (roll < 0.4 && model.runs.length > 0) {
    const { id } = random.pick(model.runs);
    expectAnswer(await client.get(`/v1/runs/${id}`), { status: 200, body: model.runDetail(id) });
  } else if (roll < 0.7) {
    const status = random.pick([undefined, 'RUNNING', 'COMPLETED', 'FAILED', 'BLOCKED']);
    const user = random.pick([undefined, ...USERS]);
    const page = random.integer(1, 3);
    const query = new URLSearchParams({ page: String(page), per_page: '7' });
    if (status !== undefined) query.set('status', status);
    if (user !== undefined) query.set('user_id', user);
    const filter = { ...(status === undefined ? {} : { status }), ...(user === undefined ? {} : { user }) };
    expectAnswer(await client.get(`/v1/runs/?${query}`), {
      status: 200,
      body: model.runPage(filter, page, 7),
    });
  } else {
    expectAnswer(await client.get('/v1/usage/summary'), { status: 200, body: model.usageSummary() });
  }
}

async function audit({ tenant, model }: Side): Promise<void> {
  for (const { id } of model.runs) {
    expectAnswer(await tenant.person.get(`/v1/runs/${id}`), { status: 200, body: model.runDetail(id) });
  }
  expectAnswer(await tenant.person.get('/v1/usage/summary'), { status: 200, body: model.usageSummary() });
  const { body } = await tenant.person.get('/v1/users/?per_page=100');
  for (const user of body.items) expect(user).toEqual(model.user(user.user_id));
}

function pickRunId(random: SeededRandom, model: NaiveModel): string {
  return model.runs.length === 0 || random.next() < 0.03 ? UNKNOWN_ID : random.pick(model.runs.slice(-12)).id;
}

function expectAnswer(reply: ApiReply, answer: Answer): void {
  expect({ status: reply.status, body: reply.body }).toEqual(answer);
}

function expectSettings(reply: ApiReply, model: NaiveModel, refusal: string | null): void {
  if (refusal !== null) {
    expectAnswer(reply, { status: 403, body: { detail: refusal } });
    return;
  }
  expect(reply).toMatchObject({
    status: 200,
    body: {
      kill_switch: model.killSwitch,
      daily_budget_usd: model.dailyBudget === null ? null : Number(model.dailyBudget),
      user_daily_budget_usd: model.userDailyBudget === null ? null : Number(model.userDailyBudget),
      max_concurrent_runs: model.maxConcurrentRuns,
    },
  });
}
