/** Random commands of every kind from many workspaces, across all kinds of midnights: every answer is predicted. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { DENY_REASONS } from '../../src/domain/rules.js';
import { campaignSeed, campaignSize, isFullSize, reportCampaign } from '../support/campaign.js';
import { testStore } from '../support/test-database.js';
import { startTestService, type TestService } from '../support/test-service.js';
import { WORKLOAD_TTL_SECONDS, Workload } from './workload.js';
import { audit } from './workload-audit.js';
import { burstOfRetries, burstOfStarts, rush } from './workload-bursts.js';
import { COMMAND_KINDS } from './workload-commands.js';
import { guessPasswords } from './workload-guesses.js';
import { loop } from './workload-loops.js';

const OPERATIONS = campaignSize({ short: 3_000, full: 20_000 });
const BURST_EVERY = 150;
/** How often in the campaign a month is filled, and passwords are guessed. */
const RARE_EVERY = campaignSize({ short: 3_000, full: 10_000 });
/** Guesses from one address until it is refused; each takes the time of a sign-in. */
const GUESSES = campaignSize({ short: 15, full: 120 });

const REASONS: readonly string[] = ['ALLOW', ...DENY_REASONS];

const FREQUENT_REASONS = [
  'ALLOW',
  'RUN_ALREADY_ENDED',
  'MAX_CONCURRENT_RUNS_EXCEEDED',
  'USER_BLOCKED',
  'LOOP_DETECTED',
];

const STATUSES = [200, 201, 204, 400, 401, 403, 404, 405, 415, 422, 429];

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ JWT_TTL_SECONDS: String(WORKLOAD_TTL_SECONDS), LOG_LEVEL: 'error' });
});
afterAll(() => service.stop());

test('every answer and the final state are what a naive model predicts', async () => {
  const seed = campaignSeed('workload');
  const workload = new Workload({ service, seed, operations: OPERATIONS });
  await workload.run(async (operation) => {
    if (operation % BURST_EVERY === 50) await burstOfStarts(workload, await workload.readyAccount());
    if (operation % BURST_EVERY === 100) await burstOfRetries(workload, await workload.readyAccount());
    if (operation % BURST_EVERY === 0) await loop(workload, await workload.readyAccount());
    if (operation % RARE_EVERY === 700) await rush(workload, await workload.readyAccount());
    if (operation % RARE_EVERY === 900)
      await guessPasswords(workload, await workload.readyAccount(), GUESSES);
  });
  await audit(workload);
  expect((await service.app.store.maintenance.verify()).differences).toEqual([]);

  reportCampaign(`workload on ${testStore()}`, {
    operations: OPERATIONS,
    workspaces: workload.model.accounts.all.length,
    days: workload.clock.days.length,
    digest: workload.digest.value,
  });
  reportCampaign('workload: commands', Object.fromEntries(workload.commands));
  reportCampaign('workload: decisions', Object.fromEntries(workload.reasons));
  reportCampaign('workload: statuses', Object.fromEntries(workload.statuses));
  expectEverythingHappened(workload);
}, 3_600_000);

/** A campaign must cover every kind of request and answer. */
function expectEverythingHappened({ clock: { days }, commands, reasons, statuses }: Workload): void {
  if (isFullSize) {
    expect([...commands.keys()]).toEqual(expect.arrayContaining(COMMAND_KINDS.map(({ name }) => name)));
    expect([...reasons.keys()].sort()).toEqual([...REASONS].sort());
    expect([...statuses.keys()].sort()).toEqual(STATUSES);
  }
  // In the short form some seeds miss rare cases; frequent ones must happen, and unknown ones must not.
  expect(REASONS).toEqual(expect.arrayContaining([...reasons.keys()]));
  expect(STATUSES).toEqual(expect.arrayContaining([...statuses.keys()]));
  expect([...reasons.keys()]).toEqual(expect.arrayContaining(FREQUENT_REASONS));
  const follows = (day: string, next: string) => days[days.indexOf(day) + 1] === next;
  expect(days.length).toBeGreaterThan(10);
  expect(days.some((day, index) => index > 0 && day.endsWith('-01'))).toBe(true);
  expect(follows('2026-12-31', '2027-01-01')).toBe(true);
  expect(follows('2028-02-29', '2028-03-01')).toBe(true);
  expect(follows('2100-02-28', '2100-03-01')).toBe(true);
}
