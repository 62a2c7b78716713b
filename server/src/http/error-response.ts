/** The only place that turns errors into statuses. The public message and the private cause are kept apart. */

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

/** What each status says in the contract is in ERROR_ANSWERS of schemas.ts. */
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

/** What Fastify itself refuses, in our words. */
const FRAMEWORK_REFUSALS: Readonly<Record<string, { status: number; detail: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, detail: 'The body is too large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, detail: 'The content type must be application/json' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    detail: 'The body does not have the length that Content-Length says',
  },
  FST_ERR_BAD_URL: { status: 400, detail: 'The path is not a valid URL path' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, detail: 'Not found' },
};

/** Nobody is there to read it: a client that goes away in the middle of its body is no bug of ours. */
const HUNG_UP = badRequest('The connection ended before the body did');

/** Every connection of a throttled client is refused four times in a second at most. */
const THROTTLED_DELAY_MS = 250;

export interface AnswerErrorsOptions {
  readonly dashboard: DashboardFiles;
  readonly authenticator: Authenticator;
}

/**
 * Register before the routes: it remembers them, to tell a wrong method from an unknown path. An unknown path that a
 * person opens in a browser is left to the dashboard.
 */
export function answerErrors(server: HttpServer, { dashboard, authenticator }: AnswerErrorsOptions): void {
  const routes = new RouteMethods();
  server.addHook('onRoute', ({ method, url }) => {
    // The route for preflights is everywhere; it does not make a path exist.
    if (url !== '*') routes.add(url, [method].flat());
  });
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const allowed = routes.methodsOf(request.url);
    if (allowed.length === 0 && dashboard.isPage(request)) return dashboard.sendPage(reply);
    if (allowed.length === 0) return sendError(reply, 404, 'Not found');
    reply.header('allow', allowed.join(', '));
    return sendError(
      reply,
      STATUS_OF['method-not-allowed'],
      `This path does not have the method ${request.method}`,
    );
  };
  server.setErrorHandler(async (error: FastifyError | AppError, request, reply) => {
    const { status, detail, retryAfterSeconds } = await toConfirmedAnswer(
      request.raw.errored === error ? HUNG_UP : error,
      { request, authenticator },
    );
    // A client that asks again at once would keep the service busy with refusing it.
    if (status === STATUS_OF.throttled) await setTimeout(THROTTLED_DELAY_MS);
    if (status >= 500) request.log.error({ ...requestIdForLog(request), err: error }, 'request failed');
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    return sendError(reply, status, detail);
  });
  // Before anything of the body is read: nobody has shown a credential for it.
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (request.is404) void answerUnknown(request, reply);
    else done(null, payload);
  });
  server.setNotFoundHandler(answerUnknown);
}

/** What the router refuses before any hook has run. */
export function answerRouterError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, detail } = toAnswer(error);
  void sendError(reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id }), status, detail);
}

/** What Node would refuse by itself, without a body. */
export function answerProtocolErrors(server: HttpServer): void {
  server.server.on('checkExpectation', (request, response) => {
    const body = JSON.stringify({ detail: 'The expectation cannot be met' });
    response.writeHead(417, rawHeaders(requestIdOf(request), body)).end(body);
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const isComplete = request.headers.host !== undefined || request.raw.httpVersion !== '1.1';
    done(isComplete ? undefined : badRequest('The Host header is missing'));
  });
}

/** Requests that are not HTTP at all never reach a route; their socket gets the same kind of answer. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
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

/** Where no reply of the framework exists. */
function rawHeaders(requestId: string, body: string): Record<string, string | number> {
  return {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  };
}

/** What is wrong with a request is only said to a caller whose key is active. */
async function toConfirmedAnswer(
  error: AnyError,
  { request, authenticator }: { request: FastifyRequest; authenticator: Authenticator },
): Promise<Answer> {
  const answer = toAnswer(error);
  if (answer.status === 401) authenticator.forget(request);
  if (answer.status === 401 || answer.status >= 500) return answer;
  try {
    await authenticator.confirm(request);
    return answer;
  } catch (refusal) {
    return toAnswer(refusal as AnyError);
  }
}

type AnyError = Error & Partial<Pick<FastifyError, 'code' | 'validation'>>;

interface Answer {
  readonly status: number;
  readonly detail: string;
  readonly retryAfterSeconds?: number;
}

function toAnswer(error: AnyError): Answer {
  if (error instanceof AppError) {
    const answer = { status: STATUS_OF[error.kind], detail: error.message };
    return error.retryAfterSeconds === undefined
      ? answer
      : { ...answer, retryAfterSeconds: error.retryAfterSeconds };
  }
  if (error.validation !== undefined) return { status: 422, detail: error.message };
  const refusal = FRAMEWORK_REFUSALS[error.code ?? ''];
  if (refusal !== undefined) return refusal;
  return { status: 500, detail: 'Internal server error' };
}

function sendError(reply: FastifyReply, status: number, detail: string): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify({ detail }));
}
