/** Clients that try to block others: slow connections, large bodies, many sign-ins at once. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { reportCampaign } from '../support/campaign.js';
import { rawRequest, sendRaw } from '../support/raw-http.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { ofEachKind, openSlowConnections, SLOW_KINDS } from '../support/slow-connections.js';
import { expectStatus } from '../support/test-service.js';

const MEBIBYTE = 1_048_576;
const PASSWORD = 'correct horse';

let folder: string;
let service: ServiceProcess;
let anonymous: ApiClient;
let machine: ApiClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-abuse-'));
  service = await startServiceProcess({
    DATABASE_URL: `sqlite:${join(folder, 'abuse.db')}`,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'error',
  });
  anonymous = new ApiClient(service.url, null);
  const { body } = expectStatus(
    await anonymous.post('/v1/auth/register', { email: 'a@example.com', password: PASSWORD }),
    201,
  );
  machine = anonymous.withCredential(body.api_key);
  await machine.patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 });
});
afterAll(async () => {
  expect(await service.stop('SIGTERM')).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

/** Ordinary requests of other clients; each must be answered in time. */
async function workAsUsual(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const run = expectStatus(await machine.post('/v1/runs/', { user_id: 'ada' }), 201).body;
    expect(run.status).toBe('RUNNING');
    expectStatus(await machine.post(`/v1/runs/${run.id}/end`, { status: 'COMPLETED' }), 200);
    expectStatus(await anonymous.get('/health'), 200);
  }
}

test('two hundred and fifty slow connections do not affect other clients', async () => {
  const slow = await openSlowConnections({
    url: service.url,
    apiKey: machine.credential ?? '',
    counts: ofEachKind(50),
    dripEveryMs: 200,
  });
  try {
    expect(slow.openCount()).toBe(50 * SLOW_KINDS.length);
    await workAsUsual(20);
    expect(slow.openCount()).toBeGreaterThan(0);
  } finally {
    slow.close();
  }
}, 120_000);

test('unread answers take no memory: a hundred connections request megabytes and do not read', async () => {
  const before = await memoryBytes();
  const slow = await openSlowConnections({
    url: service.url,
    apiKey: machine.credential ?? '',
    counts: ofEachKind(100),
    dripEveryMs: 1_000,
  });
  try {
    await workAsUsual(10);
    expect((await memoryBytes()) - before).toBeLessThan(100 * MEBIBYTE);
  } finally {
    slow.close();
  }
}, 120_000);

describe('bodies that are too large', () => {
  const head = (extra: Record<string, string | number>) =>
    rawRequest('POST /v1/runs/ HTTP/1.1', {
      authorization: `Bearer ${machine.credential}`,
      'content-type': 'application/json',
      ...extra,
    });

  test('are refused with 413 before they are complete, close their connection, and take no memory', async () => {
    const before = await memoryBytes();
    const chunk = Buffer.concat([
      Buffer.from(`${MEBIBYTE.toString(16)}\r\n`),
      Buffer.alloc(MEBIBYTE, 'x'),
      Buffer.from('\r\n'),
    ]);
    const requests = [
      ...Array.from({ length: 32 }, () => Buffer.from(head({ 'content-length': 10_000_000_000 }))),
      ...Array.from({ length: 32 }, () =>
        Buffer.concat([Buffer.from(head({ 'transfer-encoding': 'chunked' })), chunk, chunk]),
      ),
    ];
    const replies = await Promise.all(requests.map((bytes) => sendRaw(service.url, bytes)));
    for (const reply of replies) {
      expect([reply.status, reply.text]).toEqual([413, '{"detail":"The body is too large"}']);
      expect(reply.headers.get('connection')).toBe('close');
    }
    await workAsUsual(3);
    expect((await memoryBytes()) - before).toBeLessThan(200 * MEBIBYTE);
  });

  test('are refused with 415 when they are compressed: nothing is decompressed', async () => {
    const before = await memoryBytes();
    const unpacked = Buffer.alloc(128 * MEBIBYTE, ' ');
    const bombs = {
      gzip: gzipSync(unpacked),
      deflate: deflateSync(unpacked),
      br: brotliCompressSync(unpacked, BROTLI),
    };
    for (const [encoding, body] of Object.entries(bombs)) {
      expect(body.length).toBeLessThan(MEBIBYTE);
      const replies = await Promise.all(
        Array.from({ length: 8 }, () =>
          sendRaw(
            service.url,
            Buffer.concat([
              Buffer.from(head({ 'content-encoding': encoding, 'content-length': body.length })),
              body,
            ]),
          ),
        ),
      );
      for (const reply of replies)
        expect([reply.status, reply.text]).toEqual([415, '{"detail":"Compressed bodies are not accepted"}']);
    }
    await workAsUsual(3);
    expect((await memoryBytes()) - before).toBeLessThan(100 * MEBIBYTE);
  }, 60_000);
});

test('fifty sign-ins at once: others are still served, and hashing does not block the event loop', async () => {
  // Reading it also starts a new measurement.
  await eventLoopLagMs();
  let isDone = false;
  let served = 0;
  const signIns = Promise.all(
    Array.from({ length: 50 }, () =>
      anonymous.post('/v1/auth/login', { email: 'a@example.com', password: PASSWORD }),
    ),
  ).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    expectStatus(await machine.get('/v1/workspace/'), 200);
    served += 1;
  }
  const replies = await signIns;
  const lagMs = await eventLoopLagMs();
  reportCampaign('50 sign-ins at once', { 'others served': served, 'longest lag in ms': lagMs.toFixed(0) });
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200));
  // If sign-ins blocked the event loop, there would be about one turn for each.
  expect(served).toBeGreaterThan(75);
  expect(lagMs).toBeLessThan(500);
});

const BROTLI = { params: { 1: 5 } };

async function figure(name: string): Promise<number> {
  const { text } = await anonymous.get('/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

async function memoryBytes(): Promise<number> {
  return figure('process_resident_memory_bytes');
}

async function eventLoopLagMs(): Promise<number> {
  return 1_000 * (await figure('nodejs_eventloop_lag_max_seconds'));
}
