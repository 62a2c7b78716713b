/**
 * Once per test run: a PostgreSQL server, unless TEST_DATABASE_URL names one, and a migrated template database.
 * With TEST_POOLER=pgbouncer the services reach it through PgBouncer in transaction mode.
 */

import { PgBouncer } from './pgbouncer.js';
import { PostgresServer } from './postgres-server.js';
import { createTemplate } from './test-database.js';

export default async function setup(): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined ? await PostgresServer.start() : null;
  const url = server?.url ?? given ?? '';
  process.env['TEST_DATABASE_URL'] = url;
  const template = await createTemplate(url);
  process.env['TEST_DATABASE_TEMPLATE'] = template.name;
  const pooler = process.env['TEST_POOLER'] === 'pgbouncer' ? await PgBouncer.start(url) : null;
  if (pooler !== null) process.env['TEST_POOLER_PORT'] = String(pooler.port);
  return async () => {
    await pooler?.stop();
    if (server === null) await template.drop();
    await server?.stop();
  };
}
