/** The composition root: store, engine, HTTP, put together once and taken apart in reverse order. */

import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { AccessTokens } from './auth/access-tokens.js';
import { PasswordHasher } from './auth/password-hasher.js';
import { type Config, storeOptions } from './config.js';
import { Accounts } from './control/accounts.js';
import { ApiKeys } from './control/api-keys.js';
import { Billing } from './control/billing.js';
import { forgetOldAnswers } from './control/forget-old-answers.js';
import { RunReport } from './control/run-report.js';
import { UsageReport } from './control/usage-report.js';
import { AppError } from './domain/app-error.js';
import { uuidV7 } from './domain/uuid.js';
import { type BatchCommitter, LocalCommitter } from './engine/batch-committer.js';
import { BatchThread } from './engine/batch-thread.js';
import { Engine } from './engine/engine.js';
import { Metrics } from './http/metrics.js';
import { createHttpServer } from './http/server.js';
import type { HttpServer } from './http/server-types.js';
import { openStore } from './store/open-store.js';
import { OpenStoreError } from './store/open-store-error.js';
import type { Store } from './store/store.js';
import { VERSION } from './version.js';

/**
 * The dashboard's build: inside the published package, else beside the server in the repository. The sources and the
 * compiled files are equally deep, so the paths hold for both.
 */
const DASHBOARD_FOLDERS = ['../dashboard/', '../../dashboard/dist/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

const BATCH_WORKER = new URL('./batch-worker.js', import.meta.url);

export interface App {
  readonly server: HttpServer;
  readonly store: Store;
  /** Starts to listen and returns the address that clients use. */
  listen(): Promise<string>;
  /** Stops accepting, answers what was accepted, and closes the store. */
  close(): Promise<void>;
}

export interface AppOptions {
  /** Replaces the clocks of the process and of the store. */
  readonly clock?: () => number;
  readonly logger?: Logger;
  /** Replaces where batches are committed: for measurements of everything else. */
  readonly committer?: BatchCommitter;
}

export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const clock = options.clock ?? Date.now;
  const logger = options.logger ?? pino({ level: config.logLevel });
  const store = await openStore({ ...storeOptions(config), clock: options.clock });
  try {
    return await composeApp({ config, clock, logger, store, committer: options.committer });
  } catch (error) {
    await store.close();
    throw toOpenStoreError(error, store.location);
  }
}

/** A store that can be opened and not be used, such as a file that is read-only. */
function toOpenStoreError(error: unknown, location: string): unknown {
  if (!(error instanceof AppError) || !(error.cause instanceof Error)) return error;
  return new OpenStoreError(`Cannot use the database at ${location}: ${error.cause.message}`, error);
}

async function composeApp(given: {
  config: Config;
  clock: () => number;
  logger: Logger;
  store: Store;
  committer: BatchCommitter | undefined;
}): Promise<App> {
  const { config, clock, logger, store } = given;
  const newId = () => uuidV7(clock(), randomUUID());
  const metrics = new Metrics();
  // Also where another one is configured: a store that cannot be written is found out now, not by the first client.
  const keptSecret = await store.maintenance.keepSecret('jwt', randomBytes(32).toString('base64url'));
  const tokens = new AccessTokens({
    secret: config.jwtSecret ?? keptSecret,
    ttlSeconds: config.jwtTtlSeconds,
    clock,
  });
  const committer = given.committer ?? (await openCommitter(given));
  const engine = new Engine({ committer, observer: metrics });
  metrics.observeSources({ queueDepth: () => engine.queueDepth, activeRuns: () => store.runs.countActive() });
  const server = await createHttpServer({
    store,
    engine,
    accounts: new Accounts({
      store,
      hasher: await PasswordHasher.create(),
      tokens,
      newId,
      defaultPlan: config.defaultPlan,
    }),
    apiKeys: new ApiKeys({ store, newId }),
    billing: new Billing({ workspaces: store.workspaces, planChanges: config.planChanges }),
    runReport: new RunReport(store),
    usageReport: new UsageReport(store),
    tokens,
    metrics,
    newId,
    clock,
    version: VERSION,
    logger,
    bodyLimitBytes: config.bodyLimitBytes,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    dashboardFolder: DASHBOARD_FOLDERS.find((folder) => existsSync(folder)) ?? '',
  });
  const forgetting = forgetOldAnswers(store, logger);
  return {
    server,
    store,
    listen: async () => {
      await server.listen({ port: config.port, host: config.host });
      return toUrl(server.server.address() as AddressInfo);
    },
    close: async () => {
      forgetting.stop();
      await server.close();
      await engine.drained();
      await committer.close();
      await store.close();
    },
  };
}

/** From the sources there is no compiled file for a thread to run: then batches are committed here. */
async function openCommitter(given: {
  config: Config;
  clock: () => number;
  store: Store;
}): Promise<BatchCommitter> {
  const { config, clock, store } = given;
  if (!store.batches.holdsUpThread || !existsSync(BATCH_WORKER)) return new LocalCommitter(store.batches);
  return BatchThread.start({
    module: BATCH_WORKER,
    data: storeOptions(config),
    clock,
    laneOf: (workspaceId) => store.batches.laneOf(workspaceId),
  });
}

/** Listening on every interface is reached through this machine's own name. */
function toUrl({ address, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
