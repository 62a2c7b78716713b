import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { startServiceProcess } from '../support/service-process.js';

let folder: string;
let environment: Record<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-lifecycle-'));
  environment = { DATABASE_URL: `sqlite:${join(folder, 'lifecycle.db')}` };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('the terminal shows the URL, the location of the data, and a next step that works when pasted', async () => {
  const service = await startServiceProcess(environment);
  expect(service.output()).toContain(`${service.url}/docs`);
  expect(service.output()).toContain(join(folder, 'lifecycle.db'));
  expect(service.output()).toContain(`curl -s ${service.url}/v1/auth/register`);
  await service.stop('SIGTERM');
});

test('after SIGTERM accepted requests are answered, new ones are refused, and the exit code is 0', async () => {
  const service = await startServiceProcess(environment);
  const client = new ApiClient(service.url, null);
  // Hashing a password takes long enough for the signal to arrive while the request is being answered.
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const body = JSON.stringify({ email: 'a@example.com', password: 'password' });
  socket.write(
    `POST /v1/auth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  await client.get('/health');
  const code = service.stop('SIGTERM');
  expect(await answer).toContain('201 Created');
  expect(await code).toBe(0);
  socket.destroy();
  await expect(client.get('/health')).rejects.toThrow();
});

test('data survives a restart, and tokens stay valid', async () => {
  const first = await startServiceProcess(environment);
  const { body } = await new ApiClient(first.url, null).post('/v1/auth/register', {
    email: 'a@example.com',
    password: 'password',
  });
  expect(await first.stop('SIGINT')).toBe(0);

  const second = await startServiceProcess(environment);
  expect((await new ApiClient(second.url, body.access_token).get('/v1/auth/me')).body.email).toBe(
    'a@example.com',
  );
  expect((await new ApiClient(second.url, body.api_key).get('/v1/workspace/')).status).toBe(200);
  await second.stop('SIGTERM');
});

test('a request repeated with its Idempotency-Key after a restart gets the first answer', async () => {
  const start = async (url: string, apiKey: string) =>
    new ApiClient(url, apiKey).send('POST', '/v1/runs/', { user_id: 'u' }, { 'idempotency-key': 'once' });
  const first = await startServiceProcess(environment);
  const { body } = await new ApiClient(first.url, null).post('/v1/auth/register', {
    email: 'a@example.com',
    password: 'password',
  });
  const answer = await start(first.url, body.api_key);
  expect(answer.status).toBe(201);
  await first.stop('SIGKILL');

  const second = await startServiceProcess(environment);
  expect((await start(second.url, body.api_key)).text).toBe(answer.text);
  expect((await new ApiClient(second.url, body.api_key).get('/v1/runs/')).body.total).toBe(1);
  await second.stop('SIGTERM');
});

test('64 concurrent clients share commits, visible as batch sizes in the metrics', async () => {
  const service = await startServiceProcess({ ...environment, DEFAULT_PLAN: 'scale' });
  const { body } = await new ApiClient(service.url, null).post('/v1/auth/register', {
    email: 'a@example.com',
    password: 'password',
  });
  const client = new ApiClient(service.url, body.api_key);
  await client.patch('/v1/workspace/', { max_concurrent_runs: 10_000 });
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(Array.from({ length: 64 }, () => client.post('/v1/runs/', { user_id: 'u' })));
  }
  const { text } = await client.get('/metrics');
  const commands = Number(/guarded_runs_commit_batch_size_sum (\d+)/.exec(text)?.[1]);
  const commits = Number(/guarded_runs_commit_batch_size_count (\d+)/.exec(text)?.[1]);
  expect(commands).toBe(320);
  expect(commits).toBeLessThan(commands / 2);
  await service.stop('SIGTERM');
});
