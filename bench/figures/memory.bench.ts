/**
 * Whether the process of the service grows with the number of requests: its memory after many requests compared with its
 * memory after few, and its peak with many connections.
 */

import { type TestContext, test } from 'vitest';
import { campaignSize, isFullSize } from '../../server/test/support/campaign.js';
import { median, recordFigure } from '../figure.js';
import { generateLoad } from '../load-client.js';
import { megabytes, residentMegabytes } from '../process-memory.js';
import {
  type BenchDatabase,
  newPostgresDatabase,
  newSqliteDatabase,
  startPostgresServer,
  startService,
  verifyStore,
} from '../subjects.js';

const WORKSPACES = 10;
const CONNECTIONS = 64;
const FEW_REQUESTS = campaignSize({ short: 20_000, full: 100_000 });
const MANY_REQUESTS = campaignSize({ short: 100_000, full: 1_000_000 });
const MANY_CONNECTIONS = 1_000;
const REQUESTS_OF_MANY_CONNECTIONS = campaignSize({ short: 20_000, full: 200_000 });
const GOALS = { growth: { atMost: 1.1 }, peakMegabytes: { atMost: 300 } };

test('memory on SQLite', async (context) => {
  await measureGrowth(context, await newSqliteDatabase());
  await measurePeak(context, await newSqliteDatabase());
});

/** There is no time for both stores in the short form. */
test.runIf(isFullSize)('memory on PostgreSQL', async (context) => {
  const server = await startPostgresServer();
  await measureGrowth(context, await newPostgresDatabase(server));
  await measurePeak(context, await newPostgresDatabase(server));
});

async function measureGrowth(context: TestContext, database: BenchDatabase): Promise<void> {
  const service = await startService({
    name: database.name,
    databaseUrl: database.url,
    workspaces: WORKSPACES,
  });
  await generateLoad({ ...service, connections: CONNECTIONS, requests: FEW_REQUESTS });
  const afterFew = await residentMegabytes(service);
  await generateLoad({ ...service, connections: CONNECTIONS, requests: MANY_REQUESTS - FEW_REQUESTS });
  const afterMany = await residentMegabytes(service);
  recordFigure(context, {
    name: `memory on ${database.name}, after ${MANY_REQUESTS} requests ÷ after ${FEW_REQUESTS}`,
    value: median(afterMany) / median(afterFew),
    goal: GOALS.growth,
    behind: `${median(afterMany).toFixed(0)} MB, ${median(afterFew).toFixed(0)} MB resident`,
    samples: { 'after many, MB': afterMany, 'after few, MB': afterFew },
  });
  await service.stop();
  await verifyStore(database.url);
}

async function measurePeak(context: TestContext, database: BenchDatabase): Promise<void> {
  const service = await startService({
    name: database.name,
    databaseUrl: database.url,
    workspaces: WORKSPACES,
  });
  await generateLoad({
    ...service,
    connections: MANY_CONNECTIONS,
    requests: REQUESTS_OF_MANY_CONNECTIONS,
  });
  recordFigure(context, {
    name: `peak of memory on ${database.name} with ${MANY_CONNECTIONS} connections, MB`,
    value: megabytes(service, 'VmHWM'),
    goal: GOALS.peakMegabytes,
    behind: `after ${REQUESTS_OF_MANY_CONNECTIONS} requests`,
    samples: {},
  });
  await service.stop();
  await verifyStore(database.url);
}
