/** Several instances of the service in this process that share one database, as behind a load balancer. */

import { pino } from 'pino';
import { type App, createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { ApiClient } from './api-client.js';
import { createPostgresDatabase, serverUrl } from './test-database.js';
import { DATABASE_TIMEOUT_MS, expectStatus } from './test-service.js';

export interface ServiceGroup {
  readonly apps: readonly App[];
  readonly urls: readonly string[];
  readonly databaseUrl: string;
  /** A new workspace; one client per instance with its API key. */
  register(plan?: string): Promise<GroupTenant>;
  stop(): Promise<void>;
}

export interface GroupTenant {
  readonly workspaceId: string;
  readonly apiKey: string;
  /** The instance that the n-th request goes to. */
  client(index: number): ApiClient;
}

export async function startServiceGroup(
  size: number,
  options: { serverUrl?: string; environment?: Record<string, string> } = {},
): Promise<ServiceGroup> {
  const database = await createPostgresDatabase(options.serverUrl ?? serverUrl());
  const config = loadConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    REGISTRATIONS_PER_HOUR: '10000',
    DATABASE_POOL_MAX: '6',
    DATABASE_TIMEOUT_MS: String(DATABASE_TIMEOUT_MS),
    JWT_SECRET: 'the same secret for all of the instances',
    ...options.environment,
  });
  const logger = pino({ level: 'silent' });
  // All at once: migrations and secrets must be safe for that.
  const apps = await Promise.all(Array.from({ length: size }, () => createApp(config, { logger })));
  const urls = await Promise.all(apps.map((app) => app.listen()));
  let tenantCount = 0;
  return {
    apps,
    urls,
    databaseUrl: database.url,
    register: async (plan = 'scale') => {
      tenantCount += 1;
      const anonymous = new ApiClient(urls[0] ?? '', null);
      const { body } = expectStatus(
        await anonymous.post('/v1/auth/register', {
          email: `tenant-${tenantCount}@example.com`,
          password: 'correct horse',
        }),
        201,
      );
      const person = new ApiClient(urls[0] ?? '', body.access_token);
      expectStatus(await person.put('/v1/billing/plan', { plan }), 200);
      const clients = urls.map((url) => new ApiClient(url, body.api_key));
      return {
        workspaceId: body.workspace.id,
        apiKey: body.api_key,
        client: (index) => {
          const client = clients[index % clients.length];
          if (client === undefined) throw new Error('There are no instances');
          return client;
        },
      };
    },
    stop: async () => {
      await Promise.all(apps.map((app) => app.close()));
      await database.drop();
    },
  };
}
