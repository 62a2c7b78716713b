/** The cost of an Idempotency-Key, which the SDK sends with every write: the same load with and without it, in turns. */

import { createHash, randomUUID } from 'node:crypto';
import { type TestContext, test } from 'vitest';
import { openStore } from '../../server/src/store/open-store.js';
import { campaignSize } from '../../server/test/support/campaign.js';
import { median, medianRatio, recordFigure } from '../figure.js';
import { inTurns } from '../in-turns.js';
import { percentile } from '../load-client.js';
import { type LoadMeasurement, measureLoad } from '../measure-load.js';
import {
  type BenchDatabase,
  newPostgresDatabase,
  newSqliteDatabase,
  type Subject,
  startPostgresServer,
  startService,
  verifyStore,
} from '../subjects.js';

const CONNECTIONS = 64;
const WORKSPACES = 10;
const WARM_UP_ROUNDS = 1;
const ROUNDS = campaignSize({ short: 5, full: 11 });
const SECONDS = campaignSize({ short: 2, full: 6 });
/** Far below the capacity of the service. */
const REST = { connections: 16, rate: 100 };
const FULL = { connections: CONNECTIONS };
const MIN_RATE = 0.9;
const MAX_LATENCY = 1.2;
/** Records that are two days old; more than the load writes. */
const OLD_RECORDS = 200_000;
const OLD_AGE_MS = 48 * 60 * 60 * 1000;
const RECORDS_PER_CHUNK = 1_000;
const DELETION_SECONDS = 20;
/** Deletion keeps up when it is at least as fast as writing. */
const MIN_DELETION = 1;

test('idempotency keys on SQLite', async (context) => measureKeys(context, await newSqliteDatabase()));

test('idempotency keys on PostgreSQL', async (context) =>
  measureKeys(context, await newPostgresDatabase(await startPostgresServer())));

test('deletion of idempotency records on SQLite', async (context) =>
  measureDeletion(context, await newSqliteDatabase()));

test('deletion of idempotency records on PostgreSQL', async (context) =>
  measureDeletion(context, await newPostgresDatabase(await startPostgresServer())));

async function measureDeletion(context: TestContext, { name, url }: BenchDatabase): Promise<void> {
  const store = await openStore({ databaseUrl: url });
  const createdAt = BigInt(Date.now() - OLD_AGE_MS);
  for (let first = 0; first < OLD_RECORDS; first += RECORDS_PER_CHUNK) {
    await store.copy.writeRows('remembered_answers', oldRecords(first, createdAt));
  }
  const service = await startService({ name, databaseUrl: url, workspaces: WORKSPACES });
  const { requests, rate } = await measureLoad({
    subject: service,
    seconds: DELETION_SECONDS,
    isKeyed: true,
    ...FULL,
  });
  const deleted = OLD_RECORDS + requests - (await store.copy.countRows('remembered_answers'));
  recordFigure(context, {
    name: `idempotency records deleted ÷ written at full load on ${name}`,
    value: deleted / requests,
    goal: { atLeast: MIN_DELETION },
    behind: `${deleted} of ${OLD_RECORDS} old records deleted within ${DELETION_SECONDS} s, ${requests} written, ${Math.round(rate)}/s`,
    samples: { deleted: [deleted], written: [requests] },
  });
  await service.stop();
  await store.close();
}

function oldRecords(first: number, createdAt: bigint) {
  return Array.from({ length: RECORDS_PER_CHUNK }, (_, index) => ({
    workspace_id: randomUUID(),
    key_hash: hashOf(`key ${first + index}`),
    request_hash: hashOf(`request ${first + index}`),
    answer: JSON.stringify({ id: randomUUID(), status: 'COMPLETED' }),
    created_at: createdAt,
  }));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

async function measureKeys(context: TestContext, { name, url }: BenchDatabase): Promise<void> {
  const service = await startService({ name, databaseUrl: url, workspaces: WORKSPACES });
  const full = await measureInTurns(service, FULL);
  const rates = { keyed: full.keyed.map(({ rate }) => rate), plain: full.plain.map(({ rate }) => rate) };
  recordFigure(context, {
    name: `throughput on ${name} with Idempotency-Key ÷ without`,
    value: medianRatio(rates.keyed, rates.plain),
    goal: { atLeast: MIN_RATE },
    behind: `${Math.round(median(rates.keyed))}/s with, ${Math.round(median(rates.plain))}/s without`,
    samples: { 'with, requests/s': rates.keyed, 'without, requests/s': rates.plain },
  });
  const rest = await measureInTurns(service, REST);
  for (const [load, measured] of Object.entries({ 'at full load': full, 'at rest': rest })) {
    for (const share of [0.9, 0.99]) {
      const of = (results: readonly LoadMeasurement[]) => results.map((one) => percentile(one, share));
      const percent = `p${share * 100}`;
      recordFigure(context, {
        name: `${percent} on ${name} ${load} with Idempotency-Key ÷ without`,
        value: medianRatio(of(measured.keyed), of(measured.plain)),
        goal: { atMost: MAX_LATENCY },
        behind: `${median(of(measured.keyed)).toFixed(1)} ms with, ${median(of(measured.plain)).toFixed(1)} ms without`,
        samples: { 'with, ms': of(measured.keyed), 'without, ms': of(measured.plain) },
      });
    }
  }
  await service.stop();
  await verifyStore(url);
}

async function measureInTurns(subject: Subject, load: { connections: number; rate?: number }) {
  const measured = await inTurns({
    subjects: ['plain', 'keyed'] as const,
    rounds: WARM_UP_ROUNDS + ROUNDS,
    measure: (kind) => measureLoad({ subject, seconds: SECONDS, isKeyed: kind === 'keyed', ...load }),
  });
  const of = (kind: 'plain' | 'keyed') => (measured.get(kind) ?? []).slice(WARM_UP_ROUNDS);
  return { plain: of('plain'), keyed: of('keyed') };
}
