/** A run of any size is read page by page: it takes little memory, and others are still served. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { campaignSize } from '../support/campaign.js';
import { peakMemoryOf } from '../support/neighbours/hostile-tenant.js';
import { repeated, seedRuns, seedService } from '../support/seed.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { expectStatus } from '../support/test-service.js';

const STEPS = campaignSize({ short: 150, full: 2_200 });
const MEBIBYTE = 1024 * 1024;
const PAYLOAD = JSON.stringify({ text: 'x'.repeat(MEBIBYTE - 300) });
/** Smaller than the run. */
const HEAP_MB = 120;

let database: TestDatabase;
let service: ServiceProcess;
let machine: ApiClient;
let other: ApiClient;
let runId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'error',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  });
  [machine, other] = [await register('heavy@example.com'), await register('other@example.com')];
  const step = { type: 'TOOL_CALL' as const, model: null, toolName: 'search', inputData: PAYLOAD };
  const [run] = await seedService({ databaseUrl: database.url }, machine.credential ?? '', (target) =>
    seedRuns(target, [{ metadata: PAYLOAD, steps: repeated(STEPS, step) }]),
  );
  runId = run?.id ?? '';
}, 600_000);
afterAll(async () => {
  expect(await service.stop('SIGTERM')).toBe(0);
  await database.drop();
});

async function register(email: string): Promise<ApiClient> {
  const anonymous = new ApiClient(service.url, null);
  const account = { email, password: 'correct horse' };
  const { api_key } = expectStatus(await anonymous.post('/v1/auth/register', account), 201).body;
  return anonymous.withCredential(api_key);
}

test('a run that is larger than the heap is read completely, and others are still served', async () => {
  let isRead = false;
  const reading = readSteps(`/v1/runs/${runId}`).finally(() => {
    isRead = true;
  });
  let served = 0;
  while (!isRead) {
    const { id } = expectStatus(await other.post('/v1/runs/', { user_id: 'bob' }), 201).body;
    expectStatus(await other.post(`/v1/runs/${id}/end`, { status: 'COMPLETED' }), 200);
    served += 1;
  }
  const { bytes, ids } = await reading;
  expect(bytes).toBeGreaterThan(STEPS * (MEBIBYTE - 300));
  expect(ids).toHaveLength(STEPS);
  expect(served).toBeGreaterThan(10);
  expect(peakMemoryOf(service.child.pid ?? 0)).toBeLessThan(400 * MEBIBYTE);
}, 300_000);

test('its decisions and the list of runs read no payloads', async () => {
  const decisions = expectStatus(await machine.get(`/v1/runs/${runId}/decisions`), 200);
  expect(decisions.body).toHaveLength(STEPS + 1);
  expect(expectStatus(await machine.get('/v1/runs/'), 200).text.length).toBeLessThan(1_000);
});

test('a client that disconnects in the middle leaves nothing behind', async () => {
  for (let round = 0; round < 10; round += 1) {
    const controller = new AbortController();
    const response = await fetch(`${service.url}/v1/runs/${runId}`, {
      headers: { authorization: `Bearer ${machine.credential}` },
      signal: controller.signal,
    });
    expect(response.status).toBe(200);
    controller.abort();
  }
  const { ids } = await readSteps(`/v1/runs/${runId}`);
  expect(ids).toHaveLength(STEPS);
}, 120_000);

/** The length of the response and the ids of its steps, without holding it in memory. */
async function readSteps(path: string): Promise<{ bytes: number; ids: string[] }> {
  const response = await fetch(service.url + path, {
    headers: { authorization: `Bearer ${machine.credential}` },
  });
  expect(response.status).toBe(200);
  let bytes = 0;
  let tail = '';
  const ids = new Set<string>();
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    const text = tail + decoder.decode(chunk, { stream: true });
    for (const [, id = ''] of text.matchAll(/\{"id":"([0-9a-f-]{36})","type"/g)) ids.add(id);
    // A match that starts here is found with the next chunk.
    tail = text.slice(-60);
  }
  expect(tail.endsWith(']}')).toBe(true);
  return { bytes, ids: [...ids] };
}
