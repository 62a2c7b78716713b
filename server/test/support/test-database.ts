/** A new database for each test service, of the kind that TEST_STORE names: a file, or a copy of a template. */

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openStore } from '../../src/store/open-store.js';

export const TEST_STORES = ['sqlite', 'postgres'] as const;
export type TestStore = (typeof TEST_STORES)[number];

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** The store of this test run. */
export function testStore(): TestStore {
  return TEST_STORES.find((store) => store === process.env['TEST_STORE']) ?? 'sqlite';
}

export async function createTestDatabase(store: TestStore = testStore()): Promise<TestDatabase> {
  return store === 'sqlite' ? createSqliteFile() : createPostgresDatabase(serverUrl());
}

async function createSqliteFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'guarded-runs-test-'));
  return {
    url: `sqlite:${join(folder, 'test.db')}`,
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Copied from the migrated template if there is one, which is faster than migrating each database. */
export async function createPostgresDatabase(
  url: string,
  { isEmpty = false }: { isEmpty?: boolean } = {},
): Promise<TestDatabase> {
  const name = `guarded_runs_test_${randomBytes(6).toString('hex')}`;
  const template = process.env['TEST_DATABASE_TEMPLATE'];
  const isPooled = url === process.env['TEST_DATABASE_URL'];
  const isTemplateHere = !isEmpty && template !== undefined && url === process.env['TEST_DATABASE_URL'];
  await administer(url, `CREATE DATABASE ${name}${isTemplateHere ? ` TEMPLATE ${template}` : ''}`);
  return {
    url: withDatabase(url, name, isPooled ? process.env['TEST_POOLER_PORT'] : undefined),
    drop: () => administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Creates the template that `createPostgresDatabase` copies; TEST_DATABASE_TEMPLATE has its name. */
export async function createTemplate(url: string): Promise<{ name: string; drop(): Promise<void> }> {
  const { url: templateUrl, drop } = await createPostgresDatabase(url);
  const store = await openStore({ databaseUrl: templateUrl, poolMax: 2, timeoutMs: 10_000 });
  await store.close();
  return { name: new URL(templateUrl).pathname.slice(1), drop };
}

export async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined) throw new Error('The global setup must have started PostgreSQL');
  return url;
}

function withDatabase(url: string, name: string, port: string | undefined): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  if (port !== undefined) changed.port = port;
  return changed.href;
}
