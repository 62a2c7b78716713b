import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { playDemo } from '../../src/cli/demo.js';
import { loadConfig } from '../../src/config.js';
import { lastDays } from '../../src/domain/period.js';
import { openStore } from '../../src/store/open-store.js';
import { campaignSize } from '../support/campaign.js';

/** A month is thousands of durable commits: seconds on an idle disk, more on a busy one. */
const TIMEOUT_MS = 120_000;
const COMMAND = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'guarded-runs-demo-'));
const databaseUrl = `sqlite:${join(folder, 'demo.db')}`;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the demo month has runs of every status and of every scenario, and every counter is right', {
  timeout: TIMEOUT_MS,
}, async () => {
  expect(await run('demo')).toMatch(/E-mail +demo@example\.com\n +Password +\S{8,}\n +API key +lg_/);
  expect(await run('verify')).toMatch(/^0 differences/);

  await expectEveryScenario(databaseUrl);
});

test.each(
  // On a Wednesday and a Thursday the busy day of the month is at a weekend.
  campaignSize({ short: ['2026-11-18', '2026-11-19'], full: lastDays(7, Date.parse('2026-11-22')) }),
)('it has every scenario on every weekday, even at midnight: %s', { timeout: TIMEOUT_MS }, async (day) => {
  const ofDay = `sqlite:${join(folder, `${day}.db`)}`;
  await playDemo(loadConfig({ DATABASE_URL: ofDay }), Date.parse(day) + 1);
  await expectEveryScenario(ofDay);
});

test('a second demo creates another workspace, and names no address where no service answers', {
  timeout: TIMEOUT_MS,
}, async () => {
  const printed = await run('demo', { PORT: '0' });
  expect(printed).toContain('demo-2@example.com');
  expect(printed).toContain('Start the service, and sign in at the address that it prints.');
  expect(printed).not.toContain('http');
});

async function run(command: string, environment: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, ...environment };
  return (await promisify(execFile)(process.execPath, [COMMAND, command], { env })).stdout;
}

async function expectEveryScenario(databaseUrl: string): Promise<void> {
  const store = await openStore({ databaseUrl });
  try {
    const account = await store.accounts.findByEmail('demo@example.com');
    if (account === null) throw new Error('There is no account of the demo');
    const { workspaceId } = account;
    const totalOf = async (status: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'BLOCKED') =>
      (await store.runs.list({ workspaceId, status, userId: null, offset: 0, limit: 1 })).total;
    expect(await totalOf('RUNNING')).toBeGreaterThan(0);
    expect(await totalOf('COMPLETED')).toBeGreaterThan(300);
    expect(await totalOf('FAILED')).toBeGreaterThan(5);
    expect(await totalOf('BLOCKED')).toBeGreaterThan(10);
    const range = { workspaceId, from: '2000-01-01', to: '2100-01-01' };
    const reasons = new Set(
      (await store.usage.daily(range, { maxModels: 1 })).denials.map(({ reason }) => reason),
    );
    for (const reason of [
      'KILL_SWITCH_ACTIVE',
      'USER_BLOCKED',
      'WORKSPACE_DAILY_BUDGET_EXCEEDED',
      'USER_DAILY_BUDGET_EXCEEDED',
      'MAX_CONCURRENT_RUNS_EXCEEDED',
    ] as const) {
      expect(reasons).toContain(reason);
    }
    const unpriced = (await store.usage.listDays(range)).reduce((sum, day) => sum + day.unpricedTokens, 0n);
    expect(unpriced).toBeGreaterThan(0n);
  } finally {
    await store.close();
  }
}
