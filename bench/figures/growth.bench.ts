/**
 * The effect of a month of use: decisions with a full store compared with an empty one, and the pages of the dashboard with a
 * full store compared with one that has 10,000 runs.
 */

import { type TestContext, test } from 'vitest';
import { ApiClient } from '../../server/test/support/api-client.js';
import { campaignSize } from '../../server/test/support/campaign.js';
import { RawConnection, rawRequest } from '../../server/test/support/raw-http.js';
import { expectStatus } from '../../server/test/support/test-service.js';
import { median, recordFigure } from '../figure.js';
import {
  type FilledStore,
  filledPostgres,
  filledSqlite,
  LARGE_STORE_RUNS,
  startFilledPostgresServer,
} from '../filled-store.js';
import { inTurns } from '../in-turns.js';
import { percentile } from '../load-client.js';
import { describeLoad, measureLoad, measureLoadInTurns } from '../measure-load.js';
import {
  type BenchDatabase,
  newPostgresDatabase,
  newSqliteDatabase,
  type Subject,
  startService,
  verifyStore,
} from '../subjects.js';

const SMALL_STORE_RUNS = 10_000;
const CONNECTIONS = 64;
const WARM_UP_ROUNDS = 1;
const ROUNDS = campaignSize({ short: 5, full: 9 });
const SECONDS = campaignSize({ short: 1, full: 6 });
const DAY_MS = 86_400_000;
/** The fill has none. */
const DENIED_RUNS = 20;
const PAGE_ROUNDS = campaignSize({ short: 15, full: 51 });
const GOALS = { throughput: { atLeast: 0.9 }, p99: { atMost: 1.5 }, page: { atMost: 2 } };

/** Small pages, so that the store of 10,000 runs also has a thousandth page. */
const PAGES: Readonly<Record<string, string>> = {
  'run list, page 1': '/v1/runs/?per_page=5',
  'run list, page 1000': '/v1/runs/?per_page=5&page=1000',
  'run list, filtered by status, page 1': '/v1/runs/?per_page=5&status=COMPLETED',
  'run list, filtered by status, page 1000': '/v1/runs/?per_page=5&page=1000&status=COMPLETED',
  'run list, filtered by user, page 1': '/v1/runs/?per_page=5&user_id=user-7',
  'runs of a day': '/v1/runs/?per_page=5&from={from}&to={to}',
  'failed runs of a day': '/v1/runs/?per_page=5&status=FAILED&from={from}&to={to}',
  'stopped runs': '/v1/runs/?per_page=5&end_reason=STOPPED',
  'runs denied for a reason': '/v1/runs/?per_page=5&deny_reason=USER_BLOCKED',
  'runs by an entry of metadata': '/v1/runs/?per_page=5&metadata=plan%3Dplan-3',
  'runs of a user by an entry of metadata': '/v1/runs/?per_page=5&metadata=source%3Dfill&user_id=user-7',
  'search for a run': '/v1/search?q={run}',
  'search for a user': '/v1/search?q=user-7',
  'export of the runs of a user': '/v1/runs/export?user_id=denied-user',
  'run detail': '/v1/runs/{run}',
  'usage summary': '/v1/usage/summary',
  'usage by day': '/v1/usage/daily?days=30',
  'user list, page 1': '/v1/users/?per_page=5',
  'users by a prefix': '/v1/users/?per_page=5&search=user-7',
  'users by spend': '/v1/users/?per_page=5&sort=spend',
  'page of a user': '/v1/users/user-7?days=30',
  'page of a model': '/v1/models/gpt-4o?days=30',
};

test('growth on SQLite', async (context) => {
  await measureGrowth({
    context,
    empty: await newSqliteDatabase(),
    small: await filledSqlite(SMALL_STORE_RUNS),
    large: await filledSqlite(LARGE_STORE_RUNS),
  });
});

test('growth on PostgreSQL', async (context) => {
  const server = await startFilledPostgresServer();
  await measureGrowth({
    context,
    empty: await newPostgresDatabase(server),
    small: await filledPostgres(server, SMALL_STORE_RUNS),
    large: await filledPostgres(server, LARGE_STORE_RUNS),
  });
});

async function measureGrowth(given: {
  context: TestContext;
  empty: BenchDatabase;
  small: FilledStore;
  large: FilledStore;
}): Promise<void> {
  const { context, empty, small, large } = given;
  recordSize({ context, store: empty.name, large });
  const services = {
    empty: await startService({ name: 'empty', databaseUrl: empty.url, workspaces: large.apiKeys.length }),
    small: await startService({ name: 'small', databaseUrl: small.url, apiKeys: small.apiKeys }),
    large: await startService({ name: 'full', databaseUrl: large.url, apiKeys: large.apiKeys }),
  };
  await measurePages({ context, store: empty.name, small: services.small, large: services.large });
  await measureDecisions({ context, database: empty, empty: services.empty, large: services.large });
  for (const service of Object.values(services)) await service.stop();
  for (const { url } of [empty, small, large]) await verifyStore(url);
}

