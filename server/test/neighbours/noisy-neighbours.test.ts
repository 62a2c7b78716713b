/**
 * A tenant that attacks the service harms only itself: others are served without an error, the process survives, and every
 * counter is right afterwards. `npm run bench -- --only neighbours` measures how much slower others get.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { campaignSize, reportCampaign } from '../support/campaign.js';
import {
  ATTACKS,
  HostileTenant,
  IMAGE_MEMORY_SETTINGS,
  peakMemoryOf,
  prepareTarget,
  registerOwner,
} from '../support/neighbours/hostile-tenant.js';
import { runCommandAsync, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { expectStatus } from '../support/test-service.js';

const ROUNDS = campaignSize({ short: 15, full: 300 });
const SIZE = campaignSize({
  short: { steps: 30, models: 100, users: 100, prices: 50 },
  full: { steps: 500, models: 5_000, users: 5_000, prices: 1_000 },
});
const OWNER_EMAIL = 'owner@example.com';
const MAX_MEMORY_MB = 400;

let database: TestDatabase;
let service: ServiceProcess;
let victim: ApiClient;
let hostile: HostileTenant;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceProcess(environment());
  const anonymous = new ApiClient(service.url, null);
  const register = async (email: string) => {
    const account = { email, password: 'correct horse' };
    const { api_key, access_token } = expectStatus(
      await anonymous.post('/v1/auth/register', account),
      201,
    ).body;
    const machine = anonymous.withCredential(api_key);
    expectStatus(await machine.patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 }), 200);
    return { machine, token: access_token };
  };
  victim = (await register('victim@example.com')).machine;
  const attacker = await register('mallory@example.com');
  await registerOwner(service, OWNER_EMAIL);
  const { token } = attacker;
  const target = { ...(await prepareTarget(database.url, attacker.machine.credential ?? '', SIZE)), token };
  const ports = [Number(new URL(service.url).port)];
  hostile = new HostileTenant({ target, ownerEmail: OWNER_EMAIL, ports });
}, 120_000);
afterAll(async () => {
  hostile.stop();
  const memoryMb = Math.round(peakMemoryOf(service.child.pid ?? 0) / 1024 / 1024);
  reportCampaign('noisy neighbours', { 'peak memory in MB': memoryMb });
  expect(await service.stop('SIGTERM')).toBe(0);
  const { code, stdout } = await runCommandAsync(['verify'], environment());
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^0 differences/)]);
  await database.drop();
  expect(memoryMb).toBeLessThan(MAX_MEMORY_MB);
}, 60_000);

function environment(): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'error',
    ...IMAGE_MEMORY_SETTINGS,
  };
}

test.each([...ATTACKS.map((attack) => [attack]), [...ATTACKS]])(
  'during %s others are served without an error',
  async (...attacks) => {
    await hostile.begin(attacks);
    try {
      for (let round = 0; round < ROUNDS; round += 1) await workAsUsual();
    } finally {
      const answers = await hostile.end();
      for (const [attack, statuses] of Object.entries(answers))
        reportCampaign(`beside ${attacks.length === 1 ? attack : `all attacks, ${attack}`}`, statuses);
      for (const statuses of Object.values(answers)) expect(statuses).not.toHaveProperty('500');
    }
  },
  120_000,
);

async function workAsUsual(): Promise<void> {
  const run = expectStatus(await victim.post('/v1/runs/', { user_id: 'ada' }), 201).body;
  const path = `/v1/runs/${run.id}/steps`;
  const step = { type: 'MODEL_CALL', sequence: 1, model: 'gpt-4o', input_data: { question: 'why?' } };
  const { id } = expectStatus(await victim.post(path, step), 201).body;
  const report = { status: 'COMPLETED', prompt_tokens: 10, completion_tokens: 5 };
  expectStatus(await victim.patch(`${path}/${id}`, report), 200);
  expectStatus(await victim.post(`/v1/runs/${run.id}/end`, { status: 'COMPLETED' }), 200);
  const { body } = expectStatus(await victim.get(`/v1/runs/${run.id}`), 200);
  expect([body.status, body.total_tokens]).toEqual(['COMPLETED', 15]);
  expectStatus(await victim.get('/health'), 200);
}
