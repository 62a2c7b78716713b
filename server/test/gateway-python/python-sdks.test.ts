/** The SDKs of the providers for Python, unchanged but for their base URL. Installs them into a folder of its own. */

import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type GatewayFixture,
  MODEL,
  PROVIDER_KEY,
  startGateway,
} from '../gateway/support/gateway-fixture.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let folder: string;
let gateway: GatewayFixture;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-python-'));
  execFileSync('python3', ['-m', 'venv', folder]);
  execFileSync(join(folder, 'bin', 'pip'), ['install', '--quiet', '--requirement', here('requirements.txt')]);
  gateway = await startGateway();
}, 600_000);
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What each call returned, by its name. */
async function runClients(environment: Record<string, string>): Promise<Record<string, unknown>> {
  const child = spawn(join(folder, 'bin', 'python'), [here('clients.py')], {
    env: { ...environment, MODEL },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, errors]).toEqual([0, '']);
  const lines = output.trim().split('\n');
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map(({ name, value }) => [name, value]));
}

test('each answer and error is the same as without the gateway, and a denial raises one error', async () => {
  const { apiKey } = gateway.tenant;
  const direct = await runClients({
    OPENAI_KEY: PROVIDER_KEY,
    OPENAI_URL: `${gateway.provider.url}/v1`,
    ANTHROPIC_KEY: PROVIDER_KEY,
    ANTHROPIC_URL: gateway.provider.url,
  });
  await gateway.tenant.person.post('/v1/users/mallory/block');
  gateway.provider.requests.length = 0;
  const guarded = await runClients({
    OPENAI_KEY: apiKey,
    OPENAI_URL: gateway.openaiUrl,
    ANTHROPIC_KEY: apiKey,
    ANTHROPIC_URL: gateway.anthropicUrl,
    BLOCKED_USER: 'mallory',
  });
  const { 'denied chat': deniedChat, 'denied message': deniedMessage, ...answers } = guarded;
  expect(answers).toEqual(direct);
  expect(Object.keys(answers)).toHaveLength(14);
  expect(deniedChat).toEqual(['PermissionDeniedError', 403, 'USER_BLOCKED']);
  expect(deniedMessage).toEqual(['PermissionDeniedError', 403, null]);
  expect(gateway.provider.requests).toHaveLength(Object.keys(answers).length);
  const { total } = (await gateway.tenant.person.get('/v1/runs/?user_id=mallory')).body;
  expect(total).toBe(2);
});
