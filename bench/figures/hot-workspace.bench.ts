/**
 * One hot workspace on PostgreSQL, with durable commits: run starts that share transactions compared with one transaction
 * each, from one instance and from several. An instance is a separate process with an engine and its clients, without HTTP:
 * the figure is about the data plane.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { onTestFinished, type TestContext, test } from 'vitest';
import { uuidV7 } from '../../server/src/domain/uuid.js';
import type { Caller } from '../../server/src/engine/command.js';
import { openStore } from '../../server/src/store/open-store.js';
import { BY_TEST } from '../../server/test/support/by-test.js';
import { campaignSize } from '../../server/test/support/campaign.js';
import { newTenant } from '../../server/test/support/store-fixture.js';
import { median, recordFigure } from '../figure.js';
import { inTurns } from '../in-turns.js';
import { type BenchDatabase, newPostgresDatabase, startPostgresServer, verifyStore } from '../subjects.js';

const INSTANCE = fileURLToPath(new URL('../hot-workspace-instance.js', import.meta.url));
const INSTANCE_COUNTS = [1, 2, 4];
/** Over all instances. */
const CLIENTS = 256;
const ROUNDS = campaignSize({ short: 5, full: 9 });
const TURN_MS = campaignSize({ short: 600, full: 3_000 });
const WARM_UP_MS = 500;
const GOAL = 5;

type Mode = 'single' | 'batched';
const MODES: readonly Mode[] = ['single', 'batched'];

interface InstanceResult {
  readonly rate: number;
  readonly count: number;
  readonly cpuMs: number;
}

/** The results of all instances in one turn. */
interface Turn extends InstanceResult {
  readonly databaseCpuMs: number;
  readonly walKilobytes: number;
}

test('hot workspace', async (context) => {
  const database = await newPostgresDatabase(await startPostgresServer());
  const caller = await registerHotWorkspace(database.url);
  for (const count of INSTANCE_COUNTS) await measureInstances({ context, database, caller, count });
  await verifyStore(database.url);
});

async function measureInstances(given: {
  context: TestContext;
  database: BenchDatabase;
  caller: Caller;
  count: number;
}): Promise<void> {
  const { context, database, caller, count } = given;
  const instances = await Promise.all(Array.from({ length: count }, () => Instance.start(database.url)));
  const wal = await WalMeter.open(database.url);
  const turn = async (mode: Mode, durationMs: number): Promise<Turn> => {
    const [cpuBefore, walBefore] = [database.cpuMs(), await wal.kilobytes()];
    const task = { mode, caller, clients: CLIENTS / count, durationMs };
    const results = await Promise.all(instances.map((instance) => instance.startRuns(task)));
    const total = (of: (result: InstanceResult) => number) => results.reduce((sum, one) => sum + of(one), 0);
    return {
      rate: total(({ rate }) => rate),
      count: total((one) => one.count),
      cpuMs: total(({ cpuMs }) => cpuMs),
      databaseCpuMs: database.cpuMs() - cpuBefore,
      walKilobytes: (await wal.kilobytes()) - walBefore,
    };
  };
  await turn('batched', WARM_UP_MS);
  const turns = await inTurns({ subjects: MODES, rounds: ROUNDS, measure: (mode) => turn(mode, TURN_MS) });
  await wal.close();
  for (const instance of instances) instance.stop();

  const [single = [], batched = []] = MODES.map((mode) => turns.get(mode));
  const rates = { single: single.map(({ rate }) => rate), batched: batched.map(({ rate }) => rate) };
  recordFigure(context, {
    name: `hot workspace, batched ÷ one transaction each, instances: ${count}`,
    value: median(rates.batched) / median(rates.single),
    goal: { atLeast: GOAL },
    behind: `batched ${Math.round(median(rates.batched))} starts/s (${costText(batched)}); one each ${Math.round(median(rates.single))} starts/s (${costText(single)})`,
    samples: { 'batched, starts/s': rates.batched, 'one transaction each, starts/s': rates.single },
  });
}

function costText(turns: readonly Turn[]): string {
  const perThousand = (of: (turn: Turn) => number) =>
    Math.round(median(turns.map((turn) => (of(turn) * 1_000) / turn.count)));
  return (
    `1,000 cost ${perThousand(({ cpuMs }) => cpuMs)} ms CPU, ` +
    `${perThousand(({ databaseCpuMs }) => databaseCpuMs)} ms in the database, ` +
    `${perThousand(({ walKilobytes }) => walKilobytes)} kB of WAL`
  );
}

async function registerHotWorkspace(databaseUrl: string): Promise<Caller> {
  const store = await openStore({ databaseUrl });
  const newId = () => uuidV7(Date.now(), randomUUID());
  const { account, workspace, apiKey, caller } = newTenant({
    newId,
    now: Date.now(),
    email: 'hot@example.com',
    name: 'Hot',
    plan: 'enterprise',
  });
  await store.accounts.register(
    { account, workspace: { ...workspace, maxConcurrentRuns: 1_000_000_000 }, apiKey },
    BY_TEST,
  );
  await store.close();
  return caller;
}

class Instance {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(databaseUrl: string): Promise<Instance> {
    const child = fork(INSTANCE, [databaseUrl], { execArgv: [] });
    onTestFinished(() => void child.kill());
    const instance = new Instance(child);
    await instance.#answer();
    return instance;
  }

  async startRuns(task: {
    mode: Mode;
    caller: Caller;
    clients: number;
    durationMs: number;
  }): Promise<InstanceResult> {
    const answer = this.#answer();
    this.#child.send(task);
    return (await answer) as InstanceResult;
  }

  stop(): void {
    this.#child.kill();
  }

  async #answer(): Promise<unknown> {
    const waiting = new AbortController();
    const ended = once(this.#child, 'exit', waiting).then(() => [{ error: 'it ended' }]);
    ended.catch(() => {});
    const [{ result, error }] = await Promise.race([once(this.#child, 'message', waiting), ended]);
    waiting.abort();
    if (error !== undefined) throw new Error(`An instance failed: ${error}`);
    return result;
  }
}

class WalMeter {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(databaseUrl: string): Promise<WalMeter> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return new WalMeter(client);
  }

  async kilobytes(): Promise<number> {
    const { rows } = await this.#client.query(`SELECT pg_current_wal_lsn() - '0/0' AS bytes`);
    return Number(rows[0].bytes) / 1_024;
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
