import { describe, expect, test } from 'vitest';
import { describeLease, leaseLeftMs } from '../src/pages/run-detail/lease.ts';

const RUN = {
  started_at: '2026-03-14T12:00:00.000Z',
  duration_ms: 20_000,
  lease_expires_at: '2026-03-14T12:01:00.000Z',
};
const SERVICE_TIME = Date.parse('2026-03-14T12:00:20.000Z');

describe('the time left of a lease', () => {
  test('is counted from the response on', () => {
    expect(leaseLeftMs(RUN, { receivedAt: SERVICE_TIME, now: SERVICE_TIME })).toBe(40_000);
    expect(leaseLeftMs(RUN, { receivedAt: SERVICE_TIME, now: SERVICE_TIME + 15_000 })).toBe(25_000);
  });

  test('does not depend on the clock of the browser', () => {
    for (const skew of [-3_600_000, 3_600_000]) {
      const receivedAt = SERVICE_TIME + skew;
      expect(leaseLeftMs(RUN, { receivedAt, now: receivedAt + 15_000 })).toBe(25_000);
    }
  });

  test('does not grow if the clock of the page is behind the response', () => {
    expect(leaseLeftMs(RUN, { receivedAt: SERVICE_TIME, now: SERVICE_TIME - 900 })).toBe(40_000);
  });

  test('is never negative', () => {
    expect(leaseLeftMs(RUN, { receivedAt: SERVICE_TIME, now: SERVICE_TIME + 90_000 })).toBe(0);
  });

  test('is unknown without a lease', () => {
    const run = { ...RUN, lease_expires_at: null };
    expect(leaseLeftMs(run, { receivedAt: SERVICE_TIME, now: SERVICE_TIME })).toBeNull();
  });
});

test.each([
  [42_000, 'Lease ends in 42 s unless the agent sends something.'],
  [0, 'The lease has ended unless the agent has sent something.'],
  [null, 'No lease: the run ends only when its agent or an operator ends it.'],
])('a lease with %s ms left is described as "%s"', (leftMs, text) => {
  expect(describeLease(leftMs).replaceAll('\u00a0', ' ')).toBe(text);
});
