/** Guessing passwords: 10 failures in 15 minutes for an e-mail or an account, 100 in an hour from an address. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiClient, ApiReply } from '../support/api-client.js';
import { blockWrites } from '../support/blocked-writes.js';
import { seedFailedSignIns } from '../support/seed.js';
import { startTestService, type TestService } from '../support/test-service.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_FROM_ADDRESS = 100;
/** How many of them are sent: each takes as long as hashing a password. */
const LAST_FROM_ADDRESS = 10;
/** The address of the tests as the service sees it. */
const PEER = '127.0.0.1';

let service: TestService;
let proxied: TestService;
beforeAll(async () => {
  service = await startTestService();
  proxied = await startTestService({ TRUST_PROXY: 'true' });
});
// Failures of one test do not count in the next.
beforeEach(() => {
  for (const { clock } of [service, proxied]) clock.advance(2 * HOUR_MS);
});
afterAll(() => Promise.all([service.stop(), proxied.stop()]));

interface Guess {
  readonly email: string;
  readonly password?: string;
  /** The X-Forwarded-For header of a proxy, or of an attacker. */
  readonly forwardedFor?: string;
  readonly to?: TestService;
}

function guess({ email, password = 'a wrong guess', forwardedFor, to = service }: Guess): Promise<ApiReply> {
  return to.anonymous.send(
    'POST',
    '/v1/auth/login',
    { email, password },
    forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  );
}

async function fail(count: number, options: (index: number) => Guess): Promise<void> {
  const replies = await Promise.all(Array.from({ length: count }, (_, index) => guess(options(index))));
  expect(replies.map(({ status }) => status)).toEqual(Array(count).fill(401));
}

/**
 * A hundred failures from one address, of which only the last ten are sent. The others are recorded under the address that
 * the service should count: if it counted one of the ten under another address, the limit would not be reached.
 */
async function failFromAddress(address: string, options: (index: number) => Guess): Promise<void> {
  const { app } = options(0).to ?? service;
  await seedFailedSignIns(app.store, { address, count: MAX_FROM_ADDRESS - LAST_FROM_ADDRESS });
  await fail(LAST_FROM_ADDRESS, options);
}

describe('for one e-mail', () => {
  test('ten failures refuse even the right password with 429 and Retry-After, until 15 minutes are over', async () => {
    const { email, password } = await service.register();
    await fail(10, () => ({ email }));
    const refused = await guess({ email, password });
    expect([refused.status, refused.body]).toEqual([
      429,
      { detail: 'Too many failed sign-ins, try again later' },
    ]);
    expect(refused.headers.get('retry-after')).toBe('900');
    service.clock.advance(15 * MINUTE_MS - 1);
    const stillRefused = await guess({ email, password });
    expect([stillRefused.status, stillRefused.headers.get('retry-after')]).toEqual([429, '1']);
    service.clock.advance(1);
    expect((await guess({ email, password })).status).toBe(200);
  });

  test('the window slides: Retry-After is the time until the oldest of the ten expires', async () => {
    const { email, password } = await service.register();
    await fail(4, () => ({ email }));
    service.clock.advance(10 * MINUTE_MS);
    await fail(6, () => ({ email }));
    expect((await guess({ email })).headers.get('retry-after')).toBe('300');
    service.clock.advance(5 * MINUTE_MS);
    await fail(4, () => ({ email }));
    expect((await guess({ email, password })).status).toBe(429);
  });

  test('attempts that were refused with 429 do not prolong the wait', async () => {
    const { email, password } = await service.register();
    await fail(10, () => ({ email }));
    service.clock.advance(14 * MINUTE_MS);
    for (let count = 0; count < 20; count += 1) expect((await guess({ email })).status).toBe(429);
    service.clock.advance(MINUTE_MS);
    expect((await guess({ email, password })).status).toBe(200);
  });

  test('the e-mail is case-insensitive, and other accounts are not affected', async () => {
    const { email } = await service.register();
    const other = await service.register();
    await fail(10, (index) => ({ email: index % 2 === 0 ? email : email.toUpperCase() }));
    expect((await guess({ email: email.toUpperCase() })).status).toBe(429);
    expect((await guess(other)).status).toBe(200);
  });

  test('an unknown e-mail is throttled like a known one', async () => {
    await fail(10, () => ({ email: 'nobody@example.com' }));
    expect((await guess({ email: 'nobody@example.com' })).status).toBe(429);
  });

  test('successful sign-ins are not counted', async () => {
    const { email, password } = await service.register();
    await fail(9, () => ({ email }));
    for (let count = 0; count < 12; count += 1) expect((await guess({ email, password })).status).toBe(200);
    await fail(1, () => ({ email }));
    expect((await guess({ email, password })).status).toBe(429);
  });

  test('guesses sent all at once do not exceed the limit', async () => {
    const { email } = await service.register();
    const replies = await Promise.all(Array.from({ length: 40 }, () => guess({ email })));
    const failed = replies.filter(({ status }) => status === 401).length;
    // Two passwords are hashed at a time: one more guess may be in flight when the tenth fails.
    expect([10, 11]).toContain(failed);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(40 - failed);
  });

  test('the text of a failed e-mail is not stored', async () => {
    await fail(1, () => ({ email: 'my password by mistake' }));
    const rows = await service.app.store.copy.readRows('login_failures', { after: null, limit: 10_000 });
    expect(rows.length).toBeGreaterThan(0);
    for (const { subject } of rows) expect(subject).toMatch(/^(email:[\w-]{43}|\w+:[\da-f.:-]+)$/);
  });

  test('any 254 characters are counted like any other e-mail', async () => {
    // Random characters of four bytes each: too long for an index on the text itself.
    const letters = Array.from({ length: 254 }, (_, index) =>
      String.fromCodePoint(0x20000 + ((index * 7_919) % 40_000)),
    );
    const email = letters.join('');
    await fail(10, () => ({ email }));
    expect((await guess({ email })).status).toBe(429);
  });
});

