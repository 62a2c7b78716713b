/** A run lives as long as its agent: heartbeats renew its lease, and bring a denial to an agent in a long call. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  type GuardedRun,
  type GuardedRuns,
  RunDenied,
  StepDenied,
} from '../src/index.js';
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.js';
import { type GuardFixture, startGuard } from './support/guard-fixture.js';
import { type HeldTimers, holdTimers } from './support/held-timers.js';

const LEASE_MS = 60_000;
const INTERVAL_MS = LEASE_MS / 3;
const TOOL_CALL = { name: 'noop', call: () => null };

let fixture: GuardFixture;
let proxy: FaultyProxy;
let guard: GuardedRuns;
let timers: HeldTimers;
beforeAll(async () => {
  fixture = await startGuard();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  proxy = await startFaultyProxy(fixture.service.url);
  guard = fixture.client({ baseUrl: proxy.url });
  timers = holdTimers(INTERVAL_MS);
});
afterEach(async () => {
  timers.restore();
  await proxy.stop();
});

/** Moves the clock of the service and the heartbeats of the client. */
function advance(milliseconds: number): void {
  fixture.service.clock.advance(milliseconds);
  timers.advance(milliseconds);
}

const heartbeatCount = () => proxy.requests.filter(({ path }) => path.endsWith('/heartbeat')).length;

async function expectHeartbeats(count: number): Promise<void> {
  await expect.poll(heartbeatCount).toBe(count);
}

