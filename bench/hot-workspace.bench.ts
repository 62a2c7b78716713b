/**
 * One hot workspace on PostgreSQL, with durable commits: run starts that share a transaction against one transaction
 * for each. Both are measured in turns in the same run, and the medians are compared.
 */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { uuidV7 } from '../server/src/domain/uuid.js';
import { LocalCommitter } from '../server/src/engine/batch-committer.js';
import type { Caller } from '../server/src/engine/command.js';
import { Engine } from '../server/src/engine/engine.js';
import { openStore } from '../server/src/store/open-store.js';
import { PostgresServer } from '../server/test/support/postgres-server.js';
import { newTenant } from '../server/test/support/store-fixture.js';
import { createPostgresDatabase } from '../server/test/support/test-database.js';

const TURNS = 5;
const TURN_MS = 2_000;
const CLIENTS = 256;
const WANTED_RATIO = 5;

/** What a thousand starts cost: CPU of this process and of the server, and what the server writes for them. */
interface Cost {
  readonly nodeMs: number;
  readonly serverMs: number;
  readonly walKilobytes: number;
}

const newId = () => uuidV7(Date.now(), randomUUID());

test('starts in one workspace: batched against one transaction each', async () => {
  const server = await PostgresServer.start({ fsync: true });
  try {
    const { url } = await createPostgresDatabase(server.url);
    const store = await openStore({ databaseUrl: url, poolMax: 10, timeoutMs: 60_000 });
    const tenant = newTenant({
      newId,
      now: Date.now(),
      email: 'a@example.com',
      name: 'Hot',
      plan: 'enterprise',
    });
    const workspace = { ...tenant.workspace, maxConcurrentRuns: 1_000_000_000 };
    await store.accounts.register(tenant.account, workspace, tenant.apiKey);
    const observer = { batchCommitted: () => {}, decided: () => {} };
    const single = new Engine({ committer: new LocalCommitter(store.batches), observer, maxBatchSize: 1 });
    const batched = new Engine({ committer: new LocalCommitter(store.batches), observer });

    const rates: Record<'single' | 'batched', number[]> = { single: [], batched: [] };
    await startsPerSecond(batched, tenant.caller, 500);
    for (let turn = 0; turn < TURNS; turn += 1) {
      rates.single.push(await startsPerSecond(single, tenant.caller, TURN_MS));
      rates.batched.push(await startsPerSecond(batched, tenant.caller, TURN_MS));
    }
    const cost = await costPerThousand(server, url, () => startsIn(batched, tenant.caller, TURN_MS));
    const ratio = median(rates.batched) / median(rates.single);
    console.log(`
  one transaction each   ${describe(rates.single)}
  batched                ${describe(rates.batched)}
  ratio of the medians   ${ratio.toFixed(1)} (${CLIENTS} clients, ${TURNS} turns of ${TURN_MS} ms)
  1,000 batched starts   ${cost.nodeMs.toFixed(0)} ms CPU here, ${cost.serverMs.toFixed(0)} ms CPU in PostgreSQL, ${cost.walKilobytes.toFixed(0)} kB of WAL
`);
    expect((await store.maintenance.verify()).differences).toEqual([]);
    expect(ratio).toBeGreaterThanOrEqual(WANTED_RATIO);
    await store.close();
  } finally {
    await server.stop();
  }
});

async function startsPerSecond(engine: Engine, caller: Caller, durationMs: number): Promise<number> {
  const begun = performance.now();
  const count = await startsIn(engine, caller, durationMs);
  return (count * 1_000) / (performance.now() - begun);
}

async function startsIn(engine: Engine, caller: Caller, durationMs: number): Promise<number> {
  const begun = performance.now();
  let count = 0;
  const client = async (index: number) => {
    while (performance.now() - begun < durationMs) {
      await engine.startRun(caller, { id: newId(), userId: `user-${index}`, metadata: null });
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  return count;
}

async function costPerThousand(
  server: PostgresServer,
  url: string,
  work: () => Promise<number>,
): Promise<Cost> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const walBytes = async () =>
    Number((await client.query(`SELECT pg_current_wal_lsn() - '0/0' AS bytes`)).rows[0].bytes);
  const [cpuBefore, serverBefore, walBefore] = [process.cpuUsage(), server.cpuMs(), await walBytes()];
  const count = await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  const cost = {
    nodeMs: user + system,
    serverMs: (server.cpuMs() - serverBefore) * 1_000,
    walKilobytes: ((await walBytes()) - walBefore) / 1.024,
  };
  await client.end();
  // Microseconds for one are milliseconds for a thousand.
  return {
    nodeMs: cost.nodeMs / count,
    serverMs: cost.serverMs / count,
    walKilobytes: cost.walKilobytes / count,
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function describe(rates: readonly number[]): string {
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  return `${Math.round(median(rates))} starts/s (from ${Math.round(low)} to ${Math.round(high)})`;
}
