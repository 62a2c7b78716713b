import { readdirSync } from 'node:fs';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.js';
import { createPostgresDatabase, serverUrl } from '../support/test-database.js';

test('when instances start at the same time, one migrates and all of them work', async () => {
  const database = await createPostgresDatabase(serverUrl(), { isEmpty: true });
  const options = { databaseUrl: database.url, poolMax: 2, timeoutMs: 10_000 };
  const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(options)));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query('SELECT version, name FROM schema_migrations ORDER BY version');
  const names = readdirSync(new URL('../../src/store/migrations/postgres/', import.meta.url)).sort();
  expect(rows).toEqual(names.map((name, index) => ({ version: String(index + 1), name })));
  await client.end();
  await Promise.all(stores.map((store) => store.ping()));
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

test.each([
  ['a database that does not exist', '/no_such_database', /There is no database at .*\/no_such_database/],
  ['a server that is not there', ':1/postgres', /Cannot reach the database at .*:1\/postgres: ECONNREFUSED/],
])('%s is said in one line without credentials', async (_name, end, expected) => {
  const url = new URL(serverUrl());
  const authority = `${url.username}:hidden@${url.hostname}`;
  const databaseUrl = end.startsWith('/')
    ? `postgres://${authority}:${url.port}${end}`
    : `postgres://${authority}${end}`;
  const opened = openStore({ databaseUrl, poolMax: 2, timeoutMs: 2_000 });
  await expect(opened).rejects.toThrow(expected);
  await expect(opened).rejects.toThrow(/^(?!.*hidden)[^\n]*$/);
});
