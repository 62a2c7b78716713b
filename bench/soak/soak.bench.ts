/**
 * One hostile tenant runs all attacks at once for a given time, beside light agents of other workspaces; on PostgreSQL with
 * two instances. It pauses at intervals, and the agents are measured alone. A failed request of an agent, a wrong counter
 * afterwards or an instance that exits makes the soak invalid.
 *
 *   npm run soak -- --minutes 30 --store sqlite
 *   npm run soak -- --minutes 30 --store postgres
 */

import { onTestFinished, type TestContext, test } from 'vitest';
import {
  ATTACKS,
  HostileTenant,
  IMAGE_MEMORY_SETTINGS,
  peakMemoryOf,
  prepareTarget,
  registerOwner,
} from '../../server/test/support/neighbours/hostile-tenant.js';
import { median, recordFigure } from '../figure.js';
import { percentile } from '../load-client.js';
import { measureLoad } from '../measure-load.js';
import {
  newPostgresDatabase,
  newSqliteDatabase,
  registerWorkspaces,
  type Subject,
  startPostgresServer,
  startService,
  verifyStore,
} from '../subjects.js';

const MINUTES = Number(process.env['SOAK_MINUTES']);
const STORE = process.env['SOAK_STORE'] === 'postgres' ? 'postgres' : 'sqlite';
const LIGHT = { connections: 8, rate: 50 };
const WORKSPACES = 4;
const SECONDS = 20;
/** Measured windows under attack for each window without. */
const WINDOWS_PER_PAUSE = 6;
const SETTLE_MS = 2_000;
const MAX_RATIO_OF_P99 = 4;
const MAX_MEMORY_MB = 400;
const OWNER_EMAIL = 'owner@example.com';
const SIZE = { steps: 300, models: 5_000, users: 5_000, prices: 1_000 };
/** The default limit: other measurements register more accounts than one address may. */
const DEFAULTS = { REGISTRATIONS_PER_HOUR: '20', DATABASE_TIMEOUT_MS: '2000', ...IMAGE_MEMORY_SETTINGS };
/** Megabytes at full speed would fill the disk within half an hour: each connection waits between them. */
const PAUSE_MS = { 'large steps': 10_000 };

test(`soak on ${STORE}`, async (context) => {
  const database =
    STORE === 'sqlite' ? await newSqliteDatabase() : await newPostgresDatabase(await startPostgresServer());
  const { name, url } = database;
  const first = await startService({ name, databaseUrl: url, workspaces: WORKSPACES, environment: DEFAULTS });
  const { apiKeys } = first;
  const instances =
    STORE === 'sqlite'
      ? [first]
      : [first, await startService({ name, databaseUrl: url, apiKeys, environment: DEFAULTS })];
  const [hostileKey = ''] = await registerWorkspaces(first.url, 1);
  await registerOwner(first, OWNER_EMAIL);
  const target = await prepareTarget(url, hostileKey, SIZE);
  const ports = instances.map(({ port }) => port);
  const hostile = new HostileTenant({ target, ownerEmail: OWNER_EMAIL, ports, pauseMs: PAUSE_MS });
  onTestFinished(() => hostile.stop());
  const { alone, beside, requests, answers } = await soak(instances, hostile);
  report(context, { name, instances, alone, beside, requests, answers });
  for (const instance of instances) await instance.stop();
  await verifyStore(url);
});

async function soak(instances: readonly Subject[], hostile: HostileTenant) {
  const alone: number[] = [];
  const beside: number[] = [];
  const answers: Record<string, Record<string, number>> = {};
  let requests = 0;
  const measure = async (window: number) => {
    const subject = instances[window % instances.length];
    if (subject === undefined) throw new Error('There are no instances');
    const load = await measureLoad({ subject, seconds: SECONDS, ...LIGHT });
    requests += load.requests;
    return percentile(load, 0.99);
  };
  await measure(0);
  const end = Date.now() + MINUTES * 60_000;
  for (let round = 0; Date.now() < end; round += 1) {
    alone.push(await measure(round));
    await hostile.begin(ATTACKS);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    for (let window = 0; window < WINDOWS_PER_PAUSE; window += 1) beside.push(await measure(window));
    addAnswers(answers, await hostile.end());
    const minutes = ((Date.now() - end) / 60_000 + MINUTES).toFixed(1);
    const memory = instances.map(({ pid }) => `${toMegabytes(peakMemoryOf(pid))} MB`).join(', ');
    process.stdout.write(
      `${minutes} min  p99 alone ${median(alone).toFixed(1)} ms, beside ${median(beside).toFixed(1)} ms; ${memory}\n`,
    );
  }
  return { alone, beside, requests, answers };
}

function report(
  context: TestContext,
  given: {
    name: string;
    instances: readonly Subject[];
    alone: readonly number[];
    beside: readonly number[];
    requests: number;
    answers: object;
  },
): void {
  const { name, instances, alone, beside, requests, answers } = given;
  recordFigure(context, {
    name: `p99 of others on ${name} beside all attacks ÷ alone, ${MINUTES} minutes`,
    value: median(beside) / median(alone),
    goal: { atMost: MAX_RATIO_OF_P99 },
    behind: `${median(beside).toFixed(1)} ms beside, ${median(alone).toFixed(1)} ms alone; ${requests} requests of others, none failed; the attacks were answered ${JSON.stringify(answers)}`,
    samples: { 'beside, ms': beside, 'alone, ms': alone },
  });
  const memory = instances.map(({ pid }) => toMegabytes(peakMemoryOf(pid)));
  recordFigure(context, {
    name: `peak memory of an instance on ${name} beside all attacks, MB`,
    value: Math.max(...memory),
    goal: { atMost: MAX_MEMORY_MB },
    behind: memory.map((megabytes) => `${megabytes} MB`).join(', '),
    samples: { MB: memory },
  });
}

function addAnswers(
  totals: Record<string, Record<string, number>>,
  answers: Readonly<Record<string, Readonly<Record<string, number>>>>,
): void {
  for (const [attack, statuses] of Object.entries(answers)) {
    const total = totals[attack] ?? {};
    totals[attack] = total;
    for (const [status, count] of Object.entries(statuses)) total[status] = (total[status] ?? 0) + count;
  }
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
