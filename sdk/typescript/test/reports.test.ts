/** Reports travel with the next request of their run, or soon on their own. They are never lost and never in the way. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SeededRandom } from '../../../server/src/cli/seeded-random.js';
import {
  type GuardedRun,
  type GuardedRuns,
  type GuardedRunsOptions,
  GuardUnavailable,
  type ReportError,
} from '../src/index.js';
import { PATIENCE_MS } from '../src/internal/backoff.js';
import { ReportQueue } from '../src/internal/report-queue.js';
import { UnsentReports } from '../src/internal/unsent-reports.js';
import { type FaultyProxy, type ProxiedRequest, startFaultyProxy } from './support/faulty-proxy.js';
import { type GuardFixture, MODEL, startGuard } from './support/guard-fixture.js';

const CHAT = { usage: { prompt_tokens: 11, completion_tokens: 7 } };
const MODEL_CALL = { model: MODEL, call: () => CHAT };

let fixture: GuardFixture;
let proxy: FaultyProxy;
let errors: unknown[];
beforeAll(async () => {
  fixture = await startGuard();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  errors = [];
  proxy = await startFaultyProxy(fixture.service.url);
});
afterEach(() => proxy.stop());

function newClient(options: GuardedRunsOptions = {}): GuardedRuns {
  return fixture.client({ baseUrl: proxy.url, onReportError: (lost) => errors.push(lost.error), ...options });
}

/** For example `POST /steps +1`: the last part is the number of reports. */
function sent(requests: readonly ProxiedRequest[] = proxy.requests): string[] {
  return requests.map(({ method, path, body }) => {
    const count = reportsIn(body)?.length;
    const name = path.replace(/[0-9a-f]{8}-[-0-9a-f]{27}/g, '*').replace('/v1/runs/', '');
    return `${method} /${name}${count === undefined ? '' : ` +${count}`}`;
  });
}

function reportsIn(body: unknown): readonly { step_id: string }[] | undefined {
  return (body as { reports?: { step_id: string }[] } | null)?.reports;
}

/** Another client reports the step first, so that the service refuses the report of this one. */
async function reportOtherwise(run: GuardedRun, stepId: string | null): Promise<void> {
  await fixture.guard.runs.updateStep({ runId: run.id ?? '', stepId: stepId ?? '' }, { status: 'FAILED' });
}

describe('a report', () => {
  test('is sent with the next step: ten steps are 12 requests', async () => {
    await newClient().run({ userId: 'ten-steps' }, async (run) => {
      for (let step = 0; step < 10; step += 1) await run.modelCall(MODEL_CALL);
    });
    expect(sent()).toEqual([
      'POST /',
      'POST /*/steps',
      ...Array.from({ length: 9 }, () => 'POST /*/steps +1'),
      'POST /*/end +1',
    ]);
    expect(await fixture.runOf('ten-steps')).toMatchObject({ status: 'COMPLETED', total_tokens: 180 });
  });

  test('is sent on its own if there is no next step', async () => {
    const guard = newClient();
    const run = await guard.start({ userId: 'on-its-own' });
    await run.modelCall(MODEL_CALL);
    expect(sent()).toEqual(['POST /', 'POST /*/steps']);
    await expect.poll(() => fixture.stepsOf('on-its-own')).toMatchObject([{ prompt_tokens: 11 }]);
    expect(sent()).toEqual(['POST /', 'POST /*/steps', 'PATCH /*/steps/*']);
    await run.end();
    expect(sent().at(-1)).toBe('POST /*/end');
  });

  test('does not keep the result of the call waiting', async () => {
    const guard = newClient({ timeoutMs: 200, maxRetries: 0 });
    const run = await guard.start({ userId: 'not-waiting' });
    const step = await run.openStep({ type: 'REASONING' });
    proxy.faults.push('silence');
    await step.complete();
    expect(sent()).toEqual(['POST /', 'POST /*/steps']);
    await guard.flush();
    expect(sent().slice(2)).toEqual(['PATCH /*/steps/*', 'PATCH /*/steps/*']);
    await run.end();
    expect(sent().at(-1)).toBe('POST /*/end');
    expect(errors).toEqual([]);
  });

  test('that is still in flight on its own is sent with the next step as well, so that its decision sees it', async () => {
    const guard = newClient({ timeoutMs: 2_000 });
    const { guard: operator } = fixture;
    await operator.workspace.update({ userDailyBudgetUsd: 0.000_05 });
    const run = await guard.start({ userId: 'overtaking' });
    await run.modelCall(MODEL_CALL);
    proxy.faults.push('silence');
    const flushed = guard.flush();
    await expect.poll(() => sent().at(-1)).toBe('PATCH /*/steps/*');
    const outcome = run.modelCall(MODEL_CALL);
    await expect(outcome).rejects.toMatchObject({ reason: 'USER_DAILY_BUDGET_EXCEEDED' });
    expect(sent().at(-1)).toBe('POST /*/steps +1');
    await operator.workspace.update({ userDailyBudgetUsd: null });
    await run.end('FAILED');
    await flushed;
    expect(await fixture.runOf('overtaking')).toMatchObject({ total_tokens: 18 });
    expect(errors).toEqual([]);
  });

  test('of a stream that is read after the end is sent at once', async () => {
    async function* generate() {
      yield CHAT;
    }
    const guard = newClient();
    const run = await guard.start({ userId: 'late' });
    const stream = await run.modelCall({ model: MODEL, call: generate });
    await run.end();
    for await (const _ of stream);
    await guard.flush();
    expect(sent().slice(2)).toEqual(['POST /*/end', 'PATCH /*/steps/*']);
    expect(await fixture.runOf('late')).toMatchObject({ status: 'COMPLETED', total_tokens: 18 });
  });

  test('of parallel steps is sent with at most 99 others, the oldest first, and none is lost', async () => {
    const ids: (string | null)[] = [];
    await newClient().run({ userId: 'parallel' }, async (run) => {
      const steps = [];
      for (let step = 0; step < 130; step += 1) steps.push(await run.openStep({ type: 'REASONING' }));
      proxy.requests.length = 0;
      for (const step of steps) await step.complete({ promptTokens: 1 });
      ids.push(...steps.map(({ id }) => id));
    });
    expect(sent()).toEqual(['POST /*/end +100', ...Array.from({ length: 30 }, () => 'PATCH /*/steps/*')]);
    expect(reportsIn(proxy.requests[0]?.body)?.map(({ step_id }) => step_id)).toEqual(ids.slice(0, 100));
    expect(await fixture.runOf('parallel')).toMatchObject({ status: 'COMPLETED', total_tokens: 130 });
  });
});

