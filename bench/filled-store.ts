/**
 * Stores after a month of use: runs of 2,000 users in five workspaces, ten steps each, written by SQL directly into the
 * tables, counters included. The service itself creates the workspaces and their API keys, and the columns of a decision
 * are copied from one that it made. Filled stores stay in a folder, so that the figures of one run share them.
 */

import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Decision } from '../server/src/domain/decision.js';
import { openStore } from '../server/src/store/open-store.js';
import { RUNS } from '../server/src/store/tables.js';
import { ApiClient } from '../server/test/support/api-client.js';
import { campaignSize } from '../server/test/support/campaign.js';
import type { PostgresServer } from '../server/test/support/postgres-server.js';
import { listAllSteps } from '../server/test/support/run-steps.js';
import { startServiceProcess } from '../server/test/support/service-process.js';
import { administer } from '../server/test/support/test-database.js';
import { expectStatus } from '../server/test/support/test-service.js';
import { fillPostgres } from './fill-postgres.js';
import { fillSqlite } from './fill-sqlite.js';
import { type FillPlan, type FillSample, fillChunks, STEPS_PER_RUN } from './fill-statements.js';
import { registerWorkspaces, serviceEnvironment, startPostgresServer } from './subjects.js';

export interface FilledStore {
  readonly url: string;
  readonly runs: number;
  readonly steps: number;
  /** The first one belongs to the workspace with most of the runs. */
  readonly apiKeys: readonly string[];
  /** The duration of the fill. */
  readonly fillSeconds: number;
  /** The size of tables and indexes after the fill. */
  readonly bytes: number;
}

/** The size of the goals, and a fiftieth of it. */
export const LARGE_STORE_RUNS = campaignSize({ short: 20_000, full: 1_000_000 });
const WORKSPACES = 5;

/** The folder of the filled stores: bench/run.js creates it and removes it, unless it was told to keep it. */
const STORES = process.env['BENCH_STORES'] ?? join(tmpdir(), 'guarded-runs-stores');

export async function filledSqlite(runs: number): Promise<FilledStore> {
  const file = join(STORES, `filled-${runs}.db`);
  return keptOr(`sqlite-${runs}`, async () => {
    await mkdir(STORES, { recursive: true });
    for (const end of ['', '-wal', '-shm']) await rm(file + end, { force: true });
    return {
      runs,
      url: `sqlite:${file}`,
      fill: (plan) => fillSqlite(file, plan),
      bytes: async () => (await stat(file)).size,
    };
  });
}

/** The server of the filled databases. */
export function startFilledPostgresServer(): Promise<PostgresServer> {
  return startPostgresServer({ folder: join(STORES, 'postgres') });
}

export async function filledPostgres(server: PostgresServer, runs: number): Promise<FilledStore> {
  const name = `filled_${runs}`;
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const store = await keptOr(`postgres-${runs}`, async () => {
    await administer(server.url, `DROP DATABASE IF EXISTS ${name}`);
    await administer(server.url, `CREATE DATABASE ${name}`);
    return {
      runs,
      url: url.href,
      fill: (plan) => fillPostgres(url.href, plan),
      bytes: () => databaseBytes(url.href),
    };
  });
  // The port differs at each start.
  return { ...store, url: url.href };
}

interface EmptyStore {
  readonly runs: number;
  readonly url: string;
  fill(plan: FillPlan): Promise<void>;
  bytes(): Promise<number>;
}

/** The description of a store is written when it is full: an interrupted fill starts again. */
async function keptOr(name: string, create: () => Promise<EmptyStore>): Promise<FilledStore> {
  const description = join(STORES, `${name}.json`);
  if (existsSync(description)) return JSON.parse(await readFile(description, 'utf8'));
  const { runs, url, fill, bytes } = await create();
  const { apiKeys, plan } = await prepare(url, runs);
  const begun = performance.now();
  await fill(plan);
  const fillSeconds = (performance.now() - begun) / 1_000;
  const steps = runs * STEPS_PER_RUN;
  process.stdout.write(
    `        ${name}: ${steps.toLocaleString('en-US')} steps in ${fillSeconds.toFixed(0)} s\n`,
  );
  const store: FilledStore = { url, runs, steps, apiKeys, fillSeconds, bytes: await bytes() };
  await writeFile(description, JSON.stringify(store));
  return store;
}

/** Workspaces with their keys, and another one with a real run and step to copy from. */
async function prepare(databaseUrl: string, runs: number): Promise<{ apiKeys: string[]; plan: FillPlan }> {
  const service = await startServiceProcess(serviceEnvironment(databaseUrl));
  try {
    const [sampleKey = '', ...apiKeys] = await registerWorkspaces(service.url, 1 + WORKSPACES);
    const workspaceIds = await Promise.all(apiKeys.map((key) => workspaceIdOf(service.url, key)));
    const sample = await makeSample({ url: service.url, apiKey: sampleKey, databaseUrl });
    const chunks = fillChunks({ workspaceIds, runs, now: Date.now() });
    return { apiKeys, plan: { workspaceIds, chunks, sample } };
  } finally {
    await service.stop('SIGTERM');
  }
}

async function workspaceIdOf(url: string, apiKey: string): Promise<string> {
  return expectStatus(await new ApiClient(url, apiKey).get('/v1/workspace/'), 200).body.id;
}

async function makeSample(given: { url: string; apiKey: string; databaseUrl: string }): Promise<FillSample> {
  const { url, apiKey, databaseUrl } = given;
  const machine = new ApiClient(url, apiKey);
  const workspaceId = await workspaceIdOf(url, apiKey);
  const run = expectStatus(await machine.post('/v1/runs/', { user_id: 'sample' }), 201).body;
  const step = { type: 'MODEL_CALL', sequence: 1, model: 'gpt-4o' };
  expectStatus(await machine.post(`/v1/runs/${run.id}/steps`, step), 201);
  const store = await openStore({ databaseUrl });
  try {
    const found = await store.runs.find({ workspaceId, runId: run.id });
    const [firstStep] = await listAllSteps(store, { workspaceId, runId: run.id });
    if (found === null || firstStep === undefined) throw new Error('The sample is not in the store');
    const rulesOf = ({ decision }: { decision: Decision }) =>
      String(RUNS.columns.decisionRules.write(decision));
    return { runRules: rulesOf(found), stepRules: rulesOf(firstStep) };
  } finally {
    await store.close();
  }
}

async function databaseBytes(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes');
    return Number(rows[0].bytes);
  } finally {
    await client.end();
  }
}
