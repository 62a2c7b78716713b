/**
 * The latency of a decision: at half of the capacity of the service, compared with the yardstick at the same rate; and idle,
 * compared with the yardstick plus one write to the disk, which is the minimum for a durable answer.
 */

import { type TestContext, test } from 'vitest';
import { campaignSize } from '../../server/test/support/campaign.js';
import { syncTimes } from '../disk-sync.js';
import { median, medianRatio, recordFigure } from '../figure.js';
import { inTurns } from '../in-turns.js';
import { percentile } from '../load-client.js';
import { measureLoad } from '../measure-load.js';
import {
  type BenchDatabase,
  newPostgresDatabase,
  newSqliteDatabase,
  type Subject,
  startPostgresServer,
  startService,
  startYardstick,
  verifyStore,
} from '../subjects.js';

const CONNECTIONS = 64;
const WORKSPACES = 10;
const ROUNDS = campaignSize({ short: 3, full: 9 });
const WARM_UP_ROUNDS = 1;
const CAPACITY_ROUNDS = 3;
const SECONDS = campaignSize({ short: 1, full: 6 });
const MAX_RATIO_OF_P99 = 4;
/** Far below the capacity of all subjects, and the same for all: threads sleep between two requests and have to wake up. */
const IDLE_RATE = 100;
const SYNCS = campaignSize({ short: 25, full: 200 });

test('latency on SQLite', async (context) => measureLatency(context, await newSqliteDatabase()));

test('latency on PostgreSQL', async (context) =>
  measureLatency(context, await newPostgresDatabase(await startPostgresServer())));

async function measureLatency(context: TestContext, database: BenchDatabase): Promise<void> {
  const yardstick = await startYardstick();
  const service = await startService({
    name: database.name,
    databaseUrl: database.url,
    workspaces: WORKSPACES,
  });
  await measureHalfLoad({ context, yardstick, service });
  await measureIdle({ context, yardstick, service });
  await service.stop();
  await verifyStore(database.url);
}

interface Pair {
  readonly context: TestContext;
  readonly yardstick: Subject;
  readonly service: Subject;
}

async function measureHalfLoad({ context, yardstick, service }: Pair): Promise<void> {
  const load = { connections: CONNECTIONS, seconds: SECONDS };
  const full = await inTurns({
    subjects: [yardstick, service],
    rounds: WARM_UP_ROUNDS + CAPACITY_ROUNDS,
    measure: (subject) => measureLoad({ subject, ...load }),
  });
  const rate = median((full.get(service) ?? []).slice(WARM_UP_ROUNDS).map((one) => one.rate)) / 2;
  const measured = await inTurns({
    subjects: [yardstick, service],
    rounds: ROUNDS,
    measure: (subject) => measureLoad({ subject, ...load, rate }),
  });
  const at = (subject: Subject, share: number) =>
    (measured.get(subject) ?? []).map((result) => percentile(result, share));
  const describe = (subject: Subject) =>
    `${subject.name} p50 ${median(at(subject, 0.5)).toFixed(2)} ms, p99 ${median(at(subject, 0.99)).toFixed(2)} ms`;
  recordFigure(context, {
    name: `p99 on ${service.name} ÷ bare framework, at half of capacity`,
    value: medianRatio(at(service, 0.99), at(yardstick, 0.99)),
    goal: { atMost: MAX_RATIO_OF_P99 },
    behind: `${describe(service)}; ${describe(yardstick)}; ${Math.round(rate)}/s each`,
    samples: {
      [`${service.name}, p50 ms`]: at(service, 0.5),
      [`${service.name}, p99 ms`]: at(service, 0.99),
      'yardstick, p50 ms': at(yardstick, 0.5),
      'yardstick, p99 ms': at(yardstick, 0.99),
    },
  });
}

/** One connection at a low rate; the disk is measured in the same rounds at the same rate. */
async function measureIdle({ context, yardstick, service }: Pair): Promise<void> {
  const syncMs: number[] = [];
  const measured = await inTurns({
    subjects: [yardstick, service],
    rounds: ROUNDS,
    measure: async (subject) => {
      if (subject === service) syncMs.push(median(await syncTimes({ count: SYNCS, rate: IDLE_RATE })));
      const load = { subject, connections: 1, rate: IDLE_RATE, seconds: SECONDS / 2 };
      return percentile(await measureLoad(load), 0.5);
    },
  });
  const [bare = [], ours = []] = [yardstick, service].map((subject) => measured.get(subject));
  recordFigure(context, {
    name: `p50 on ${service.name} ÷ (bare framework + one sync), idle`,
    value: median(ours) / (median(bare) + median(syncMs)),
    goal: { atMost: 1 },
    behind: `${service.name} ${median(ours).toFixed(2)} ms; yardstick ${median(bare).toFixed(2)} ms; one sync ${median(syncMs).toFixed(2)} ms`,
    samples: { [`${service.name}, p50 ms`]: ours, 'yardstick, p50 ms': bare, 'one sync, ms': syncMs },
  });
}