/** What a model call does with the signal. It never returns. */
function longCall(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

async function leaseOf(userId: string) {
  const { started_at, lease_expires_at } = await fixture.runOf(userId);
  return Date.parse(lease_expires_at ?? '') - Date.parse(started_at);
}

describe('the lease of a run', () => {
  test('is 60 seconds unless the client or the run says otherwise', async () => {
    await guard.start({ userId: 'default' });
    expect(await leaseOf('default')).toBe(60_000);
    const other = fixture.client({ leaseSeconds: 30 });
    await other.start({ userId: 'of the client' });
    expect(await leaseOf('of the client')).toBe(30_000);
    await other.start({ userId: 'of the run', leaseSeconds: 90 });
    expect(await leaseOf('of the run')).toBe(90_000);
    await other.start({ userId: 'of the workspace', leaseSeconds: null });
    expect(await leaseOf('of the workspace')).toBe(86_400_000);
  });

  test.each([0, 9, 10.5, Number.NaN, -1])('cannot be %d seconds', async (leaseSeconds) => {
    expect(() => fixture.client({ leaseSeconds })).toThrow(ConfigurationError);
    await expect(guard.start({ userId: 'invalid', leaseSeconds })).rejects.toThrow(ConfigurationError);
  });
});

describe('heartbeats', () => {
  test('keep a run alive beyond its lease', async () => {
    await guard.run({ userId: 'alive' }, async () => {
      for (let count = 1; count <= 9; count += 1) {
        advance(INTERVAL_MS);
        await expectHeartbeats(count);
        await expect
          .poll(async () => (await fixture.runOf('alive')).lease_expires_at)
          .toBe(new Date(fixture.service.clock.now() + LEASE_MS).toISOString());
      }
    });
    expect(await fixture.runOf('alive')).toMatchObject({
      status: 'COMPLETED',
      end_reason: null,
      duration_ms: 3 * LEASE_MS,
    });
  });

  test('are not sent by a run with frequent steps', async () => {
    await guard.run({ userId: 'frequent' }, async (run) => {
      for (let count = 0; count < 10; count += 1) {
        advance(INTERVAL_MS - 1);
        await run.toolCall(TOOL_CALL);
      }
    });
    expect(heartbeatCount()).toBe(0);
    expect(await fixture.runOf('frequent')).toMatchObject({ status: 'COMPLETED' });
  });

  test('end with the run', async () => {
    await guard.run({ userId: 'ending' }, () => {});
    advance(10 * LEASE_MS);
    await guard.workspace.get();
    expect(heartbeatCount()).toBe(0);
  });

  test('are not sent if the lease is that of the workspace', async () => {
    const run = await guard.start({ userId: 'workspace-lease', leaseSeconds: null });
    advance(10 * LEASE_MS);
    await run.end();
    expect(heartbeatCount()).toBe(0);
  });

  test('that fail are followed by the next, and the run goes on', async () => {
    const answers: unknown[] = [];
    const client = fixture.client({
      baseUrl: proxy.url,
      maxRetries: 0,
      fetch: async (...given) => {
        const answer = fetch(...given);
        answers.push((await Promise.allSettled([answer]))[0]?.status);
        return answer;
      },
    });
    await client.run({ userId: 'failing' }, async (run) => {
      for (let count = 1; count <= 4; count += 1) {
        if (count === 1) proxy.faults.push('cut');
        if (count === 3) proxy.faults.push({ status: 500 });
        advance(INTERVAL_MS - 1);
        await expectHeartbeats(count - 1);
        advance(1);
        await expectHeartbeats(count);
        await expect.poll(() => answers).toHaveLength(1 + count);
      }
      await run.toolCall(TOOL_CALL);
      expect(run.signal.aborted).toBe(false);
    });
    expect(answers).toEqual(['fulfilled', 'rejected', ...Array(5).fill('fulfilled')]);
    expect(await fixture.runOf('failing')).toMatchObject({ status: 'COMPLETED', end_reason: null });
  });

  test('are sent one at a time', async () => {
    const client = fixture.client({ baseUrl: proxy.url, maxRetries: 0 });
    const run = await client.start({ userId: 'one-at-a-time' });
    proxy.faults.push('silence');
    advance(INTERVAL_MS);
    await expectHeartbeats(1);
    advance(INTERVAL_MS);
    advance(INTERVAL_MS - 1);
    await client.workspace.get();
    expect(heartbeatCount()).toBe(1);
    await run.end();
  });

  test('end when the service does not know the run', async () => {
    await guard.start({ userId: 'unknown' });
    proxy.faults.push({ status: 404 });
    advance(INTERVAL_MS);
    await expectHeartbeats(1);
    // The client has received the response to the heartbeat when it has received this one.
    await guard.workspace.get();
    advance(INTERVAL_MS);
    await guard.workspace.get();
    expect(heartbeatCount()).toBe(1);
  });
});

describe('run.signal', () => {
  async function runLongCall(userId: string, during: (run: GuardedRun) => Promise<unknown>) {
    const outcome = guard.run({ userId }, async (run) => {
      const step = run.modelCall({ model: 'test-model', call: () => longCall(run.signal) });
      await expect.poll(() => fixture.stepsOf(userId)).toHaveLength(1);
      await during(run);
      advance(INTERVAL_MS);
      return step;
    });
    return outcome.catch((error: unknown) => error);
  }

  test('is aborted in the middle of a call when an operator stops the run', async () => {
    const error = await runLongCall('stopped', ({ id }) => fixture.tenant.person.post(`/v1/runs/${id}/stop`));
    expect(error).toBeInstanceOf(RunDenied);
    const run = await fixture.runOf('stopped');
    expect(error).toMatchObject({ reason: 'RUN_ALREADY_ENDED', runId: run.id });
    expect(run).toMatchObject({
      status: 'FAILED',
      end_reason: 'STOPPED',
      steps: [{ type: 'MODEL_CALL', status: 'FAILED' }],
    });
    advance(INTERVAL_MS);
    await guard.workspace.get();
    expect(heartbeatCount()).toBe(1);
  });

  test('is aborted in the middle of a call when the kill switch is turned on', async () => {
    const error = await runLongCall('killed', () => fixture.guard.workspace.setKillSwitch(true));
    await fixture.guard.workspace.setKillSwitch(false);
    expect(error).toBeInstanceOf(RunDenied);
    expect(error).toMatchObject({ reason: 'KILL_SWITCH_ACTIVE' });
    expect(await fixture.runOf('killed')).toMatchObject({ status: 'FAILED', end_reason: null });
  });

  test('stays aborted, but the next step asks again', async () => {
    await guard.run({ userId: 'lifted' }, async (run) => {
      await fixture.guard.workspace.setKillSwitch(true);
      advance(INTERVAL_MS);
      await expect.poll(() => run.signal.aborted).toBe(true);
      await expect(run.toolCall(TOOL_CALL)).rejects.toThrow(StepDenied);
      await fixture.guard.workspace.setKillSwitch(false);
      expect(await run.toolCall({ name: 'answer', call: () => 'called' })).toBe('called');
      expect(run.signal.reason).toMatchObject({ name: 'RunDeniedError', reason: 'KILL_SWITCH_ACTIVE' });
      // A step with the signal does not ask.
      await expect(run.toolCall({ ...TOOL_CALL, signal: run.signal })).rejects.toBe(run.signal.reason);
    });
    expect((await fixture.stepsOf('lifted')).map(({ status }) => status)).toEqual(['BLOCKED', 'COMPLETED']);
  });

  test('is aborted by a denied step, with its error', async () => {
    await guard.run({ userId: 'denied-step' }, async (run) => {
      const call = longCall(run.signal);
      await fixture.guard.users.block('denied-step');
      const error = await run.toolCall(TOOL_CALL).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StepDenied);
      await expect(call).rejects.toBe(error);
    });
  });

  test('is not aborted by a step that does not fit a limit: calls in flight go on', async () => {
    await guard.run({ userId: 'one-step', limits: { maxSteps: 1 } }, async (run) => {
      await run.toolCall(TOOL_CALL);
      await expect(run.toolCall(TOOL_CALL)).rejects.toMatchObject({ reason: 'RUN_STEP_LIMIT_EXCEEDED' });
      expect(run.signal.aborted).toBe(false);
    });
  });

  test('is not aborted by a heartbeat because of a budget that the call itself holds', async () => {
    await guard.run({ userId: 'all-held', limits: { maxCostUsd: 0.5 } }, async (run) => {
      const call = async () => {
        advance(INTERVAL_MS);
        await expectHeartbeats(1);
        await guard.workspace.get();
        expect(run.signal.aborted).toBe(false);
      };
      await run.modelCall({ model: 'test-model', hold: 0.5, call });
    });
  });

  test('is not aborted by the end of the run', async () => {
    const run = await guard.start({ userId: 'ended' });
    advance(INTERVAL_MS);
    await run.end();
    await expectHeartbeats(1);
    await guard.workspace.get();
    expect(run.signal.aborted).toBe(false);
  });
});
