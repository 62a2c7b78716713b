/** How runs are found, continued and ended, wherever the work is done. */

import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type GuardedRun, RunDenied, UnpricedModelError } from '../src/index.js';
import { guardTool } from '../src/integrations/tools.js';
import { type GuardFixture, MODEL, startGuard } from './support/guard-fixture.js';

const CHAT = { usage: { prompt_tokens: 11, completion_tokens: 7 } };
const MODEL_CALL = { model: MODEL, call: () => CHAT };

let fixture: GuardFixture;
beforeAll(async () => {
  fixture = await startGuard();
});
afterAll(() => fixture.stop());

describe('the current run', () => {
  test('is the one of the guard.run that the call is made in, also with runs at the same time', async () => {
    const { guard } = fixture;
    expect(guard.currentRun()).toBeNull();
    const pause = () => new Promise((resolve) => setImmediate(resolve));
    const users = Array.from({ length: 5 }, (_, index) => `user-${index}`);
    const found = await Promise.all(
      users.map((userId) =>
        guard.run({ userId }, async () => {
          await pause();
          await guardTool(pause, { name: 'wait' })();
          return guard.currentRun()?.userId;
        }),
      ),
    );
    expect(found).toEqual(users);
    expect(guard.currentRun()).toBeNull();
  });

  test('is the inner one of nested runs', async () => {
    const { guard } = fixture;
    await guard.run({ userId: 'outer' }, async (outer) => {
      await guard.run({ userId: 'inner' }, async (inner) => expect(guard.currentRun()).toBe(inner));
      expect(guard.currentRun()).toBe(outer);
    });
  });

  test('is missed with a clear error', async () => {
    const ping = guardTool(() => 'pong', { name: 'ping' });
    expect(() => ping()).toThrow(/no current run.*guard\.run/);
  });
});

describe('a run that is resumed', () => {
  test('goes on with the next sequence, and is ended by whoever finishes it', async () => {
    const userId = 'resumed';
    const first = await fixture.guard.start({ userId });
    await first.modelCall(MODEL_CALL);
    await fixture.guard.flush();
    const worker = fixture.client({});
    const second = await worker.resume(first.id ?? '');
    expect([second.id, second.userId]).toEqual([first.id, userId]);
    await second.modelCall(MODEL_CALL);
    await second.end();
    expect(await fixture.runOf(userId)).toMatchObject({
      status: 'COMPLETED',
      total_tokens: 36,
      steps: [{ sequence: 1 }, { sequence: 2 }],
    });
  });

  test('must not have ended', async () => {
    const run = await fixture.guard.start({ userId: 'over' });
    await run.end();
    await expect(fixture.guard.resume(run.id ?? '')).rejects.toThrow(RunDenied);
  });
});

test('a job that is delivered twice has one run', async () => {
  const start = () => fixture.guard.start({ userId: 'redelivered', idempotencyKey: 'job-4711' });
  const [first, second] = [await start(), await start()];
  expect(second.id).toBe(first.id);
  await second.end();
});

test('waitUntil gets a promise that settles when the run has ended and is reported', async () => {
  const promises: Promise<unknown>[] = [];
  const waitUntil = (promise: Promise<unknown>) => void promises.push(promise);
  let current: GuardedRun | undefined;
  async function* generate() {
    yield CHAT;
  }
  const stream = await fixture.guard.run({ userId: 'serverless', waitUntil }, (run) => {
    current = run;
    return run.modelCall({ model: MODEL, call: generate });
  });
  expect(promises).toHaveLength(1);
  expect(current?.hasEnded).toBe(false);
  for await (const _ of stream);
  await promises[0];
  const { items } = await fixture.guard.runs.list({ userId: 'serverless' });
  expect(items).toMatchObject([{ status: 'COMPLETED', totalTokens: 18 }]);
});

test('a run ends with a stream of Node.js, also if it is piped', async () => {
  const chunks = ['Hello', ', ', 'world'];
  const stream = await fixture.guard.run({ userId: 'piped' }, () => Readable.from(chunks));
  expect(await fixture.runOf('piped')).toMatchObject({ status: 'RUNNING' });
  expect(await text(stream.pipe(new PassThrough()))).toBe(chunks.join(''));
  await expect.poll(async () => (await fixture.runOf('piped')).status).toBe('COMPLETED');
});

test('a result that was read already, or is only a list, is returned, and its run has ended', async () => {
  const response = await fixture.guard.run({ userId: 'read' }, async () => {
    const given = new Response('read before');
    await given.text();
    return given;
  });
  expect(response.bodyUsed).toBe(true);
  const list = { data: [1, 2], async *[Symbol.asyncIterator]() {} };
  expect(await fixture.guard.run({ userId: 'listed' }, () => list)).toBe(list);
  for (const userId of ['read', 'listed']) {
    expect(await fixture.runOf(userId)).toMatchObject({ status: 'COMPLETED' });
  }
});

test('an agent that is a generator has its current run', async () => {
  const generator = await fixture.guard.run({ userId: 'generating' }, async function* () {
    yield await guardTool(() => 'pong', { name: 'ping' })();
  });
  const values: unknown[] = [];
  for await (const value of generator) values.push(value);
  expect(values).toEqual(['pong']);
  await expect.poll(async () => (await fixture.runOf('generating')).status).toBe('COMPLETED');
});

test('a run cannot be ended twice with different statuses', async () => {
  const run = await fixture.guard.start({ userId: 'twice' });
  await run.end('FAILED');
  await run.end('FAILED');
  await expect(run.end('COMPLETED')).rejects.toThrow('ended as FAILED');
  expect(await fixture.runOf('twice')).toMatchObject({ status: 'FAILED' });
});

test('a run whose function ended it itself is not ended again', async () => {
  await fixture.guard.run({ userId: 'own-end' }, (run) => run.end('FAILED'));
  expect(await fixture.runOf('own-end')).toMatchObject({ status: 'FAILED' });
});

describe('a model without a price', () => {
  const request = { texts: ['Hi'], maxTokens: 10 };
  const unpriced = { model: 'unknown-model', request, call: () => CHAT };

  test('is warned of once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await fixture.client({ onUnpriced: 'warn' }).run({ userId: 'unpriced' }, async (run) => {
      await run.modelCall(unpriced);
      await run.modelCall(unpriced);
      await run.modelCall({ ...MODEL_CALL, request });
    });
    expect(warn.mock.calls).toEqual([[expect.stringContaining('unknown-model has no price')]]);
    warn.mockRestore();
  });

  test('is not called with deny, and a priced one is', async () => {
    let isCalled = false;
    const call = () => {
      isCalled = true;
      return CHAT;
    };
    const outcome = fixture.client({ onUnpriced: 'deny' }).run({ userId: 'deny-unpriced' }, async (run) => {
      await run.modelCall(MODEL_CALL);
      await run.modelCall({ ...unpriced, call });
    });
    await expect(outcome).rejects.toThrow(UnpricedModelError);
    expect(isCalled).toBe(false);
    expect(await fixture.stepsOf('deny-unpriced')).toHaveLength(1);
  });
});
