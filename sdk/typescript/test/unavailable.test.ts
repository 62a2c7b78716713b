import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { GuardedRuns, GuardUnavailable, RunDenied, Unauthenticated } from '../src/index.js';
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.js';
import { type GuardFixture, MODEL, startGuard } from './support/guard-fixture.js';

const CHAT = { usage: { prompt_tokens: 11, completion_tokens: 7 } };
const DENIED_WITHIN_MS = 2_000;

describe('with the service stopped', () => {
  let baseUrl: string;
  beforeAll(async () => {
    const fixture = await startGuard();
    baseUrl = fixture.service.url;
    await fixture.stop();
  });

  test('deny is the default, throws quickly, and does not call the agent', async () => {
    const guard = new GuardedRuns({ baseUrl, apiKey: 'lg_12345678_secret' });
    let isCalled = false;
    const startedAt = performance.now();
    const outcome = guard.run({ userId: 'ada' }, () => {
      isCalled = true;
    });
    const error = await outcome.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GuardUnavailable);
    expect(error).toMatchObject({ cause: { name: 'ConnectionFailedError', maybeSent: false } });
    expect(isCalled).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(DENIED_WITHIN_MS);
  });

  test('allow lets the agent continue unrecorded and calls onUnguarded once', async () => {
    const errors: GuardUnavailable[] = [];
    const guard = new GuardedRuns({
      baseUrl,
      apiKey: 'lg_12345678_secret',
      onUnavailable: 'allow',
      onUnguarded: (error) => errors.push(error),
      onReportError: ({ error }) => {
        throw error;
      },
    });
    for (const userId of ['ada', 'bob']) {
      const answer = await guard.run({ userId }, async (run) => {
        expect(run.id).toBeNull();
        await run.toolCall({ name: 'search', call: () => 'found' });
        return run.modelCall({ model: MODEL, call: () => 'answer' });
      });
      expect(answer).toBe('answer');
    }
    expect(errors).toEqual([expect.any(GuardUnavailable)]);
  });

  test('allow without a callback logs one warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const guard = new GuardedRuns({ baseUrl, apiKey: 'lg_12345678_secret', onUnavailable: 'allow' });
    await guard.run({ userId: 'ada' }, () => {});
    await guard.run({ userId: 'ada' }, () => {});
    expect(warn.mock.calls).toEqual([[expect.stringContaining('unguarded')]]);
    warn.mockRestore();
  });
});

describe('with an intermittent service', () => {
  let fixture: GuardFixture;
  let proxy: FaultyProxy;
  beforeAll(async () => {
    fixture = await startGuard();
    proxy = await startFaultyProxy(fixture.service.url);
  });
  afterAll(() => Promise.all([fixture.stop(), proxy.stop()]));

  test('deny stops an active run before the next call', async () => {
    const guard = fixture.client({ baseUrl: proxy.url, maxRetries: 0 });
    let isCalled = false;
    const outcome = guard.run({ userId: 'mid-run' }, (run) => {
      proxy.faults.push({ status: 503 });
      return run.modelCall({
        model: MODEL,
        call: () => {
          isCalled = true;
        },
      });
    });
    await expect(outcome).rejects.toThrow(GuardUnavailable);
    expect(isCalled).toBe(false);
    expect(await fixture.runOf('mid-run')).toMatchObject({ status: 'FAILED', steps: [] });
  });

  test('allow continues without the unguarded steps and calls onUnguarded once per outage', async () => {
    let notifiedCount = 0;
    const guard = fixture.client({
      baseUrl: proxy.url,
      maxRetries: 0,
      onUnavailable: 'allow',
      onUnguarded: () => {
        notifiedCount += 1;
      },
    });
    const clock = new HeldClock();
    await guard.run({ userId: 'going-on' }, async (run) => {
      const call = { model: MODEL, call: () => CHAT };
      proxy.faults.push({ status: 500 }, 'cut');
      await run.modelCall(call);
      clock.advance(1_000);
      await run.modelCall(call);
      expect(notifiedCount).toBe(1);
      clock.advance(2_000);
      await run.modelCall(call);
      proxy.faults.push('cut');
      await run.modelCall(call);
      expect(notifiedCount).toBe(2);
    });
    clock.restore();
    expect(await fixture.runOf('going-on')).toMatchObject({
      status: 'COMPLETED',
      steps: [{ sequence: 3, status: 'COMPLETED' }],
    });
  });

  test('a run is FAILED if its last step could not be asked for, although the error was swallowed', async () => {
    const guard = fixture.client({ baseUrl: proxy.url, maxRetries: 0 });
    await guard.run({ userId: 'swallowed' }, async (run) => {
      proxy.faults.push({ status: 503 });
      await run.modelCall({ model: MODEL, call: () => CHAT }).catch(() => {});
    });
    expect(await fixture.runOf('swallowed')).toMatchObject({ status: 'FAILED' });
  });

  test('allow does not make every step wait for a guard that does not answer', async () => {
    const guard = fixture.client({
      baseUrl: proxy.url,
      timeoutMs: 200,
      onUnavailable: 'allow',
      onUnguarded: () => {},
    });
    const clock = new HeldClock();
    await guard.run({ userId: 'hanging' }, async (run) => {
      const call = { model: MODEL, call: () => CHAT };
      proxy.requests.length = 0;
      proxy.faults.push('silence');
      for (let step = 0; step < 5; step += 1) await run.modelCall(call);
      expect(proxy.requests).toHaveLength(1);
      // One request at a time finds out whether the guard is back.
      clock.advance(1_000);
      proxy.faults.push('silence');
      await Promise.all(Array.from({ length: 5 }, () => run.modelCall(call)));
      expect(proxy.requests).toHaveLength(2);
      clock.advance(2_000);
      await run.modelCall(call);
      expect(proxy.requests).toHaveLength(3);
    });
    clock.restore();
    expect((await fixture.runOf('hanging')).steps).toHaveLength(1);
  });

  test('allow neither overrides a denial nor hides an invalid key', async () => {
    const guard = fixture.client({ onUnavailable: 'allow' });
    await guard.users.block('mallory');
    await expect(guard.start({ userId: 'mallory' })).rejects.toThrow(RunDenied);
    const stranger = fixture.client({ onUnavailable: 'allow', apiKey: 'lg_12345678_nonsense' });
    await expect(stranger.start({ userId: 'ada' })).rejects.toThrow(Unauthenticated);
  });
});

/** The time that the client sees, moved by the test. */
class HeldClock {
  readonly #now = vi.spyOn(performance, 'now');
  #nowMs = 1_000_000;

  constructor() {
    this.#now.mockImplementation(() => this.#nowMs);
  }

  advance(milliseconds: number): void {
    this.#nowMs += milliseconds;
  }

  restore(): void {
    this.#now.mockRestore();
  }
}
