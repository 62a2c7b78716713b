/** The only place that maps errors to statuses. Responses contain the public message; the log contains the cause. */

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type AppErrorKind, badRequest } from '../domain/app-error.js';
import type { Authenticator } from './authenticate.js';
import type { DashboardFiles } from './dashboard-files.js';
import { requestIdForLog, requestIdOf } from './request-log.js';
import { RouteMethods } from './route-methods.js';
import { SECURITY_HEADERS } from './security-headers.js';
import type { HttpServer } from './server-types.js';

/** `ERROR_RESPONSES` in schemas.ts describes each status in the OpenAPI document. */
export const STATUS_OF: Readonly<Record<AppErrorKind, number>> = {
  'bad-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'unsupported-media-type': 415,
  unprocessable: 422,
  throttled: 429,
  unavailable: 503,
};

/** Errors of Fastify, with messages of our own. */
const FRAMEWORK_ERRORS: Readonly<Record<string, { status: number; detail: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, detail: 'The body is too large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, detail: 'The content type must be application/json' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    detail: 'The length of the body does not match Content-Length',
  },
  FST_ERR_BAD_URL: { status: 400, detail: 'The path is not a valid URL path' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, detail: 'Not found' },
};

/** A client that disconnects while it sends its body is not a server error. The client does not receive this response. */
const CLIENT_DISCONNECTED = badRequest('The connection ended before the end of the body');

/** Limits each connection of a throttled client to four responses per second. */
const THROTTLED_DELAY_MS = 250;

export interface ErrorHandlingOptions {
  readonly dashboard: DashboardFiles;
  readonly authenticator: Authenticator;
}

/**
 * Register before the routes: it records them to tell a wrong method from an unknown path. An unknown path that is opened in a
 * browser gets the dashboard.
 */
export function handleErrors(server: HttpServer, { dashboard, authenticator }: ErrorHandlingOptions): void {
  const routes = new RouteMethods();
  server.addHook('onRoute', ({ method, url }) => {
    // The wildcard route for CORS preflights matches every path, so it does not count.
    if (url !== '*') routes.add(url, [method].flat());
  });
  const handleNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const allowed = routes.methodsOf(request.url);
    if (allowed.length === 0 && dashboard.isPage(request)) return dashboard.sendPage(reply);
    if (allowed.length === 0) return sendError(reply, 404, 'Not found');
    reply.header('allow', allowed.join(', '));
    return sendError(
      reply,
      STATUS_OF['method-not-allowed'],
      `Method ${request.method} is not allowed on this path`,
    );
  };
  server.setErrorHandler(async (error: FastifyError | AppError, request, reply) => {
    const { status, detail, retryAfterSeconds } = await toConfirmedResponse(
      request.raw.errored === error ? CLIENT_DISCONNECTED : error,
      { request, authenticator },
    );
    // Slows down clients that retry at once.
    if (status === STATUS_OF.throttled) await setTimeout(THROTTLED_DELAY_MS);
    if (status >= 500) request.log.error({ ...requestIdForLog(request), err: error }, 'request failed');
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    return sendError(reply, status, detail);
  });
  // Before the body is read, because the request is not authenticated.
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404) void handleNotFound(request, reply);
    else done(null, payload);
  });
  server.setNotFoundHandler(handleNotFound);
}

/** Handles errors of the router, which occur before any hook runs. */
export function handleRouterError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, detail } = toResponse(error);
  closeUnreadUpgrade(request, reply);
  void sendError(reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id }), status, detail);
}

/** Handles errors that Node.js would answer without a body. */
export function handleProtocolErrors(server: HttpServer): void {
  server.server.on('checkExpectation', (request, response) => {
    const body = JSON.stringify({ detail: 'The Expect header is not supported' });
    response.writeHead(417, rawHeaders(requestIdOf(request), body)).end(body);
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const isComplete = request.headers.host !== undefined || request.raw.httpVersion !== '1.1';
    done(isComplete ? undefined : badRequest('The Host header is missing'));
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    closeUnreadUpgrade(request, reply);
    done(null, payload);
  });
}

/**
 * The service never upgrades a connection. When such a request is answered before its body is read, Node.js does not find
 * the next request of the connection, which would hang.
 */
function closeUnreadUpgrade({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.headers.upgrade !== undefined && !raw.complete) reply.header('connection', 'close');
}

/** Handles requests that are not valid HTTP and never reach a route, with an error of the usual shape. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, reason, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'The request headers are too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'The request took too long to arrive']
        : [400, 'Bad Request', 'The request is not valid HTTP'];
  const body = JSON.stringify({ detail });
  const headers = Object.entries(rawHeaders(randomUUID(), body)).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${reason}`, ...headers, '', body].join('\r\n'));
}

/** The headers of responses that are written without Fastify. */
function rawHeaders(requestId: string, body: string): Record<string, string | number> {
  return {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  };
}

/** Describes an error only to callers whose key is still active. */
async function toConfirmedResponse(
  error: AnyError,
  { request, authenticator }: { request: FastifyRequest; authenticator: Authenticator },
): Promise<ErrorResponse> {
  const response = toResponse(error);
  if (response.status === 401) authenticator.forget(request);
  if (response.status === 401 || response.status >= 500) return response;
  try {
    await authenticator.confirm(request);
    return response;
  } catch (authenticationError) {
    return toResponse(authenticationError as AnyError);
  }
}

type AnyError = Error & Partial<Pick<FastifyError, 'code' | 'validation'>>;

interface ErrorResponse {
  readonly status: number;
  readonly detail: string;
  readonly retryAfterSeconds?: number;
}

function toResponse(error: AnyError): ErrorResponse {
  if (error instanceof AppError) {
    const response = { status: STATUS_OF[error.kind], detail: error.message };
    return error.retryAfterSeconds === undefined
      ? response
      : { ...response, retryAfterSeconds: error.retryAfterSeconds };
  }
  if (error.validation !== undefined) return { status: 422, detail: error.message };
  return FRAMEWORK_ERRORS[error.code ?? ''] ?? { status: 500, detail: 'Internal server error' };
}

function sendError(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify({ detail }));
}
