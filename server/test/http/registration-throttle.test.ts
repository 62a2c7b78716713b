/** Registrations are limited per address, and a flood of them does not keep others from signing in. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import type { ApiReply } from '../support/api-client.js';
import { startTestService, type TestService } from '../support/test-service.js';

const HOUR_MS = 60 * 60_000;
const LIMIT = 4;

let limited: TestService;
let unlimited: TestService;
beforeAll(async () => {
  limited = await startTestService({ REGISTRATIONS_PER_HOUR: String(LIMIT), TRUST_PROXY: '1' });
  unlimited = await startTestService({ TRUST_PROXY: '1' });
});
// Registrations of one test do not count in the next.
beforeEach(() => limited.clock.advance(2 * HOUR_MS));
afterAll(() => Promise.all([limited.stop(), unlimited.stop()]));

let serial = 0;
function freshEmail(): string {
  serial += 1;
  return `fresh-${serial}@example.com`;
}

interface Attempt {
  readonly email?: string;
  readonly password?: string;
  readonly from?: string;
}

function post(service: TestService, path: string, { email, password, from }: Attempt): Promise<ApiReply> {
  const body = { email: email ?? freshEmail(), password: password ?? 'correct horse' };
  return service.anonymous.send('POST', path, body, { 'x-forwarded-for': from ?? '203.0.113.1' });
}
const register = (attempt: Attempt = {}, service = limited) => post(service, '/v1/auth/register', attempt);
const signIn = (attempt: Attempt, service = unlimited) => post(service, '/v1/auth/login', attempt);

const statusesOf = (replies: readonly ApiReply[]) => replies.map(({ status }) => status);
const countOf = (replies: readonly ApiReply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;

describe('registrations from one address', () => {
  test('are limited to 20 in an hour by default', () => {
    expect(loadConfig({}).registrationsPerHour).toBe(20);
  });

  test('beyond the limit are refused with 429 and Retry-After until the hour is over, and those of others are not', async () => {
    for (let count = 0; count < LIMIT; count += 1) expect((await register()).status).toBe(201);
    const refused = await register();
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      429,
      { detail: 'Too many registrations from this address, try again later' },
      '3600',
    ]);
    expect((await register({ from: '203.0.113.2' })).status).toBe(201);
    limited.clock.advance(HOUR_MS - 1);
    const stillRefused = await register();
    expect([stillRefused.status, stillRefused.headers.get('retry-after')]).toEqual([429, '1']);
    limited.clock.advance(1);
    expect((await register()).status).toBe(201);
  });

  test('of a taken e-mail count like any other', async () => {
    const email = freshEmail();
    expect((await register({ email })).status).toBe(201);
    for (let count = 1; count < LIMIT; count += 1) expect((await register({ email })).status).toBe(400);
    expect((await register({ email })).status).toBe(429);
    expect((await register()).status).toBe(429);
  });

  test('that were refused with 422 or 429 do not count', async () => {
    for (let count = 0; count < LIMIT; count += 1)
      expect((await register({ password: 'short' })).status).toBe(422);
    for (let count = 0; count < LIMIT; count += 1) expect((await register()).status).toBe(201);
    limited.clock.advance(HOUR_MS / 2);
    for (let count = 0; count < LIMIT; count += 1) expect((await register()).status).toBe(429);
    limited.clock.advance(HOUR_MS / 2);
    expect((await register()).status).toBe(201);
  });

  test('sent all at once do not exceed the limit', async () => {
    const replies = await Promise.all(Array.from({ length: 60 }, () => register()));
    expect(countOf(replies, 201)).toBe(LIMIT);
    expect(countOf(replies, 429)).toBe(60 - LIMIT);
  });

  test('do not count as failed sign-ins, nor these as registrations', async () => {
    const email = freshEmail();
    for (let count = 0; count < LIMIT; count += 1) await register({ email });
    expect((await register({ email })).status).toBe(429);
    expect((await signIn({ email }, limited)).status).toBe(200);
    for (let count = 0; count < 10; count += 1)
      await signIn({ email: 'nobody@example.com', from: '203.0.113.7' }, limited);
    expect((await register({ from: '203.0.113.7' })).status).toBe(201);
  });

  test('take as long for a taken e-mail as for a free one: the same work is done', async () => {
    const taken = freshEmail();
    await register({ email: taken }, unlimited);
    const times = { taken: [] as number[], free: [] as number[] };
    for (let turn = 0; turn < 24; turn += 1) {
      for (const [kind, email] of [
        ['taken', taken],
        ['free', freshEmail()],
      ] as const) {
        const begun = performance.now();
        await register({ email }, unlimited);
        times[kind].push(performance.now() - begun);
      }
    }
    const median = (values: number[]) => values.sort((left, right) => left - right)[12] ?? Number.NaN;
    const ratio = median(times.taken) / median(times.free);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});

describe('while one address floods the service', () => {
  /**
   * Sends on many connections at once; those that are not refused fill the queue, and send again as soon as they are answered,
   * until the work is done.
   */
  async function whileFlooding(
    connections: number,
    send: () => Promise<ApiReply>,
    work: () => Promise<void>,
  ): Promise<ApiReply[]> {
    let isDone = false;
    const replies: ApiReply[] = [];
    const flood = Array.from({ length: connections }, async () => {
      let reply: ApiReply;
      do {
        reply = await send();
        replies.push(reply);
      } while (!isDone && reply.status !== 503);
    });
    try {
      await work();
    } finally {
      isDone = true;
      await Promise.all(flood);
    }
    return replies;
  }

  async function expectSignIns(attempt: Attempt): Promise<void> {
    const statuses: number[] = [];
    for (let count = 0; count < 25; count += 1) statuses.push((await signIn(attempt)).status);
    expect(statuses).toEqual(Array(25).fill(200));
  }

  test('270 connections that register a taken e-mail do not keep its owner from signing in, even from the same address', async () => {
    const email = freshEmail();
    expect((await register({ email }, unlimited)).status).toBe(201);
    const replies = await whileFlooding(
      270,
      () => register({ email }, unlimited),
      () => expectSignIns({ email }),
    );
    expect(new Set(statusesOf(replies))).toEqual(new Set([400, 503]));
  }, 60_000);

  test('300 connections that sign in do not keep others from signing in or registering', async () => {
    const [busy, email] = [freshEmail(), freshEmail()];
    for (const each of [busy, email]) expect((await register({ email: each }, unlimited)).status).toBe(201);
    const from = '198.51.100.1';
    const replies = await whileFlooding(
      300,
      () => signIn({ email: busy }),
      async () => {
        await expectSignIns({ email, from });
        for (let count = 0; count < 5; count += 1)
          expect((await register({ from }, unlimited)).status).toBe(201);
      },
    );
    expect(new Set(statusesOf(replies))).toEqual(new Set([200, 503]));
  }, 60_000);

  test('500 connections at once from 250 addresses are answered, none of them with a 500', async () => {
    const email = freshEmail();
    expect((await register({ email }, unlimited)).status).toBe(201);
    const replies = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        signIn({ email, password: 'a wrong guess', from: `192.0.2.${index % 250}` }),
      ),
    );
    const failed = countOf(replies, 401);
    expect([10, 11]).toContain(failed);
    expect(countOf(replies, 429) + countOf(replies, 503)).toBe(500 - failed);
  }, 60_000);
});
