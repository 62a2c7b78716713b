/** SIGKILL at any moment: every acknowledged write is present exactly once, no counter drifts, and recovery is fast. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { openStore } from '../../src/store/open-store.js';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.js';
import type { Store } from '../../src/store/store.js';
import { AcknowledgedLoad } from '../support/acknowledged-load.js';
import { ApiClient } from '../support/api-client.js';
import { campaignSeed, campaignSize, isFullSize, reportCampaign } from '../support/campaign.js';
import { type LoadWorkspace, registerLoadWorkspace } from '../support/load-workspace.js';
import {
  endProcess,
  launchServiceProcess,
  runCommand,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.js';

const CYCLES = campaignSize({ short: 5, full: 200 });
const FIRST_STARTS = campaignSize({ short: 3, full: 40 });
const CLIENTS = 16;
/** Initial estimate of a start; later kills use the duration of the last start times STARTING_SHARE. */
const STARTING_MS = 800;
const STARTING_SHARE = 1.2;
const LOAD_MS = 600;
const IDLE_MS = 50;
/** Limit of the median start, in full size: a short run may share its machine with anything. */
const READY_MS = 2_000;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-crash-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test(`${CYCLES} kills under load, idle and while starting lose nothing and repeat nothing`, async () => {
  const seed = campaignSeed('crash');
  const random = new SeededRandom(seed);
  const crashes = new CrashingService(join(folder, 'crash.db'));
  const { apiKey, workspaceId } = await crashes.firstStart();
  const load = new AcknowledgedLoad({ urls: crashes.urls, apiKey, clients: CLIENTS, seed, keyedShare: 0.5 });
  const killsAt: Record<Moment, number> = { load: 0, rest: 0, starting: 0 };
  let unansweredStarts = 0;

  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    const moment = MOMENTS[cycle % MOMENTS.length] ?? 'load';
    killsAt[moment] += 1;
    await crashes.kill({ moment, random, load });
    const found = await crashes.restart((store) => load.expectStored(store, workspaceId));
    unansweredStarts += found.unansweredStarts;
    load.resume();
  }

  await load.stop();
  const everything = await crashes.withStore((store) => load.expectAllStored(store, workspaceId));
  expect(everything.runs).toBeGreaterThan(0);
  expect(await crashes.stop()).toBe(0);
  const verified = runCommand(['verify'], crashes.environment);
  expect(verified.stdout).toContain('0 differences');
  expect(verified.code).toBe(0);

  const readyMs = [...crashes.readyMs].sort((left, right) => left - right);
  const medianMs = readyMs[Math.floor(readyMs.length / 2)] ?? 0;
  reportCampaign('crash', {
    ...Object.fromEntries(Object.entries(killsAt).map(([moment, kills]) => [`kills (${moment})`, kills])),
    'acknowledged writes': load.acknowledgedCount,
    'runs looked up': everything.runs,
    'done but not answered': unansweredStarts,
    'retries with a key': load.retriedCount,
    'ready in ms (median)': medianMs.toFixed(0),
    'ready in ms (slowest)': readyMs.at(-1)?.toFixed(0) ?? '',
    [`starts over ${READY_MS} ms`]: readyMs.filter((ms) => ms > READY_MS).length,
  });
  if (isFullSize) expect(medianMs).toBeLessThan(READY_MS);
}, 3_600_000);

test(`${FIRST_STARTS} kills while the database is being created leave one that can be opened`, async () => {
  const random = new SeededRandom(campaignSeed('crash at first start'));
  let startMs = STARTING_MS;
  for (let index = 0; index < FIRST_STARTS; index += 1) {
    const crashes = new CrashingService(join(folder, `first-${index}.db`));
    await crashes.killAfterStart(random.between(0, startMs * STARTING_SHARE));
    await crashes.firstStart();
    startMs = crashes.lastStartMs;
    await crashes.withStore(async (store) => expect(await store.runs.countActive()).toBe(0));
    expect(await crashes.stop()).toBe(0);
  }
}, 3_600_000);

/** `load`: while it answers 16 clients. `rest`: while it is idle. `starting`: twice, the second time while it recovers. */
const MOMENTS = ['load', 'starting', 'rest', 'load'] as const;
type Moment = (typeof MOMENTS)[number];

/** The service on one file, across its crashes. */
class CrashingService {
  readonly environment: Record<string, string>;
  readonly readyMs: number[] = [];
  readonly #file: string;
  #service: ServiceProcess | null = null;

  constructor(file: string) {
    this.#file = file;
    this.environment = { DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'fatal', DEFAULT_PLAN: 'enterprise' };
  }

  get lastStartMs(): number {
    return this.readyMs.at(-1) ?? STARTING_MS;
  }

  readonly urls = (): string[] => (this.#service === null ? [] : [this.#service.url]);

  async firstStart(): Promise<LoadWorkspace> {
    this.#service = await this.#start();
    return registerLoadWorkspace(this.#service.url);
  }

  async kill(given: { moment: Moment; random: SeededRandom; load: AcknowledgedLoad }): Promise<void> {
    const { moment, random, load } = given;
    // Mostly in the first milliseconds after the start, sometimes much later.
    await pause(random.next() ** 3 * LOAD_MS);
    if (moment === 'rest') {
      await load.pause();
      await pause(random.between(0, IDLE_MS));
    }
    await this.#crash();
    if (moment === 'starting')
      await this.killAfterStart(random.between(0, this.lastStartMs * STARTING_SHARE));
  }

  /** Kills it the given time after its start. */
  async killAfterStart(milliseconds: number): Promise<void> {
    const child = launchServiceProcess(this.environment);
    await pause(milliseconds);
    await endProcess(child, 'SIGKILL');
  }

  /**
   * The service opens the file first, so that it performs the recovery; the load resumes when all acknowledged writes have
   * been checked.
   */
  async restart<Result>(lookUp: (store: Store) => Promise<Result>): Promise<Result> {
    const service = await this.#start();
    const result = await this.withStore(lookUp);
    this.#service = service;
    return result;
  }

  /** While the service runs, as an operator would do it; the file must be intact. */
  async withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result> {
    const database = await SqliteDatabase.open(this.#file);
    expect(database.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    database.close();
    const store = await openStore({ databaseUrl: `sqlite:${this.#file}` });
    try {
      expect((await store.maintenance.verify()).differences).toEqual([]);
      return await work(store);
    } finally {
      await store.close();
    }
  }

  async stop(): Promise<number | null> {
    return this.#service?.stop('SIGTERM') ?? null;
  }

  async #crash(): Promise<void> {
    const service = this.#service;
    this.#service = null;
    await service?.stop('SIGKILL');
  }

  async #start(): Promise<ServiceProcess> {
    const begun = performance.now();
    const service = await startServiceProcess(this.environment);
    while ((await new ApiClient(service.url, null).get('/health')).status !== 200) await pause(1);
    this.readyMs.push(performance.now() - begun);
    return service;
  }
}
