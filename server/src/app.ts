/** The composition root: builds the store, the engine and the HTTP server, and closes them in reverse order. */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { AccountTokens } from './auth/account-tokens.js';
import { PasswordHasher } from './auth/password-hasher.js';
import { type Config, storeOptions } from './config.js';
import { Accounts } from './control/accounts.js';
import { ApiKeys } from './control/api-keys.js';
import { Billing } from './control/billing.js';
import { startCleanup } from './control/cleanup.js';
import { settleLeases, startLeaseSweep } from './control/lease-sweep.js';
import { Members } from './control/members.js';
import { ModelReport } from './control/model-report.js';
import { RunReport } from './control/run-report.js';
import { UsageReport } from './control/usage-report.js';
import { UserReport } from './control/user-report.js';
import { UserSpend } from './control/user-spend.js';
import { WorkspaceChanges } from './control/workspace-changes.js';
import { AppError } from './domain/app-error.js';
import { uuidV7 } from './domain/uuid.js';
import type { Committer } from './engine/committer.js';
import { Engine } from './engine/engine.js';
import { LocalCommitter } from './engine/local-committer.js';
import { ThreadCommitter } from './engine/thread-committer.js';
import { lengthOf, type Pieces } from './gateway/call-request.js';
import { Gateway } from './gateway/gateway.js';
import { Authenticator } from './http/authenticate.js';
import { JsonValue, LARGE_BODY_BYTES, LargeBodies } from './http/large-body.js';
import { Metrics } from './http/metrics.js';
import { parseJson } from './http/parse-json.js';
import { createHttpServer } from './http/server.js';
import type { HttpServer } from './http/server-types.js';
import { openServedStore, openStore, type ServedStore } from './store/open-store.js';
import { OpenStoreError, type Store } from './store/store.js';
import { VERSION } from './version.js';

/**
 * The build of the dashboard: in the published package, else in the repository. `src` and `dist` are at the same depth, so
 * the paths are valid for both.
 */
const DASHBOARD_FOLDERS = ['../dashboard/', '../../dashboard/dist/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Always the compiled files, so that tests, which run from the sources, use the threads that ship. */
const SQLITE_WORKER = new URL('../dist/sqlite-worker.js', import.meta.url);
const BODY_WORKER = new URL('../dist/body-worker.js', import.meta.url);

export interface App {
  readonly server: HttpServer;
  readonly store: Store;
  readonly engine: Engine;
  /** Starts listening and returns the URL for clients. */
  listen(): Promise<string>;
  /** Stops accepting connections, completes requests in flight, and closes the store. */
  close(): Promise<void>;
}

export interface AppOptions {
  /** Replaces the clocks of the process and of the store. */
  readonly clock?: () => number;
  readonly logger?: Logger;
  /** Replaces the committer, so that benchmarks can measure everything else. */
  readonly committer?: Committer;
  /** False: the embedded store runs in the main thread, so that a test can observe its statements. */
  readonly hasThreads?: boolean;
  /** False: nothing runs in the background, for the same reason. */
  readonly hasSweeps?: boolean;
}

export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const clock = options.clock ?? Date.now;
  const logger = options.logger ?? pino({ level: config.logLevel });
  const served = await openConfiguredStore(config, options);
  try {
    const { committer, hasSweeps = true } = options;
    return await composeApp({ config, clock, logger, ...served, committer, hasSweeps });
  } catch (error) {
    await served.store.close();
    throw toOpenStoreError(error, served.store.location);
  }
}

async function openConfiguredStore(
  config: Config,
  { clock, hasThreads = true }: AppOptions,
): Promise<ServedStore> {
  const given = { ...storeOptions(config), clock };
  return hasThreads
    ? openServedStore({ ...given, module: SQLITE_WORKER, maxValueBytes: config.bodyLimitBytes })
    : { store: await openStore(given), writer: null };
}

/** For a store that opens but cannot be used, such as a read-only file. */
function toOpenStoreError(error: unknown, location: string): unknown {
  if (!(error instanceof AppError) || !(error.cause instanceof Error)) return error;
  return new OpenStoreError(`Cannot use the database at ${location}: ${error.cause.message}`, error);
}

