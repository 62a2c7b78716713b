/** Statements of a batch look rows up by their keys, whatever the statistics of a table said when their plans were made. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Row } from '../../src/store/row.js';
import { openPostgresConnection, type PostgresConnection } from '../support/postgres-connection.js';

let connection: PostgresConnection;
beforeAll(async () => {
  connection = await openPostgresConnection();
});
afterAll(() => connection.close());

test('a table of one row is looked up by its key in a batch, and elsewhere as the planner prefers', async () => {
  const { fixture, database } = connection;
  await fixture.newTenant();
  await database.query('ANALYZE workspaces');
  const explain = `EXPLAIN SELECT name FROM workspaces WHERE id = '00000000-0000-7000-8000-000000000001'`;
  const planOf = (rows: readonly Row[]) => rows.map((row) => row['QUERY PLAN']).join('\n');
  const inBatch = await database.lookups(async (transaction) => planOf(await transaction.query(explain)));
  expect(inBatch).toContain('Index Scan using workspaces_pkey');
  // The same connection: the setting ended with the transaction.
  expect(planOf(await database.query(explain))).toContain('Seq Scan on workspaces');
});
