/** Fills a PostgreSQL database as fast as possible: several days at a time, and no commit waits for the disk. */

import pg from 'pg';
import { chunkStatements, closingStatements, type FillPlan, type IdExpression } from './fill-statements.js';

const CONNECTIONS = 2;

const idOf: IdExpression = ({ timeMs, number }) =>
  `(lpad(to_hex(${timeMs}), 12, '0') || '70008000' || lpad(to_hex(${number}), 12, '0'))::uuid`;

const series = ({ first, last }: { first: number; last: number }) =>
  `SELECT position FROM generate_series(${first}::bigint, ${last}::bigint) AS position`;

export async function fillPostgres(
  databaseUrl: string,
  { chunks, sample, workspaceIds }: FillPlan,
): Promise<void> {
  const waiting = [...chunks];
  const work = () =>
    withClient(databaseUrl, async (client) => {
      for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
        const statements = chunkStatements({ chunk, sample, idOf, series });
        await client.query(`BEGIN; ${statements.join(';\n')}; COMMIT`);
      }
    });
  // With the default WAL size, checkpoints would write everything several times.
  await withClient(databaseUrl, (client) => setWalSize(client, `'16GB'`));
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  await withClient(databaseUrl, async (client) => {
    for (const statement of closingStatements(workspaceIds)) await client.query(statement);
    // Otherwise autovacuum would do this later, during a measurement.
    await client.query('VACUUM (ANALYZE)');
    await setWalSize(client, 'DEFAULT');
    await client.query('CHECKPOINT');
  });
}

async function setWalSize(client: pg.Client, size: string): Promise<void> {
  await client.query(`ALTER SYSTEM SET max_wal_size = ${size}`);
  await client.query('SELECT pg_reload_conf()');
}

async function withClient(
  connectionString: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString, options: '-c synchronous_commit=off' });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