async function composeApp(given: {
  config: Config;
  clock: () => number;
  logger: Logger;
  store: Store;
  writer: ServedStore['writer'];
  committer: Committer | undefined;
  hasSweeps: boolean;
}): Promise<App> {
  const { config, clock, logger, store, writer } = given;
  const newId = () => uuidV7(clock(), randomUUID());
  const metrics = new Metrics();
  const tokens = await AccountTokens.open({ config, secrets: store.maintenance, clock });
  const changes = new WorkspaceChanges({
    store: store.changes,
    clock,
    onError: (error) => logger.debug({ err: error }, 'could not look for changes of workspaces'),
  });
  const observers = {
    onCommit: (size: number) => metrics.batchCommitted(size),
    onDecide: (workspaceId: string) => changes.decided(workspaceId),
  };
  const committer =
    given.committer ??
    (writer === null ? new LocalCommitter(store.batches, observers) : new ThreadCommitter(writer, observers));
  const engine = new Engine({ committer, observer: metrics });
  const leases = {
    runs: store.runs,
    now: () => store.now(),
    expireRuns: (workspaceId: string) => engine.expireRuns(workspaceId),
  };
  metrics.observeSources({ queueDepth: () => engine.queueDepth, activeRuns: () => store.runs.countActive() });
  const userSpend = new UserSpend(store.usage);
  const largeBodies = new LargeBodies({
    module: BODY_WORKER,
    bodyLimitBytes: config.bodyLimitBytes,
  });
  const authenticator = new Authenticator({ store, tokens, clock });
  const gateway =
    config.gateway === null
      ? null
      : new Gateway({
          settings: config.gateway,
          engine,
          runs: store.runs,
          now: () => store.now(),
          newId,
          authenticate: async (apiKey) => {
            const { workspaceId, apiKeyId, userId } = await authenticator.findMachine(apiKey);
            return { workspaceId, apiKeyId, userId };
          },
          toInputData: (workspaceId, body) =>
            toStoredJson(largeBodies, { workspaceId, body, limitBytes: config.bodyLimitBytes }),
          observer: metrics,
          log: logger,
        });
  const server = await createHttpServer({
    store,
    engine,
    accounts: new Accounts({
      store,
      hasher: await PasswordHasher.create(),
      tokens,
      newId,
      defaultPlan: config.defaultPlan,
      registrationsPerHour: config.registrationsPerHour,
      clock,
    }),
    apiKeys: new ApiKeys({ store, newId }),
    members: new Members({ store, newId, publicUrl: config.publicUrl }),
    billing: new Billing({ workspaces: store.workspaces, planChanges: config.planChanges }),
    runReport: new RunReport(store),
    settleLeases: (workspaceId) => settleLeases(leases, workspaceId),
    usageReport: new UsageReport(store, userSpend),
    userReport: new UserReport(store, userSpend),
    modelReport: new ModelReport(store),
    authenticator,
    changes,
    metrics,
    gateway,
    newId,
    version: VERSION,
    logger,
    bodyLimitBytes: config.bodyLimitBytes,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    largeBodies,
    dashboardFolder: DASHBOARD_FOLDERS.find((folder) => existsSync(folder)) ?? '',
  });
  const sweeps = given.hasSweeps
    ? [
        ...startCleanup(store, { auditRetentionDays: config.auditRetentionDays, log: logger }),
        startLeaseSweep(leases, logger),
      ]
    : [];
  return {
    server,
    store,
    engine,
    listen: async () => {
      await server.listen({ port: config.port, host: config.host });
      return toUrl(server.server.address() as AddressInfo);
    },
    close: async () => {
      for (const sweep of sweeps) sweep.stop();
      // Requests in flight include streams that may last for minutes.
      const closing = server.close();
      await gateway?.close();
      await closing;
      await engine.drained();
      await largeBodies.close();
      await store.close();
    },
  };
}

/** The text of a request as the store keeps it; null if it is too long, or has values that the API would refuse. */
async function toStoredJson(
  largeBodies: LargeBodies,
  given: { workspaceId: string; body: Pieces; limitBytes: number },
): Promise<string | null> {
  if (lengthOf(given.body) > given.limitBytes) return null;
  const body = Buffer.concat(given.body);
  try {
    if (body.length <= LARGE_BODY_BYTES) return JSON.stringify(parseJson(body));
    const parsed = await largeBodies.parse(given.workspaceId, body, 'json');
    return parsed instanceof JsonValue ? parsed.text : null;
  } catch {
    return null;
  }
}

/** A server that listens on all interfaces is reached as localhost. */
function toUrl({ address, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
