/** Pipelined statements, and what happens when one of them fails. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { noNeeds } from '../support/batch-fixture.js';
import { openPostgresConnection, type PostgresConnection } from '../support/postgres-connection.js';

let connection: PostgresConnection;
beforeAll(async () => {
  connection = await openPostgresConnection();
});
afterAll(() => connection.close());

test('a connection is kept when a single statement fails, and closed when the failure also refused pipelined statements', async () => {
  const { database } = connection;
  const backend = async () => (await database.queryOne('SELECT pg_backend_pid() AS pid'))?.['pid'];
  const failing = { sql: 'SELECT 1 / $1::integer', values: [0] };
  const first = await backend();
  await expect(database.transaction((transaction) => transaction.send(failing))).rejects.toThrow('zero');
  expect(await backend()).toBe(first);
  // A pooler that has seen the failed preparation of the second statement could not prepare it again.
  const both = database.transaction((transaction) =>
    transaction.send(failing, { sql: 'SELECT $1::text AS never_prepared', values: ['x'] }),
  );
  await expect(both).rejects.toThrow('zero');
  expect(await backend()).not.toBe(first);
});

test('a workspace that does not exist is left out of a shared batch and blocks no other', async () => {
  const { fixture } = connection;
  const { workspace } = await fixture.newTenant();
  const decided: string[][] = [];
  await fixture.store.batches.commit(
    [noNeeds(fixture.newId()), noNeeds(workspace.id)],
    (facts) => {
      decided.push(facts.map((one) => one.workspace.id));
      return [];
    },
    { waits: false },
  );
  expect(decided).toEqual([[workspace.id]]);
});
