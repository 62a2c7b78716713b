/** The whole service on a free port with its own store and a clock that tests move. */

import { pino } from 'pino';
import { type App, createApp } from '../../src/app.js';
import { AccountTokens } from '../../src/auth/account-tokens.js';
import { loadConfig } from '../../src/config.js';
import { ApiClient, type ApiReply } from './api-client.js';
import { TestClock } from './test-clock.js';
import { createTestDatabase, type TestStore, testStore } from './test-database.js';

export interface TestService {
  readonly app: App;
  readonly url: string;
  readonly databaseUrl: string;
  readonly clock: TestClock;
  /** Without a credential. */
  readonly anonymous: ApiClient;
  /** A new account with its workspace; clients for its API key and its dashboard token. */
  register(options?: { plan?: string; email?: string; password?: string }): Promise<TestTenant>;
  /** Everything the service has logged so far. */
  logs(): string;
  stop(): Promise<void>;
}

export interface TestTenant {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
  readonly token: string;
  /** As in a link that the operator makes. */
  readonly resetToken: string;
  readonly workspaceId: string;
  readonly slug: string;
  /** With the API key. */
  readonly machine: ApiClient;
  /** With the dashboard token. */
  readonly person: ApiClient;
}

/** Longer than the default: a machine that stands still for seconds must not decide a test of something else. */
export const DATABASE_TIMEOUT_MS = 15_000;

let tenantCount = 0;

export async function startTestService(
  environment: Record<string, string> = {},
  { store = testStore(), hasThreads = true }: { store?: TestStore; hasThreads?: boolean } = {},
): Promise<TestService> {
  const database = await createTestDatabase(store);
  const clock = new TestClock();
  const lines: string[] = [];
  const config = loadConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    REGISTRATIONS_PER_HOUR: '10000',
    DATABASE_POOL_MAX: '4',
    DATABASE_TIMEOUT_MS: String(DATABASE_TIMEOUT_MS),
    LOG_LEVEL: 'debug',
    ...environment,
  });
  const logger = pino({ level: config.logLevel }, { write: (line: string) => void lines.push(line) });
  const app = await createApp(config, { clock: clock.now, logger, hasThreads, hasSweeps: hasThreads });
  const url = await app.listen();
  const anonymous = new ApiClient(url, null);
  const tokens = await AccountTokens.open({ config, secrets: app.store.maintenance, clock: clock.now });

  return {
    app,
    url,
    databaseUrl: database.url,
    clock,
    anonymous,
    register: async ({ plan, email, password = 'correct horse' } = {}) => {
      tenantCount += 1;
      const address = email ?? `tenant-${tenantCount}@example.com`;
      const { body } = expectStatus(
        await anonymous.post('/v1/auth/register', { email: address, password }),
        201,
      );
      const person = new ApiClient(url, body.access_token);
      if (plan !== undefined) expectStatus(await person.put('/v1/billing/plan', { plan }), 200);
      return {
        email: address,
        password,
        apiKey: body.api_key,
        token: body.access_token,
        resetToken: await tokens.issue({ accountId: body.user.id, tokenVersion: 1 }, 'password reset'),
        workspaceId: body.workspace.id,
        slug: body.workspace.slug,
        machine: new ApiClient(url, body.api_key),
        person,
      };
    },
    logs: () => lines.join(''),
    stop: async () => {
      try {
        await app.close();
      } finally {
        await database.drop();
      }
    },
  };
}

export function expectStatus(reply: ApiReply, status: number): ApiReply {
  if (reply.status !== status) {
    throw new Error(`Expected ${status}, got ${reply.status}: ${JSON.stringify(reply.body)}`);
  }
  return reply;
}
