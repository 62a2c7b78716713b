/** The HTTP server: hooks in order, then one line for each group of routes. */

import cors from '@fastify/cors';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type FastifyBaseLogger, fastify, LogController } from 'fastify';
import type { Accounts } from '../control/accounts.js';
import type { ApiKeys } from '../control/api-keys.js';
import type { Billing } from '../control/billing.js';
import type { Members } from '../control/members.js';
import type { ModelReport } from '../control/model-report.js';
import type { RunReport } from '../control/run-report.js';
import type { UsageReport } from '../control/usage-report.js';
import type { UserReport } from '../control/user-report.js';
import type { WorkspaceChanges } from '../control/workspace-changes.js';
import type { Engine } from '../engine/engine.js';
import type { Store } from '../store/store.js';
import { type Authenticator, workspaceIdOf } from './authenticate.js';
import { admitLargeBodies } from './body-admission.js';
import { clientAddressReader, type TrustProxy } from './client-address.js';
import { compressReads } from './compression.js';
import { DashboardFiles } from './dashboard-files.js';
import { tagReads } from './entity-tags.js';
import {
  handleClientError,
  handleErrors,
  handleProtocolErrors,
  handleRouterError,
} from './error-response.js';
import { EventStreams } from './event-streams.js';
import { closeConnectionsOnStop } from './graceful-close.js';
import { parseJsonBodies } from './json-body.js';
import { JsonPieces } from './json-pieces.js';
import type { LargeBodies } from './large-body.js';
import type { Metrics } from './metrics.js';
import { collectOpenApi } from './openapi.js';
import { originReader } from './origin.js';
import { logRequests, requestIdOf } from './request-log.js';
import { apiKeyRoutes } from './routes/api-keys.js';
import { auditLogRoutes } from './routes/audit-log.js';
import { authRoutes } from './routes/auth.js';
import { billingRoutes } from './routes/billing.js';
import { dashboardRoutes } from './routes/dashboard.js';
import { docsRoutes } from './routes/docs.js';
import { eventRoutes } from './routes/events.js';
import { type GatewayOfServer, gatewayRoutes } from './routes/gateway.js';
import { memberRoutes } from './routes/members.js';
import { modelPricingRoutes } from './routes/model-pricing.js';
import { modelPricingCatalogueRoutes } from './routes/model-pricing-catalogue.js';
import { modelRoutes } from './routes/models.js';
import { operationsRoutes } from './routes/operations.js';
import { runDecisionRoutes } from './routes/run-decisions.js';
import { runListRoutes } from './routes/run-list.js';
import { runRoutes } from './routes/runs.js';
import { searchRoutes } from './routes/search.js';
import { stepRoutes } from './routes/steps.js';
import { usageRoutes } from './routes/usage.js';
import { userDetailRoutes } from './routes/user-detail.js';
import { userRoutes } from './routes/users.js';
import { workspaceRoutes } from './routes/workspace.js';
import { sendSecurityHeaders } from './security-headers.js';
import type { HttpServer } from './server-types.js';
import { validateRequests } from './validation.js';

export interface HttpServerOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly apiKeys: ApiKeys;
  readonly members: Members;
  readonly billing: Billing;
  readonly runReport: RunReport;
  readonly settleLeases: (workspaceId: string) => Promise<void>;
  readonly usageReport: UsageReport;
  readonly userReport: UserReport;
  readonly modelReport: ModelReport;
  readonly changes: WorkspaceChanges;
  readonly authenticator: Authenticator;
  readonly metrics: Metrics;
  /** null: the gateway is off. */
  readonly gateway: GatewayOfServer | null;
  readonly newId: () => string;
  readonly version: string;
  readonly logger: FastifyBaseLogger;
  readonly bodyLimitBytes: number;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: TrustProxy;
  /** The build of the dashboard; the folder may not exist. */
  readonly dashboardFolder: string;
  /** Parses bodies that would delay other requests in the main thread. */
  readonly largeBodies: LargeBodies;
}