function recordSize(given: { context: TestContext; store: string; large: FilledStore }): void {
  const { context, store, large } = given;
  recordFigure(context, {
    name: `bytes per step on ${store}`,
    value: large.bytes / large.steps,
    goal: null,
    behind: `${(large.bytes / 1e6).toFixed(0)} MB with ${large.runs} runs and ${large.steps} steps, filled in ${large.fillSeconds.toFixed(0)} s`,
    samples: {},
  });
}

async function measureDecisions(given: {
  context: TestContext;
  database: BenchDatabase;
  empty: Subject;
  large: Subject;
}): Promise<void> {
  const { context, database, empty, large } = given;
  const load = { connections: CONNECTIONS, seconds: SECONDS };
  const subjects = [empty, large];
  const measuredOf = await measureLoadInTurns({
    subjects,
    databaseOf: () => database,
    rounds: ROUNDS,
    ...load,
  });
  const ratesOf = (subject: Subject) => measuredOf(subject).map(({ rate }) => rate);
  recordFigure(context, {
    name: `throughput on ${database.name}, full store ÷ empty store`,
    value: median(ratesOf(large)) / median(ratesOf(empty)),
    goal: GOALS.throughput,
    behind: subjects.map((subject) => describeLoad(subject.name, measuredOf(subject))).join('; '),
    samples: { 'full, requests/s': ratesOf(large), 'empty, requests/s': ratesOf(empty) },
  });

  const rate = median(ratesOf(empty)) / 2;
  const half = await inTurns({
    subjects,
    rounds: ROUNDS,
    measure: async (subject) => percentile(await measureLoad({ subject, database, ...load, rate }), 0.99),
  });
  const [p99Empty = [], p99Large = []] = subjects.map((subject) => half.get(subject));
  recordFigure(context, {
    name: `p99 on ${database.name}, full store ÷ empty store, at half of capacity`,
    value: median(p99Large) / median(p99Empty),
    goal: GOALS.p99,
    behind: `full ${median(p99Large).toFixed(2)} ms, empty ${median(p99Empty).toFixed(2)} ms; ${Math.round(rate)}/s each`,
    samples: { 'full, p99 ms': p99Large, 'empty, p99 ms': p99Empty },
  });
}

async function measurePages(given: {
  context: TestContext;
  store: string;
  small: Subject;
  large: Subject;
}): Promise<void> {
  const { context, store, small, large } = given;
  for (const subject of [small, large]) await startDeniedRuns(subject);
  const readers = [await PageReader.open(small), await PageReader.open(large)];
  for (const [name, path] of Object.entries(PAGES)) {
    await inTurns({ subjects: readers, rounds: WARM_UP_ROUNDS, measure: (reader) => reader.timeMs(path) });
    const times = await inTurns({
      subjects: readers,
      rounds: PAGE_ROUNDS,
      measure: (reader) => reader.timeMs(path),
    });
    const [smallMs = [], largeMs = []] = readers.map((reader) => times.get(reader));
    recordFigure(context, {
      name: `${name} on ${store}, ${LARGE_STORE_RUNS} runs ÷ ${SMALL_STORE_RUNS}`,
      value: median(largeMs) / median(smallMs),
      goal: GOALS.page,
      behind: `${median(largeMs).toFixed(2)} ms, ${median(smallMs).toFixed(2)} ms`,
      samples: { 'full, ms': largeMs, 'small, ms': smallMs },
    });
  }
  for (const reader of readers) reader.close();
}

async function startDeniedRuns({ url, apiKeys }: Subject): Promise<void> {
  const client = new ApiClient(url, apiKeys[0] ?? null);
  expectStatus(await client.post('/v1/users/denied-user/block'), 200);
  for (let run = 0; run < DENIED_RUNS; run += 1) await client.post('/v1/runs/', { user_id: 'denied-user' });
  expectStatus(await client.post('/v1/users/denied-user/unblock'), 200);
}

/** One connection that stays open, like that of a browser; reads the workspace with most of the runs. */
class PageReader {
  readonly #connection: RawConnection;
  readonly #authorization: string;
  /** What stands for itself in a path. */
  #values: Readonly<Record<string, string>> = {};

  private constructor(subject: Subject) {
    this.#connection = new RawConnection(subject.url);
    this.#authorization = `Bearer ${subject.apiKeys[0]}`;
  }

  static async open(subject: Subject): Promise<PageReader> {
    const reader = new PageReader(subject);
    const { items } = JSON.parse(await reader.#read('/v1/runs/?per_page=1&page=1000'));
    const { id, started_at } = items[0];
    const from = Date.parse(started_at);
    reader.#values = {
      run: id,
      from: new Date(from - DAY_MS / 2).toISOString(),
      to: new Date(from + DAY_MS / 2).toISOString(),
    };
    return reader;
  }

  async timeMs(path: string): Promise<number> {
    const begun = performance.now();
    const text = await this.#read(path.replace(/\{(\w+)\}/g, (_, name: string) => this.#values[name] ?? ''));
    const elapsedMs = performance.now() - begun;
    if (text.includes('"items":[]')) throw new Error(`${path} is empty`);
    return elapsedMs;
  }

  close(): void {
    this.#connection.close();
  }

  async #read(path: string): Promise<string> {
    this.#connection.write(rawRequest(`GET ${path} HTTP/1.1`, { authorization: this.#authorization }));
    const { status, text } = await this.#connection.read();
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return text;
  }
}
