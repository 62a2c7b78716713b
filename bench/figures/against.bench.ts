/**
 * Complete agent runs that use nothing optional, on this checkout compared with another one: what a change costs clients that
 * do not use it. Only with `--against`.
 */

import { test } from 'vitest';
import { campaignSize } from '../../server/test/support/campaign.js';
import { medianRatio, recordFigure } from '../figure.js';
import { describeLoad, type LoadMeasurement, measureLoadInTurns } from '../measure-load.js';
import { newPostgresDatabase, newSqliteDatabase, startPostgresServer, startService } from '../subjects.js';

const CONNECTIONS = 64;
const ROUNDS = campaignSize({ short: 5, full: 11 });
const SECONDS = campaignSize({ short: 1, full: 4 });
const OTHER = process.env['BENCH_AGAINST'];
/** More than a tenth would be a regression that everybody pays for. */
const GOAL = 0.9;

const STORES = {
  SQLite: newSqliteDatabase,
  PostgreSQL: async () => newPostgresDatabase(await startPostgresServer()),
};

for (const [store, newDatabase] of Object.entries(STORES)) {
  for (const workspaces of [1, 100]) {
    test.skipIf(OTHER === undefined)(
      `throughput against another build on ${store}, workspaces: ${workspaces}`,
      async (context) => {
        const databases = [await newDatabase(), await newDatabase()];
        const checkouts = [{}, { checkout: OTHER ?? '' }];
        const subjects = await Promise.all(
          databases.map(({ url }, index) =>
            startService({
              name: index === 0 ? 'this' : 'other',
              databaseUrl: url,
              workspaces,
              ...checkouts[index],
            }),
          ),
        );
        const measuredOf = await measureLoadInTurns({
          subjects,
          databaseOf: (subject) => databases[subjects.indexOf(subject)],
          connections: CONNECTIONS,
          seconds: SECONDS,
          rounds: ROUNDS,
        });
        const [ours = [], theirs = []] = subjects.map(measuredOf);
        recordFigure(context, {
          name: `throughput on ${store} ÷ the other build's, workspaces: ${workspaces}`,
          value: medianRatio(ours.map(rateOf), theirs.map(rateOf)),
          goal: { atLeast: GOAL },
          behind: `${describeLoad('this', ours)}; ${describeLoad('other', theirs)}`,
          samples: { 'this, requests/s': ours.map(rateOf), 'other, requests/s': theirs.map(rateOf) },
        });
      },
    );
  }
}

const rateOf = ({ rate }: LoadMeasurement) => rate;