/** The time for receiving a whole request, so that slow clients cannot hold connections. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 15_000;
const TIMEOUT_CHECK_INTERVAL_MS = 5_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** A connection without traffic for this long during a response is closed. Longer than any operation of the store. */
const INACTIVITY_TIMEOUT_MS = 120_000;
/** The limit of Node.js for the head of a request, so that ids of any length reach their route. */
const MAX_PATH_PARAMETER_LENGTH = 16_384;

/** Configured origins may use the whole API. An OPTIONS request that is not a preflight is answered like one. */
const CORS = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: ['X-Request-Id', 'Retry-After'],
  strictPreflight: false,
};

export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const {
    store,
    engine,
    accounts,
    apiKeys,
    billing,
    runReport,
    settleLeases,
    usageReport,
    userReport,
    modelReport,
    authenticator,
    metrics,
    newId,
  } = options;
  const server: HttpServer = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    childLoggerFactory: (logger) => logger,
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: INACTIVITY_TIMEOUT_MS,
    // While the server closes, requests on open connections are still answered (see graceful-close.ts).
    return503OnClosing: false,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      requireHostHeader: false,
    },
    frameworkErrors: handleRouterError,
    clientErrorHandler: handleClientError,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PATH_PARAMETER_LENGTH },
  }).withTypeProvider<TypeBoxTypeProvider>();

  const streams = new EventStreams({ changes: options.changes, authenticator });
  const dashboard = new DashboardFiles(options.dashboardFolder);
  const pieces = new JsonPieces();
  const addressOf = clientAddressReader(options.trustProxy);
  const originOf = originReader(addressOf);
  logRequests(server);
  sendSecurityHeaders(server);
  streams.endOnStop(server);
  closeConnectionsOnStop(server);
  metrics.observeRequests(server);
  metrics.observeStreams(() => streams.count);
  handleErrors(server, { dashboard, authenticator });
  handleProtocolErrors(server);
  if (options.corsOrigins.length > 0)
    await server.register(cors, { ...CORS, origin: [...options.corsOrigins] });
  authenticator.protectRoutes(server);
  parseJsonBodies(server, { ...options, admission: admitLargeBodies(server) });
  validateRequests(server);
  settleBeforeReads(server, settleLeases);
  tagReads(server);
  compressReads(server);
  await collectOpenApi(server, options.version);

  runRoutes(server, { engine, runReport, newId, originOf, pieces });
  searchRoutes(server, { search: store.search });
  runListRoutes(server, { runs: store.runs, runReport, pieces });
  stepRoutes(server, { engine, newId });
  runDecisionRoutes(server, { runReport, pieces });
  modelPricingRoutes(server, { prices: store.prices, newId, originOf });
  modelPricingCatalogueRoutes(server);
  workspaceRoutes(server, { workspaces: store.workspaces, originOf });
  userRoutes(server, { users: store.users, userReport, originOf });
  userDetailRoutes(server, { userReport });
  modelRoutes(server, { modelReport });
  usageRoutes(server, { usageReport, pieces });
  authRoutes(server, {
    accounts,
    workspaces: store.workspaces,
    addressOf,
  });
  apiKeyRoutes(server, { apiKeys, originOf });
  memberRoutes(server, { members: options.members, originOf });
  auditLogRoutes(server, { audit: store.audit });
  eventRoutes(server, { streams });
  billingRoutes(server, { billing, usageReport, workspaces: store.workspaces, originOf });
  operationsRoutes(server, { store, metrics, version: options.version });
  gatewayRoutes(server, options.gateway);
  await docsRoutes(server);
  dashboardRoutes(server, { dashboard });
  return server;
}

/** Runs whose leases have ended are shown as ended, whether that was written before or not. */
function settleBeforeReads(server: HttpServer, settleLeases: (workspaceId: string) => Promise<void>): void {
  server.addHook('onRoute', (route) => {
    if (route.config?.showsRuns !== true) return;
    route.preHandler = async (request) => settleLeases(workspaceIdOf(request));
  });
}