describe('a report that the service refuses', () => {
  test('does not block the next step: it is dropped, and the others are sent', async () => {
    await newClient().run({ userId: 'refused' }, async (run) => {
      const steps = [];
      for (let step = 0; step < 3; step += 1)
        steps.push(await run.openStep({ type: 'MODEL_CALL', model: MODEL }));
      await reportOtherwise(run, steps[1]?.id ?? null);
      proxy.requests.length = 0;
      for (const step of steps) await step.complete({ promptTokens: 1 });
      expect(await run.toolCall({ name: 'next', call: () => 'called' })).toBe('called');
    });
    expect(sent()).toEqual(['POST /*/steps +3', 'POST /*/steps +2', 'POST /*/end +1']);
    expect(errors).toMatchObject([
      { name: 'BadRequestError', detail: expect.stringMatching(/^body\/reports\/1: /) },
    ]);
    const [first, second] = proxy.requests;
    expect(first?.idempotencyKey).not.toBe(second?.idempotencyKey);
    expect((await fixture.stepsOf('refused')).map(({ status }) => status)).toEqual([
      'COMPLETED',
      'FAILED',
      'COMPLETED',
      'COMPLETED',
    ]);
  });

  test('does not block the end', async () => {
    await newClient().run({ userId: 'refused-end' }, async (run) => {
      const step = await run.openStep({ type: 'REASONING' });
      await reportOtherwise(run, step.id);
      await step.complete();
    });
    expect(sent().slice(2)).toEqual(['POST /*/end +1', 'POST /*/end']);
    expect(errors).toHaveLength(1);
    expect(await fixture.runOf('refused-end')).toMatchObject({ status: 'COMPLETED' });
  });

  test('and many others do not make a step wait for all of them', async () => {
    await newClient().run({ userId: 'refused-often' }, async (run) => {
      const steps = await Promise.all(Array.from({ length: 6 }, () => run.openStep({ type: 'REASONING' })));
      for (const { id } of steps) await reportOtherwise(run, id);
      proxy.requests.length = 0;
      for (const step of steps) await step.complete();
      await run.toolCall({ name: 'next', call: () => null });
    });
    expect(sent().slice(0, 4)).toEqual([
      'POST /*/steps +6',
      'POST /*/steps +5',
      'POST /*/steps +4',
      'POST /*/steps',
    ]);
    expect(errors).toHaveLength(6);
    expect(await fixture.runOf('refused-often')).toMatchObject({ status: 'COMPLETED' });
  });

  test('does not fail the step if the callback throws', async () => {
    const uncaught: unknown[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.once('uncaughtException', (error) => uncaught.push(error));
    try {
      const failure = new Error('of the callback');
      const guard = newClient({
        onReportError: () => {
          throw failure;
        },
      });
      await guard.run({ userId: 'throwing' }, async (run) => {
        const step = await run.openStep({ type: 'REASONING' });
        await reportOtherwise(run, step.id);
        await step.complete();
        expect(await run.toolCall({ name: 'next', call: () => 'called' })).toBe('called');
      });
      expect(uncaught).toEqual([failure]);
    } finally {
      for (const listener of listeners) process.on('uncaughtException', listener);
    }
  });
});

test('a step whose body is too large only with its reports is sent without them', async () => {
  await newClient().run({ userId: 'large' }, async (run) => {
    await run.modelCall(MODEL_CALL);
    proxy.faults.push({ status: 413 });
    await run.modelCall(MODEL_CALL);
  });
  expect(sent()).toEqual(['POST /', 'POST /*/steps', 'POST /*/steps +1', 'POST /*/steps', 'POST /*/end +2']);
  expect(await fixture.runOf('large')).toMatchObject({ total_tokens: 36 });
});

test('an end that is refused does not take its reports with it', async () => {
  const guard = newClient();
  const run = await guard.start({ userId: 'refused-end-status' });
  await run.modelCall(MODEL_CALL);
  await fixture.guard.runs.stop(run.id ?? '');
  await expect(run.end('COMPLETED')).rejects.toMatchObject({ status: 400 });
  expect(sent().slice(2)).toEqual(['POST /*/end +1', 'PATCH /*/steps/*']);
  expect(await fixture.runOf('refused-end-status')).toMatchObject({
    end_reason: 'STOPPED',
    total_tokens: 18,
  });
  expect(errors).toEqual([]);
});

test('a service that does not know reports with requests gets them on their own', async () => {
  const fetchAsBefore: typeof fetch = (url, init) => {
    const { reports, ...body } = JSON.parse(String(init?.body ?? '{}'));
    return fetch(url, { ...init, ...(reports === undefined ? {} : { body: JSON.stringify(body) }) });
  };
  await newClient({ fetch: fetchAsBefore }).run({ userId: 'older' }, (run) => run.modelCall(MODEL_CALL));
  expect(sent()).toEqual(['POST /', 'POST /*/steps', 'POST /*/end', 'PATCH /*/steps/*']);
  expect(await fixture.runOf('older')).toMatchObject({ total_tokens: 18 });
});

describe('while the service is unavailable', () => {
  test('a client keeps 10,000 reports and drops the ones after them', async () => {
    const queue = new ReportQueue({
      runId: 'run',
      unsent: new UnsentReports(),
      send: () => new Promise(() => {}),
      onReportError: ({ error }) => errors.push(error),
    });
    for (let step = 0; step < 10_002; step += 1) queue.add({ stepId: `${step}`, status: 'COMPLETED' });
    await Promise.resolve();
    const dropped = { name: 'GuardedRunsError', message: expect.stringContaining('dropped') };
    expect(errors).toMatchObject([dropped, dropped]);
    await queue.carry(async ({ reports }) => {
      expect(reports?.map(({ stepId }) => Number(stepId))).toEqual(
        Array.from({ length: 100 }, (_, at) => at),
      );
      return { reported: [] };
    });
    queue.add({ stepId: 'next', status: 'COMPLETED' });
    await Promise.resolve();
    expect(errors).toHaveLength(2);
  });

  test('a report is kept, and sent with the next step', async () => {
    await newClient({ maxRetries: 0 }).run({ userId: 'kept' }, async (run) => {
      await run.modelCall(MODEL_CALL);
      proxy.faults.push('cut');
      await expect(run.modelCall(MODEL_CALL)).rejects.toThrow(GuardUnavailable);
      await run.modelCall(MODEL_CALL);
    });
    expect(sent().slice(2)).toEqual(['POST /*/steps +1', 'POST /*/steps +1', 'POST /*/end +1']);
    expect(await fixture.runOf('kept')).toMatchObject({ status: 'COMPLETED', total_tokens: 36 });
    expect(errors).toEqual([]);
  });

  test('a step with a report is retried with the same body and key', async () => {
    await newClient().run({ userId: 'retried' }, async (run) => {
      await run.modelCall(MODEL_CALL);
      proxy.faults.push('lose-reply');
      await run.modelCall(MODEL_CALL);
    });
    const [first, second] = proxy.requests.slice(2);
    expect(first).toEqual(second);
    expect(await fixture.runOf('retried')).toMatchObject({ total_tokens: 36 });
  });

  test('a report that the service received without a response is sent again, and counted once', async () => {
    await newClient({ maxRetries: 0 }).run({ userId: 'received' }, async (run) => {
      await run.modelCall(MODEL_CALL);
      proxy.faults.push('lose-reply');
      await expect(run.modelCall(MODEL_CALL)).rejects.toThrow(GuardUnavailable);
    });
    expect(sent().slice(2)).toEqual(['POST /*/steps +1', 'POST /*/end +1']);
    expect(await fixture.runOf('received')).toMatchObject({ total_tokens: 18 });
  });

  test('the reports and the end of a run are sent when the service is back, and the result does not wait for it', async () => {
    const guard = newClient({ maxRetries: 0 });
    const answer = await guard.run({ userId: 'outage' }, async (run) => {
      await run.modelCall(MODEL_CALL);
      proxy.requests.length = 0;
      proxy.faults.push('cut', { status: 502 }, { status: 504 });
      return 'answer';
    });
    expect(answer).toBe('answer');
    expect(sent()).toEqual(['POST /*/end +1']);
    await guard.flush();
    expect(sent()).toEqual(Array.from({ length: 4 }, () => 'POST /*/end +1'));
    expect(await fixture.runOf('outage')).toMatchObject({ status: 'COMPLETED', total_tokens: 18 });
    expect(errors).toEqual([]);
  });

  test('reports that do not fit into the end are sent before it, and the end is sent once', async () => {
    const guard = newClient({ recordPayloads: true });
    const payload = { text: 'x'.repeat(250 * 1_024) };
    await guard.run({ userId: 'heavy' }, async (run) => {
      await Promise.all(Array.from({ length: 5 }, () => run.toolCall({ name: 'read', call: () => payload })));
    });
    expect(sent().filter((request) => request.startsWith('POST /*/end'))).toHaveLength(1);
    const { status, steps } = await fixture.runOf('heavy');
    expect([status, steps.filter(({ output_data }) => output_data !== null)]).toEqual([
      'COMPLETED',
      expect.objectContaining({ length: 5 }),
    ]);
  });

  test('the result of a run waits for a service that does not answer for a second, and not for its timeouts', async () => {
    const guard = newClient({ timeoutMs: 60_000, maxRetries: 0 });
    const answer = await guard.run({ userId: 'hanging' }, async (run) => {
      await run.modelCall(MODEL_CALL);
      proxy.faults.push('silence');
      return 'answer';
    });
    expect(answer).toBe('answer');
    expect(sent().at(-1)).toBe('POST /*/end +1');
  });

  test('the reports of an ended run are given up after a minute, each with its run, its step and its usage', async () => {
    const lost: ReportError[] = [];
    const guard = newClient({ maxRetries: 0, onReportError: (error) => lost.push(error) });
    const ids: (string | null)[] = [];
    let settled: Promise<unknown> | undefined;
    const waitUntil = (promise: Promise<unknown>) => {
      settled = promise;
    };
    await guard.run({ userId: 'given-up', waitUntil }, async (run) => {
      const open = () => run.openStep({ type: 'MODEL_CALL', model: MODEL });
      for (const [index, step] of [await open(), await open()].entries()) {
        await step.complete({ promptTokens: index + 1, completionTokens: 7 });
        ids.push(run.id, step.id);
      }
      proxy.faults.push(...Array.from({ length: 20 }, () => 'cut' as const));
    });
    expect(lost).toEqual([]);
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + PATIENCE_MS);
    await guard.flush();
    now.mockRestore();
    const [runId = null, first = null, , second = null] = ids;
    const error = { name: 'ConnectionFailedError' };
    expect(lost).toMatchObject([
      { runId, stepId: first, usage: { promptTokens: 1, completionTokens: 7 }, error },
      { runId, stepId: second, usage: { promptTokens: 2, completionTokens: 7 }, error },
      { runId, stepId: null, usage: null, error },
    ]);
    proxy.faults.length = 0;
    await settled;
  });

  test('every report is counted once, whatever fails in between', async () => {
    const seed = Number(process.env['TEST_SEED'] ?? 20261116);
    const random = new SeededRandom(seed);
    const faults = ['lose-reply', 'cut', { status: 503 }] as const;
    const anyFault = () => (random.chance(0.3) ? random.pick(faults) : null);
    const guard = newClient({ maxRetries: 0, onUnavailable: 'allow', onUnguarded: () => {} });
    const run = await guard.start({ userId: 'chaos' });
    proxy.faults.push(...Array.from({ length: 1_000 }, anyFault));
    let tokens = 0;
    const chain = async () => {
      for (let count = 0; count < 15; count += 1) {
        const step = await run.openStep({ type: 'REASONING' });
        await step.complete({ promptTokens: 1 });
        if (step.id !== null) tokens += 1;
        if (random.chance(0.2)) await guard.flush();
      }
    };
    await Promise.all([chain(), chain(), chain(), chain()]);
    proxy.faults.length = 0;
    await run.end();
    expect(await fixture.runOf('chaos'), `seed ${seed}`).toMatchObject({ total_tokens: tokens });
    expect(errors, `seed ${seed}`).toEqual([]);
  });
});
