/** From the start of the process to its first answer: with a full store compared with an empty one. */

import { type TestContext, test } from 'vitest';
import { ApiClient } from '../../server/test/support/api-client.js';
import { campaignSize } from '../../server/test/support/campaign.js';
import { startServiceProcess } from '../../server/test/support/service-process.js';
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
import {
  type BenchDatabase,
  newPostgresDatabase,
  newSqliteDatabase,
  serviceEnvironment,
} from '../subjects.js';

const WARM_UP_ROUNDS = 1;
const ROUNDS = campaignSize({ short: 3, full: 7 });
const GOAL = { atMost: 1.5 };

test('start on SQLite', async (context) =>
  measureStart({ context, empty: await newSqliteDatabase(), full: await filledSqlite(LARGE_STORE_RUNS) }));

test('start on PostgreSQL', async (context) => {
  const server = await startFilledPostgresServer();
  const empty = await newPostgresDatabase(server);
  await measureStart({ context, empty, full: await filledPostgres(server, LARGE_STORE_RUNS) });
});

/** The first round also migrates the empty store, so it does not count. */
async function measureStart(given: {
  context: TestContext;
  empty: BenchDatabase;
  full: FilledStore;
}): Promise<void> {
  const { context, empty, full } = given;
  const subjects = [empty, full];
  const measure = ({ url }: { url: string }) => firstAnswerMs(url);
  await inTurns({ subjects, rounds: WARM_UP_ROUNDS, measure });
  const times = await inTurns({ subjects, rounds: ROUNDS, measure });
  const [emptyMs = [], fullMs = []] = subjects.map((subject) => times.get(subject));
  recordFigure(context, {
    name: `start on ${empty.name}, ${full.steps} steps ÷ empty store`,
    value: median(fullMs) / median(emptyMs),
    goal: GOAL,
    behind: `full ${median(fullMs).toFixed(0)} ms, empty ${median(emptyMs).toFixed(0)} ms`,
    samples: { 'full, ms': fullMs, 'empty, ms': emptyMs },
  });
}

async function firstAnswerMs(databaseUrl: string): Promise<number> {
  const begun = performance.now();
  const service = await startServiceProcess(serviceEnvironment(databaseUrl));
  try {
    expectStatus(await new ApiClient(service.url, null).get('/health'), 200);
    return performance.now() - begun;
  } finally {
    await service.stop('SIGTERM');
  }
}
