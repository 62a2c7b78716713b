/** Errors of the gateway itself, in the shape that the provider's SDKs read. */

import { AppError, type AppErrorKind } from '../domain/app-error.js';
import type { DenyReason } from '../domain/rules.js';
import type { Provider } from './provider.js';

export class GatewayError extends Error {
  readonly status: number;
  /** For programs. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    { headers = {}, cause }: { headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'GatewayError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The SDKs of the providers retry some statuses by themselves: a decision stays the same. */
const NO_RETRY = { 'x-should-retry': 'false' };

const BUDGET_REASONS: ReadonlySet<DenyReason | null> = new Set<DenyReason>([
  'WORKSPACE_DAILY_BUDGET_EXCEEDED',
  'USER_DAILY_BUDGET_EXCEEDED',
  'RUN_COST_LIMIT_EXCEEDED',
]);

const STATUS_OF: Readonly<Record<AppErrorKind, number>> = {
  'bad-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 404,
  'unsupported-media-type': 415,
  unprocessable: 400,
  throttled: 403,
  unavailable: 503,
};

export function denied(reason: DenyReason | null): GatewayError {
  const code = reason ?? 'DENIED';
  const status = BUDGET_REASONS.has(reason) ? 402 : 403;
  return new GatewayError(status, code, `Denied by Guarded Runs: ${code}`, { headers: NO_RETRY });
}

export function invalidRequest(message: string): GatewayError {
  return new GatewayError(400, 'invalid_request', message, { headers: NO_RETRY });
}

export function notServed(message: string): GatewayError {
  return new GatewayError(404, 'not_found', message, { headers: NO_RETRY });
}

export function tooLarge(limitBytes: number): GatewayError {
  return new GatewayError(413, 'request_too_large', `The request has more than ${limitBytes} bytes`, {
    headers: NO_RETRY,
  });
}

export function badGateway(message: string, cause?: unknown): GatewayError {
  return new GatewayError(502, 'upstream_unavailable', message, { cause });
}

/** Any error of another kind is a bug: its text stays in the log. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (!(error instanceof AppError)) return new GatewayError(500, 'internal_error', 'Internal server error');
  const { kind, message, retryAfterSeconds } = error;
  const status = STATUS_OF[kind];
  const headers = status < 500 ? NO_RETRY : { 'retry-after': String(retryAfterSeconds ?? 1) };
  return new GatewayError(status, kind.replaceAll('-', '_'), message, { headers });
}

export function toErrorText({ status, code, message }: GatewayError, provider: Provider | null): string {
  const body = provider?.toErrorBody({ status, code, message }) ?? {};
  return JSON.stringify({ ...body, detail: message });
}
