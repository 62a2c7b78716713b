/** Once per test run: a PostgreSQL server, unless TEST_DATABASE_URL names one, and a migrated template database. */

import { PostgresServer } from './postgres-server.js';
import { createTemplate } from './test-database.js';

export default async function setup(): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given === undefined ? await PostgresServer.start() : null;
  const url = server?.url ?? given ?? '';
  process.env['TEST_DATABASE_URL'] = url;
  const template = await createTemplate(url);
  process.env['TEST_DATABASE_TEMPLATE'] = template.name;
  return async () => {
    if (server === null) await template.drop();
    await server?.stop();
  };
}
