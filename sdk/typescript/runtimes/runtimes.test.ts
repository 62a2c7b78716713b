/** The built package in other runtimes, and with packages that need a newer Node.js: real binaries, real packages. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GuardFixture, MODEL, startGuard } from '../test/support/guard-fixture.js';
import { ANSWER, type ProviderStandIn, startProvider, TOKENS } from '../test/support/provider-stand-in.js';
import { binaryOf } from './installed-binaries.js';

const FOLDER = import.meta.dirname;
const AGENTS = join(FOLDER, 'agents');
const TEXT = ANSWER.join('');
const RECORDED = {
  model: MODEL,
  status: 'COMPLETED',
  prompt_tokens: TOKENS.prompt,
  completion_tokens: TOKENS.completion,
};
const BOTH_ANSWERS = { whole: TEXT, streamed: TEXT };

let fixture: GuardFixture;
let provider: ProviderStandIn;
beforeAll(async () => {
  fixture = await startGuard();
  provider = await startProvider();
});
afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

const settingsFor = (userId: string) => ({
  guardUrl: fixture.service.url,
  apiKey: fixture.tenant.apiKey,
  providerUrl: provider.url,
  model: MODEL,
  userId,
});

/** The output of an agent whose process ends by itself. */
async function outputOf(binary: string, args: readonly string[], userId: string): Promise<unknown> {
  const environment = { ...process.env, AGENT: JSON.stringify(settingsFor(userId)) };
  const { stdout } = await promisify(execFile)(binary, args, { cwd: FOLDER, env: environment });
  return JSON.parse(stdout);
}

const PROCESSES = {
  'Node.js of the tests': () => [process.execPath],
  'a newer Node.js': () => [binaryOf('node')],
  Bun: () => [binaryOf('bun')],
  Deno: () => [binaryOf('deno'), 'run', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
};

describe.each(Object.entries(PROCESSES))('%s', (name, command) => {
  const agent = (userId: string) => {
    const [binary = '', ...args] = command();
    return outputOf(binary, [...args, join(AGENTS, 'process.js')], userId);
  };

  test('records every call, finds the current run, sends its reports and ends by itself', () =>
    expectRecorded(name, agent));

  test('sends nothing to the provider when it is denied', () => expectDenied(name, agent));
});

describe('workerd', () => {
  let url: string;
  let stop: () => void;
  const bundle = join(AGENTS, 'worker.bundle.js');
  beforeAll(async () => {
    const arguments_ = ['build', join(AGENTS, 'worker.js'), '--outfile', bundle, '--format', 'esm'];
    await promisify(execFile)(binaryOf('bun'), [...arguments_, '--external', 'node:*'], { cwd: FOLDER });
    const child = spawn(binaryOf('workerd'), ['serve', join(AGENTS, 'worker.capnp'), '--control-fd=3'], {
      cwd: AGENTS,
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    });
    stop = () => child.kill();
    const control = child.stdio[3];
    if (control === null || control === undefined) throw new Error('workerd has no control stream');
    const [line] = await once(control, 'data');
    url = `http://127.0.0.1:${JSON.parse(String(line).split('\n')[0] ?? '').port}/`;
  });
  afterAll(async () => {
    stop();
    await rm(bundle, { force: true });
  });

  const agent = async (userId: string) => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(settingsFor(userId)) });
    return response.json();
  };

  test('records every call, finds the current run, and sends the end of the run after the response', () =>
    expectRecorded('workerd', agent));

  test('sends nothing to the provider when it is denied', () => expectDenied('workerd', agent));
});

describe('packages for a newer Node.js', () => {
  const agent = (file: string) => (userId: string) =>
    outputOf(binaryOf('node'), [join(AGENTS, file)], userId);

  test('AI SDK 7: whole answers, streams and streams that are broken off are recorded, and denials are errors', async () => {
    const requestsBefore = provider.requests.length;
    expect(await agent('ai-sdk.js')('ai-sdk-7')).toEqual({ ...BOTH_ANSWERS, denied: true });
    expect(provider.requests.length - requestsBefore).toBe(3);
    const run = await fixture.runOf('ai-sdk-7');
    expect(run.status).toBe('COMPLETED');
    // The AI SDK reads a stream to its end, whether somebody reads the text or not.
    expect(run.steps).toEqual(Array.from({ length: 3 }, () => expect.objectContaining(RECORDED)));
  });

  test('Mastra: each call of an agent is a step of the current run', async () => {
    await expectRecorded('mastra', agent('mastra.js'));
  });
});

async function expectRecorded(userId: string, agent: (userId: string) => Promise<unknown>): Promise<void> {
  expect(await agent(userId)).toEqual(BOTH_ANSWERS);
  await expect.poll(async () => (await fixture.runOf(userId)).status).toBe('COMPLETED');
  const steps = await fixture.stepsOf(userId);
  expect(steps).toEqual([expect.objectContaining(RECORDED), expect.objectContaining(RECORDED)]);
}

async function expectDenied(userId: string, agent: (userId: string) => Promise<unknown>): Promise<void> {
  const requestsBefore = provider.requests.length;
  await fixture.guard.workspace.setKillSwitch(true);
  expect(await agent(`${userId}, denied`)).toEqual({ denied: true, reason: 'KILL_SWITCH_ACTIVE' });
  await fixture.guard.workspace.setKillSwitch(false);
  expect(provider.requests.length).toBe(requestsBefore);
}
