/** What happens to runs and reports when the process of the agent ends, tested with real processes. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FaultyProxy, startFaultyProxy } from './support/faulty-proxy.js';
import { type GuardFixture, MODEL, startGuard } from './support/guard-fixture.js';

const SDK = fileURLToPath(new URL('..', import.meta.url));
const PRELUDE = `
  import { GuardedRuns } from '@guarded-runs/sdk';
  const guard = new GuardedRuns({ maxRetries: 0 });
  const usage = { prompt_tokens: 11, completion_tokens: 7 };
  const modelCall = { model: '${MODEL}', call: () => ({ usage }) };
`;

let fixture: GuardFixture;
let proxy: FaultyProxy;
beforeAll(async () => {
  await promisify(execFile)('npm', ['run', '--silent', 'build'], { cwd: SDK });
  fixture = await startGuard();
  proxy = await startFaultyProxy(fixture.service.url);
});
beforeEach(() => {
  proxy.requests.length = 0;
});
afterAll(() => Promise.all([fixture.stop(), proxy.stop()]));

function start(program: string, flags: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [...flags, '--input-type=module', '--eval', PRELUDE + program], {
    cwd: SDK,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, GUARDED_RUNS_URL: proxy.url, GUARDED_RUNS_API_KEY: fixture.tenant.apiKey },
  });
}

/** Waits until the process ends by itself. */
async function run(
  program: string,
  flags?: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = start(program, flags);
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    texts.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    texts.stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...texts };
}

test('the slot of a process that was killed is free when its lease ends', async () => {
  await fixture.guard.workspace.update({ maxConcurrentRuns: 1 });
  const child = start(`
    await guard.start({ userId: 'killed' });
    console.log('started');
    setInterval(() => {}, 1_000);
  `);
  if (child.stdout === null) throw new Error('The process has no output');
  expect(String((await once(child.stdout, 'data'))[0])).toBe('started\n');
  child.kill('SIGKILL');
  await once(child, 'close');
  const next = () => fixture.guard.start({ userId: 'next' });
  fixture.service.clock.advance(59_999);
  await expect(next()).rejects.toMatchObject({ reason: 'MAX_CONCURRENT_RUNS_EXCEEDED' });
  fixture.service.clock.advance(1);
  const run = await next();
  expect(await fixture.runOf('killed')).toMatchObject({ status: 'FAILED', end_reason: 'LEASE_EXPIRED' });
  await run.end();
  await fixture.guard.workspace.update({ maxConcurrentRuns: 1_000 });
});

test('a process with an open run ends by itself, without waiting for heartbeats, and sends its reports before', async () => {
  const outcome = await run(`
    const run = await guard.start({ userId: 'leaving' });
    await run.modelCall(modelCall);
    console.log('done');
  `);
  expect(outcome).toEqual({ code: 0, stdout: 'done\n', stderr: '' });
  expect(proxy.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH']);
  expect(await fixture.runOf('leaving')).toMatchObject({ status: 'RUNNING', total_tokens: 18 });
});

test('a process that ends while the service is restarted sends its reports and its end before it exits', async () => {
  // The start and a step, then the end with its report.
  proxy.faults.push(null, null, 'cut', 'cut', { status: 502 }, 'cut');
  const outcome = await run(`
    await guard.run({ userId: 'restarted' }, (run) => run.modelCall(modelCall));
    console.log('done');
  `);
  expect(outcome).toEqual({ code: 0, stdout: 'done\n', stderr: '' });
  expect(await fixture.runOf('restarted')).toMatchObject({ status: 'COMPLETED', total_tokens: 18 });
});

test('a process that ends while the service stays unavailable gives its reports up after ten seconds, with a warning', async () => {
  proxy.faults.push(null, null, ...Array.from({ length: 100 }, () => 'cut' as const));
  const { code, stdout, stderr } = await run(`
    await guard.run({ userId: 'unreachable' }, (run) => run.modelCall(modelCall));
    const now = performance.now.bind(performance);
    process.once('beforeExit', () => { performance.now = () => now() + 9_000; });
    console.log('done');
  `);
  proxy.faults.length = 0;
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' });
  expect(stderr.match(/a report could not be sent/g)).toHaveLength(2);
});

test('a start without a response is undone in the background', async () => {
  proxy.faults.push('lose-reply');
  const outcome = await run(`
    await guard.start({ userId: 'unanswered' }).catch(({ name }) => console.log(name));
  `);
  expect(outcome).toEqual({ code: 0, stdout: 'GuardUnavailableError\n', stderr: '' });
  expect(await fixture.runOf('unanswered')).toMatchObject({ status: 'FAILED', end_reason: null });
  const [first, second] = proxy.requests;
  expect(second).toEqual(first);
});

test.each([
  ['SIGTERM', `process.kill(process.pid, 'SIGTERM')`, { code: null, stderr: '' }],
  [
    'an uncaught error',
    `setImmediate(() => { throw new Error('unexpected') })`,
    { code: 1, stderr: /^Error: unexpected/ },
  ],
])('with the hook, %s ends the open runs before the process', async (name, cause, { code, stderr }) => {
  const outcome = await run(`
    guard.endRunsOnExit();
    const run = await guard.start({ userId: '${name}' });
    await run.modelCall(modelCall);
    setInterval(() => {}, 1_000);
    ${cause};
  `);
  expect(outcome.code).toBe(code);
  expect(outcome.stderr).toMatch(stderr);
  expect(await fixture.runOf(name)).toMatchObject({ status: 'FAILED', total_tokens: 18 });
});

test('flush sends the reports before process.exit', async () => {
  const outcome = await run(`
    const run = await guard.start({ userId: 'exiting' });
    await run.modelCall(modelCall);
    await guard.flush();
    process.exit();
  `);
  expect(outcome).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await fixture.runOf('exiting')).toMatchObject({ total_tokens: 18 });
});

test('a run that the process has forgotten gets no more heartbeats, so that it does not keep its slot', async () => {
  const program = `
    const { setTimeout } = globalThis;
    const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    globalThis.setTimeout = (callback, delayMs) => setTimeout(callback, delayMs === 20_000 ? 20 : delayMs);
    async function forget() {
      const run = await guard.start({ userId: 'forgotten' });
      await pause(500);
      if (run.signal.aborted) throw run.signal.reason;
    }
    await forget();
    await pause(0);
    gc();
    await pause(100);
    await guard.workspace.get();
    await pause(500);
  `;
  expect(await run(program, ['--expose-gc'])).toEqual({ code: 0, stdout: '', stderr: '' });
  const paths = proxy.requests.map(({ path }) => path.split('/').at(-1) || path);
  expect(paths).toContain('heartbeat');
  expect(paths.at(-1)).toBe('/v1/workspace/');
});
