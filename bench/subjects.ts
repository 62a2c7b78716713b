/**
 * The subjects of measurements: the yardstick (the bare framework) and the service on a store, each a separate process. They
 * stop when the test that started them ends.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { ApiClient } from '../server/test/support/api-client.js';
import { cpuMsOf, PostgresServer } from '../server/test/support/postgres-server.js';
import { runCommandAsync, startServiceProcess } from '../server/test/support/service-process.js';
import { createPostgresDatabase } from '../server/test/support/test-database.js';
import { expectStatus } from '../server/test/support/test-service.js';

export interface Subject {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly apiKeys: readonly string[];
  stop(): Promise<void>;
}

/** A new empty database. Its CPU is not part of that of the service's process. */
export interface BenchDatabase {
  readonly name: 'SQLite' | 'PostgreSQL';
  readonly url: string;
  cpuMs(): number;
}

/** For ten million steps. */
const VERIFY_TIMEOUT_MS = 1_200_000;
/** Accounts registered at the same time: most of the time is password hashing. */
const REGISTERED_AT_ONCE = 4;
/** A busy machine gives slow figures, not invalid ones. */
const DATABASE_TIMEOUT_MS = '30000';

export async function startYardstick(): Promise<Subject> {
  return { ...(await startScript('yardstick', 'yardstick-server.js', {})), apiKeys: ['none'] };
}

/** The service without its data plane, with one workspace. */
export async function startHttpOnly(databaseUrl: string): Promise<Subject> {
  const environment = { PORT: '0', ...serviceEnvironment(databaseUrl) };
  const subject = await startScript('without decisions', 'http-only-server.js', environment);
  return { ...subject, apiKeys: await registerWorkspaces(subject.url, 1) };
}

/** A script of this folder that prints its address. */
async function startScript(
  name: string,
  file: string,
  environment: Record<string, string>,
): Promise<Omit<Subject, 'apiKeys'>> {
  const script = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  return stoppedAfterTest({
    name,
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill();
    },
  });
}

/** With new workspaces for the load, or with the given API keys of existing ones. */
export async function startService(given: {
  name: string;
  databaseUrl: string;
  workspaces?: number;
  apiKeys?: readonly string[];
  environment?: Record<string, string>;
  /** The folder of another checkout that is built; this one by default. */
  checkout?: string;
}): Promise<Subject> {
  const environment = { ...serviceEnvironment(given.databaseUrl), ...given.environment };
  const { checkout } = given;
  const service = await startServiceProcess(
    environment,
    checkout === undefined ? {} : { main: resolve(checkout, 'server/dist/main.js') },
  );
  const subject = stoppedAfterTest({
    name: given.name,
    url: service.url,
    port: Number(new URL(service.url).port),
    pid: service.child.pid ?? 0,
    stop: async () => {
      await service.stop('SIGTERM');
    },
  });
  const apiKeys = given.apiKeys ?? (await registerWorkspaces(service.url, given.workspaces ?? 1));
  return { ...subject, apiKeys };
}

export function serviceEnvironment(databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'warn',
    DATABASE_TIMEOUT_MS,
    REGISTRATIONS_PER_HOUR: '10000',
  };
}

export async function newSqliteDatabase(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'guarded-runs-sqlite-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { name: 'SQLite', url: `sqlite:${join(folder, 'bench.db')}`, cpuMs: () => 0 };
}

export async function newPostgresDatabase(server: PostgresServer): Promise<BenchDatabase> {
  const { url } = await createPostgresDatabase(server.url);
  return { name: 'PostgreSQL', url, cpuMs: () => server.cpuMs() };
}

/** With durable commits, as in production. */
export async function startPostgresServer(options: { folder?: string } = {}): Promise<PostgresServer> {
  const server = await PostgresServer.start({ fsync: true, ...options });
  onTestFinished(() => server.stop());
  return server;
}

/** Recomputes every counter; a measurement that left a wrong counter is invalid. */
export async function verifyStore(databaseUrl: string): Promise<string> {
  const { code, stdout, stderr } = await runCommandAsync(['verify'], serviceEnvironment(databaseUrl), {
    timeoutMs: VERIFY_TIMEOUT_MS,
  });
  if (code !== 0) throw new Error(`verify found differences:\n${stdout}${stderr}`);
  return stdout.trim();
}

export function cpuMsOfProcess(pid: number): number {
  return cpuMsOf([pid]);
}

/** API keys of new workspaces whose limits are out of reach. */
export async function registerWorkspaces(url: string, count: number): Promise<string[]> {
  const apiKeys: string[] = [];
  while (apiKeys.length < count) {
    const size = Math.min(REGISTERED_AT_ONCE, count - apiKeys.length);
    apiKeys.push(...(await Promise.all(Array.from({ length: size }, () => registerWorkspace(url)))));
  }
  return apiKeys;
}

async function registerWorkspace(url: string): Promise<string> {
  const account = { email: `${crypto.randomUUID()}@example.com`, password: 'benchmark' };
  const { body } = expectStatus(await new ApiClient(url, null).post('/v1/auth/register', account), 201);
  const machine = new ApiClient(url, body.api_key);
  expectStatus(await machine.patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 }), 200);
  const price = { input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001 };
  expectStatus(await machine.put('/v1/model-pricing/gpt-4o', price), 200);
  return body.api_key;
}

function stoppedAfterTest<Stoppable extends { stop(): Promise<void> }>(subject: Stoppable): Stoppable {
  onTestFinished(() => subject.stop());
  return subject;
}
