/**
 * Complete agent runs (start, 3 × create and update a step, end) with durable commits, compared with the bare framework with
 * the same routes, validation and serialisation.
 */

import { test } from 'vitest';
import { campaignSize } from '../../server/test/support/campaign.js';
import { median, medianRatio, recordFigure } from '../figure.js';
import { describeLoad, type LoadMeasurement, measureLoadInTurns } from '../measure-load.js';
import {
  newPostgresDatabase,
  newSqliteDatabase,
  startPostgresServer,
  startService,
  startYardstick,
  verifyStore,
} from '../subjects.js';

const CONNECTIONS = 64;
const ROUNDS = campaignSize({ short: 5, full: 9 });
const SECONDS = campaignSize({ short: 1, full: 6 });
const GOALS = { SQLite: 0.7, PostgreSQL: 0.35 };

for (const workspaces of [1, 100]) {
  test(`throughput, workspaces: ${workspaces}`, async (context) => {
    const yardstick = await startYardstick();
    const databases = [await newSqliteDatabase(), await newPostgresDatabase(await startPostgresServer())];
    const services = await Promise.all(
      databases.map(({ name, url }) => startService({ name, databaseUrl: url, workspaces })),
    );
    const of = await measureLoadInTurns({
      subjects: [yardstick, ...services],
      databaseOf: (subject) => databases[services.indexOf(subject)],
      connections: CONNECTIONS,
      seconds: SECONDS,
      rounds: ROUNDS,
    });
    for (const [index, { name, url }] of databases.entries()) {
      const service = services[index] ?? yardstick;
      recordFigure(context, {
        name: `throughput on ${name} ÷ bare framework, workspaces: ${workspaces}`,
        value: medianRatio(of(service).map(rateOf), of(yardstick).map(rateOf)),
        goal: { atLeast: GOALS[name] },
        behind: `${describeLoad(name, of(service))}; ${costText(of(service))}; ${describeLoad('yardstick', of(yardstick))}`,
        samples: {
          [`${name}, requests/s`]: of(service).map(rateOf),
          'yardstick, requests/s': of(yardstick).map(rateOf),
        },
      });
      await service.stop();
      await verifyStore(url);
    }
  });
}

const rateOf = ({ rate }: LoadMeasurement) => rate;

/** Converts a share of a core to milliseconds per second. */
function costText(measured: readonly LoadMeasurement[]): string {
  const perThousand = (share: (one: LoadMeasurement) => number) =>
    Math.round(median(measured.map((one) => (share(one) * 1_000_000) / one.rate)));
  const instance = perThousand(({ serverCpuShare }) => serverCpuShare);
  const database = perThousand(({ databaseCpuShare }) => databaseCpuShare);
  return `1,000 cost ${instance} ms CPU${database > 0 ? ` and ${database} ms in the database` : ''}`;
}
