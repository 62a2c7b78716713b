/** One class per kind of error. `toApiError` is the only place that chooses among those the service answers with. */

import type { DenyReason } from './api-types.js';

/** Everything this package throws on its own account. Errors of your own functions pass through unchanged. */
export class GuardedRunsError extends Error {
  override readonly name: string = 'GuardedRunsError';
}

/** The client was not told what it needs. */
export class ConfigurationError extends GuardedRunsError {
  override readonly name = 'ConfigurationError';
}

/** A call that a guarded client or agent cannot ask for or cannot price. It was not made; the message says what to use. */
export class UnguardedCall extends GuardedRunsError {
  override readonly name = 'UnguardedCall';
}

/** The guardrails said no. Nothing of the caller's function has run. */
export abstract class Denied extends GuardedRunsError {
  readonly reason: DenyReason;
  readonly runId: string;

  constructor(given: { what: string; reason: DenyReason; runId: string }) {
    super(`${given.what} was denied: ${given.reason}`);
    this.reason = given.reason;
    this.runId = given.runId;
  }
}

export class RunDenied extends Denied {
  override readonly name = 'RunDenied';

  constructor(given: { reason: DenyReason; runId: string }) {
    super({ what: 'The run', ...given });
  }
}

export class StepDenied extends Denied {
  override readonly name = 'StepDenied';
  readonly stepId: string;

  constructor(given: { reason: DenyReason; runId: string; stepId: string }) {
    super({ what: 'The step', ...given });
    this.stepId = given.stepId;
  }
}

/** The guard could not decide, and `onUnavailable` is `'deny'`. The `cause` says what happened. */
export class GuardUnavailable extends GuardedRunsError {
  override readonly name = 'GuardUnavailable';

  constructor(cause: GuardedRunsError) {
    super(`The guard is unavailable: ${cause.message}`, { cause });
  }
}

/** No answer came: refused, reset, no such host. */
export class ConnectionFailed extends GuardedRunsError {
  override readonly name = 'ConnectionFailed';
  /** False when the connection was never made, so that the service cannot have seen the request. */
  readonly maybeSent: boolean;

  constructor(given: { cause: unknown; maybeSent: boolean }) {
    super(`The connection failed: ${messageOf(given.cause)}`, { cause: given.cause });
    this.maybeSent = given.maybeSent;
  }
}

/** No answer came in time. */
export class RequestTimedOut extends GuardedRunsError {
  override readonly name = 'RequestTimedOut';

  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms`);
  }
}

export interface ApiErrorFields {
  readonly status: number;
  /** What is wrong, and where, in the words of the service. */
  readonly detail: string;
  /** For the operator of the service: it is in the log there. */
  readonly requestId: string | null;
  /** From `Retry-After`. */
  readonly retryAfterMs: number | null;
}

/** The service answered with an error. */
export class ApiError extends GuardedRunsError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly detail: string;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor(fields: ApiErrorFields) {
    super(`${fields.status} ${fields.detail}${fields.requestId === null ? '' : ` (${fields.requestId})`}`);
    this.status = fields.status;
    this.detail = fields.detail;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
  }
}

/** 400: malformed, or not possible in the present state. */
export class BadRequest extends ApiError {
  override readonly name = 'BadRequest';
}

/** 401: no valid credential of the kind that is needed. */
export class Unauthenticated extends ApiError {
  override readonly name = 'Unauthenticated';
}

/** 403: not available on the plan of the workspace. */
export class Forbidden extends ApiError {
  override readonly name = 'Forbidden';
}

export class NotFound extends ApiError {
  override readonly name = 'NotFound';
}

/** 413 */
export class BodyTooLarge extends ApiError {
  override readonly name = 'BodyTooLarge';
}

/** 422: a value is missing, of the wrong type or out of range. */
export class Unprocessable extends ApiError {
  override readonly name = 'Unprocessable';
}

/** 429 */
export class TooManyRequests extends ApiError {
  override readonly name = 'TooManyRequests';
}

/** Any other 5xx: a bug of the service, or of something on the way to it. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError';
}

/** 503: the service is overloaded, or does not reach its store. */
export class ServiceUnavailable extends ServerError {
  override readonly name = 'ServiceUnavailable';
}

const CLASS_OF_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequest,
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  413: BodyTooLarge,
  422: Unprocessable,
  429: TooManyRequests,
  503: ServiceUnavailable,
};

export function toApiError(fields: ApiErrorFields): ApiError {
  const ErrorClass = CLASS_OF_STATUS[fields.status] ?? (fields.status >= 500 ? ServerError : ApiError);
  return new ErrorClass(fields);
}

/** Whether the service could not decide, as against refusing what was asked of it. */
export function meansUnavailable(error: unknown): error is GuardedRunsError {
  return (
    error instanceof ConnectionFailed ||
    error instanceof RequestTimedOut ||
    error instanceof TooManyRequests ||
    error instanceof ServerError
  );
}

function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // fetch says no more than "fetch failed"; what failed is in its cause.
  return cause.cause instanceof Error && cause.cause.message !== '' ? cause.cause.message : cause.message;
}
