import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ConnectionFailed,
  Forbidden,
  type GuardedRuns,
  GuardUnavailable,
  NotFound,
  RequestTimedOut,
  ServerError,
  ServiceUnavailable,
  TooManyRequests,
  Unauthenticated,
  Unprocessable,
} from '../src/index.js';
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.js';
import { type GuardFixture, MODEL, startGuard } from './support/guard-fixture.js';

const CHAT = { usage: { prompt_tokens: 11, completion_tokens: 7 } };

let fixture: GuardFixture;
let proxy: FaultyProxy;
let guard: GuardedRuns;
beforeAll(async () => {
  fixture = await startGuard();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  proxy = await startFaultyProxy(fixture.service.url);
  guard = fixture.client({ baseUrl: `${proxy.url}/` });
});
afterEach(() => proxy.stop());

describe('retries', () => {
  test('an update whose response is lost is retried with the same key and counted once', async () => {
    const run = await guard.start({ userId: 'lost-update' });
    const before = await guard.usage.summary();
    const call = () => {
      proxy.faults.push('lose-reply');
      return CHAT;
    };
    await run.modelCall({ model: MODEL, call });
    await guard.flush();
    await run.end();
    const updates = proxy.requests.filter(({ method }) => method === 'PATCH');
    expect(updates).toHaveLength(2);
    expect(updates[0]?.idempotencyKey).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(updates[0]?.idempotencyKey).toBe(updates[1]?.idempotencyKey);
    const after = await guard.usage.summary();
    expect(after.today.totalTokens - before.today.totalTokens).toBe(18);
  });

  test('an end whose response is lost is retried', async () => {
    const run = await guard.start({ userId: 'lost-end' });
    proxy.faults.push('lose-reply');
    await run.end();
    expect(await fixture.runOf('lost-end')).toMatchObject({ status: 'COMPLETED' });
  });

  test('a read is retried after a closed connection', async () => {
    proxy.faults.push('cut', 'cut');
    expect(await guard.workspace.get()).toMatchObject({ killSwitch: false });
    expect(proxy.requests).toHaveLength(3);
  });

  test.each([{ status: 429 }, { status: 503 }, { status: 500 }, { status: 502 }, { status: 504 }])(
    'a start whose response is $status is retried',
    async (fault) => {
      proxy.faults.push(fault);
      const userId = `status ${fault.status}`;
      const run = await guard.start({ userId });
      const { items } = await guard.runs.list({ userId });
      expect(items).toMatchObject([{ id: run.id }]);
      expect(new Set(proxy.requests.slice(0, 2).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    },
  );

  test('a start and a step whose responses are lost are retried and created once', async () => {
    const userId = 'lost-start';
    proxy.faults.push('lose-reply');
    const run = await guard.start({ userId });
    proxy.faults.push('lose-reply');
    await run.modelCall({ model: MODEL, call: () => CHAT });
    await run.end();
    const { items } = await guard.runs.list({ userId });
    expect(items).toMatchObject([{ id: run.id, status: 'COMPLETED', stepCount: 1, totalTokens: 18 }]);
  });

  test('a key whose response is lost is created once', async () => {
    proxy.faults.push('lose-reply');
    const { id } = await guard.keys.create({ label: 'lost' });
    const labelled = (await guard.keys.list()).filter(({ label }) => label === 'lost');
    expect(labelled).toMatchObject([{ id }]);
  });

  test('a regeneration whose response is lost is not retried, because it is not idempotent', async () => {
    const { apiKey } = await fixture.service.register();
    const client = fixture.client({ baseUrl: proxy.url, apiKey });
    proxy.faults.push('lose-reply');
    await expect(client.keys.regenerate()).rejects.toThrow(ConnectionFailed);
    expect(proxy.requests).toHaveLength(1);
  });

  test('a report that times out is retried', async () => {
    // Long enough for a busy machine to answer everything else.
    const client = fixture.client({ baseUrl: proxy.url, timeoutMs: 1_000 });
    const run = await client.start({ userId: 'slow-report' });
    proxy.faults.push('silence');
    await run.end();
    await client.flush();
    expect(await fixture.runOf('slow-report')).toMatchObject({ status: 'COMPLETED' });
  });

  test('wait at least as long as Retry-After requests', async () => {
    proxy.faults.push({ status: 503, retryAfter: '1' });
    const startedAt = performance.now();
    await guard.workspace.get();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);
  });

  test('do not wait for a Retry-After of minutes', async () => {
    proxy.faults.push({ status: 503, retryAfter: '120' });
    await expect(guard.workspace.get()).rejects.toMatchObject({ retryAfterMs: 120_000 });
    expect(proxy.requests).toHaveLength(1);
  });

  test('stop after maxRetries', async () => {
    proxy.faults.push({ status: 503 }, { status: 503 }, { status: 503 }, { status: 503 });
    await expect(guard.workspace.get()).rejects.toThrow(ServiceUnavailable);
    expect(proxy.requests).toHaveLength(3);
  });

  test('every write has its own idempotency key', async () => {
    await guard.run({ userId: 'keys' }, (run) => run.modelCall({ model: MODEL, call: () => CHAT }));
    const keys = proxy.requests.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(3);
  });
});

test('connections are reused, even after an error', async () => {
  for (let round = 0; round < 5; round += 1) {
    await guard.workspace.get();
    await guard.runs.get('nonsense').catch(() => {});
  }
  // Ten requests. A second connection is opened if the first is not yet free.
  expect(proxy.connectionCount()).toBeLessThanOrEqual(2);
});

describe('errors', () => {
  test('a timeout throws RequestTimedOut', async () => {
    proxy.faults.push('silence');
    const client = fixture.client({ baseUrl: proxy.url, timeoutMs: 50 });
    await expect(client.runs.start({ userId: 'slow' })).rejects.toThrow(RequestTimedOut);
    expect(proxy.requests).toHaveLength(1);
  });

  test('an abort throws its reason immediately', async () => {
    proxy.faults.push('silence');
    const controller = new AbortController();
    const outcome = guard.workspace.get({ signal: controller.signal });
    const reason = new Error('changed my mind');
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
  });

  test('an abort during a retry delay throws its reason', async () => {
    proxy.faults.push({ status: 503, retryAfter: '9' });
    const outcome = guard.workspace.get({ signal: AbortSignal.timeout(50) });
    await expect(outcome).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('an abort of a start throws even if onUnavailable is allow', async () => {
    const client = fixture.client({ baseUrl: proxy.url, onUnavailable: 'allow' });
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(client.start({ userId: 'aborted', signal })).rejects.toThrow('too late');
  });

  test.each([
    ['an empty body', ''],
    ['a page of a proxy', '<html>Please sign in</html>'],
    ['JSON of something else', '{"ok":true}'],
    ['a decision that is none', '{"id":"x","decision":{"outcome":"MAYBE"}}'],
  ])('a 200 with %s is not a permission: the guard is unavailable', async (_, text) => {
    proxy.nextFault = () => ({ status: 200, text });
    const error = await guard.start({ userId: 'foreign' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GuardUnavailable);
    expect(error).toMatchObject({ cause: { name: 'InvalidResponseError' } });
    const open = fixture.client({ baseUrl: proxy.url, onUnavailable: 'allow', onUnguarded: () => {} });
    expect((await open.start({ userId: 'foreign' })).id).toBeNull();
  });

  test('an error response throws its class, with status, detail and request id', async () => {
    const stranger = fixture.client({ apiKey: 'lg_12345678_nonsense' });
    await expect(stranger.workspace.get()).rejects.toThrow(Unauthenticated);
    await expect(guard.runs.get('nonsense')).rejects.toThrow(NotFound);
    const error = await fixture.guard.runs.start({ userId: '' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Unprocessable);
    expect(error).toMatchObject({
      name: 'UnprocessableError',
      status: 422,
      detail: expect.stringContaining('body/user_id'),
      requestId: expect.stringMatching(/.+/),
    });
    const { apiKey } = await fixture.service.register();
    const basic = fixture.client({ apiKey });
    await expect(basic.workspace.setKillSwitch(true)).rejects.toThrow(Forbidden);
  });

  test.each([
    { fault: { status: 429, retryAfter: '60' }, kind: TooManyRequests },
    { fault: { status: 500 }, kind: ServerError },
    { fault: { status: 502, text: '<html>Bad gateway</html>' }, kind: ServerError },
  ])('a response $fault.status of a proxy throws its class', async ({ fault, kind }) => {
    proxy.faults.push(fault, fault, fault);
    const error = await guard.workspace.get().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status: fault.status, requestId: 'made-up-id' });
  });
});