describe('changing the password with a token', () => {
  const change = (person: ApiClient, currentPassword = 'a wrong guess') =>
    person.post('/v1/auth/change-password', {
      current_password: currentPassword,
      new_password: 'a new password',
    });

  test('failed sign-ins of others do not lock it, from any address', async () => {
    const { person, email, password } = await service.register();
    await failFromAddress(PEER, () => ({ email }));
    expect((await guess({ email, password })).status).toBe(429);
    expect((await change(person, password)).status).toBe(200);
  });

  test('ten wrong current passwords lock it for 15 minutes, but not the sign-in', async () => {
    const { person, email, password } = await service.register();
    for (let count = 0; count < 10; count += 1) expect((await change(person)).status).toBe(400);
    const refused = await change(person, password);
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      429,
      { detail: 'Too many wrong passwords, try again later' },
      '900',
    ]);
    expect((await guess({ email, password })).status).toBe(200);
    service.clock.advance(15 * MINUTE_MS - 1);
    expect((await change(person, password)).status).toBe(429);
    service.clock.advance(1);
    expect((await change(person, password)).status).toBe(200);
  });

  test('wrong current passwords sent all at once do not exceed the limit', async () => {
    const { person } = await service.register();
    const replies = await Promise.all(Array.from({ length: 40 }, () => change(person)));
    const failed = replies.filter(({ status }) => status === 400).length;
    expect([10, 11]).toContain(failed);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(40 - failed);
  });
});

describe('a store that can be read but not written', () => {
  test('allows no guessing: after a failure that cannot be counted, sign-ins are refused for the average time of one guess', async () => {
    // A service of its own: it gives up waiting for the writer soon, which the others must not do on a busy machine.
    const impatient = await startTestService({ DATABASE_TIMEOUT_MS: '1000' });
    try {
      const { email, password } = await impatient.register();
      const writer = await blockWrites(impatient.databaseUrl);
      try {
        expect((await guess({ email, to: impatient })).status).toBe(503);
        const refused = await guess({ email, password, to: impatient });
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '90']);
        const another = await guess({ email: 'another@example.com', to: impatient });
        expect(another.headers.get('retry-after')).toBe('36');
      } finally {
        await writer.stop();
      }
      impatient.clock.advance(90_000);
      expect((await guess({ email, password, to: impatient })).status).toBe(200);
    } finally {
      await impatient.stop();
    }
  });
});

describe('from one address', () => {
  test('a hundred failures refuse every account for the rest of the hour, with any X-Forwarded-For', async () => {
    const { email, password } = await service.register();
    await failFromAddress(PEER, (index) => ({
      email: `victim-${index}@example.com`,
      forwardedFor: `203.0.113.${index}`,
    }));
    const refused = await guess({ email, password, forwardedFor: '198.51.100.1' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
    service.clock.advance(HOUR_MS - 1);
    expect((await guess({ email, password })).status).toBe(429);
    service.clock.advance(1);
    expect((await guess({ email, password })).status).toBe(200);
  });

  test('behind a trusted proxy the address is the forwarded one, so others can still sign in', async () => {
    const { email, password } = await proxied.register();
    await failFromAddress('203.0.113.7', (index) => ({
      to: proxied,
      email: `victim-${index}@example.com`,
      forwardedFor: '203.0.113.7',
    }));
    const from = async (forwardedFor: string) =>
      (await guess({ to: proxied, email, password, forwardedFor })).status;
    expect(await from('203.0.113.7')).toBe(429);
    expect(await from('203.0.113.8')).toBe(200);
  });

  test('a /64 of IPv6 is one address, and an IPv4 address mapped into IPv6 is the IPv4 address', async () => {
    const { email, password } = await proxied.register();
    await failFromAddress('2001:db8:0:1::/64', (index) => ({
      to: proxied,
      email: `victim-${index}@example.com`,
      forwardedFor: `2001:db8:0:1:${index}::${index}`,
    }));
    await failFromAddress('203.0.113.9', (index) => ({
      to: proxied,
      email: `victim-${index}@example.org`,
      forwardedFor: index % 2 === 0 ? '203.0.113.9' : '::ffff:203.0.113.9',
    }));
    const from = async (forwardedFor: string) =>
      (await guess({ to: proxied, email, password, forwardedFor })).status;
    expect(await from('2001:db8:0:1:ffff:ffff:ffff:ffff')).toBe(429);
    expect(await from('2001:db8:0:2::1')).toBe(200);
    expect(await from('::ffff:cb00:7109')).toBe(429);
  });

  test('an X-Forwarded-For that is not an address, however long, counts as the proxy', async () => {
    const { email, password } = await proxied.register();
    await failFromAddress(PEER, (index) => ({
      to: proxied,
      email: `victim-${index}@example.com`,
      forwardedFor: `${index}-${'x'.repeat(12_000)}`,
    }));
    expect((await guess({ to: proxied, email, password, forwardedFor: 'y'.repeat(12_000) })).status).toBe(
      429,
    );
    expect((await guess({ to: proxied, email, password })).status).toBe(429);
    expect((await guess({ to: proxied, email, password, forwardedFor: '203.0.113.8' })).status).toBe(200);
  });
});
