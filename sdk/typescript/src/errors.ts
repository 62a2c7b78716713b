/** One class per kind of error. `toApiError` maps error responses of the service to their class. */

import type { DenyReason } from './api-types.js';

/** Base class of all errors of this package. Errors thrown by your own functions are rethrown unchanged. */
export class GuardedRunsError extends Error {
  override readonly name: string = 'GuardedRunsError';
}

/** An option of the client is missing or invalid. */
export class ConfigurationError extends GuardedRunsError {
  override readonly name = 'ConfigurationError';
}

/** The call cannot be guarded or priced, and was not made. The message says what to use instead. */
export class UnguardedCall extends GuardedRunsError {
  override readonly name = 'UnguardedCall';
}

/** The guardrails denied a run or a step. If it was thrown, your function was not called. */
export abstract class Denied extends GuardedRunsError {
  readonly reason: DenyReason;
  readonly runId: string;

  constructor(given: { what: string; reason: DenyReason; runId: string }) {
    super(`${given.what} was denied: ${given.reason}`);
    this.reason = given.reason;
    this.runId = given.runId;
  }
}

/** Thrown by the start of a run. Also the reason of `GuardedRun.signal` if a heartbeat was denied. */
export class RunDenied extends Denied {
  override readonly name = 'RunDenied';

  constructor(given: { reason: DenyReason; runId: string }) {
    super({ what: 'The run', ...given });
  }
}

export class StepDenied extends Denied {
  override readonly name = 'StepDenied';
  readonly stepId: string;
  /** What the step would have held; null without an estimate or a price. */
  readonly holdUsd: number | null;
  /** The least that a budget or limit has left for a smaller step; null without an estimate or a limit. */
  readonly remainingUsd: number | null;

  constructor(given: {
    reason: DenyReason;
    runId: string;
    stepId: string;
    holdUsd: number | null;
    remainingUsd: number | null;
  }) {
    super({ what: 'The step', ...given });
    this.stepId = given.stepId;
    this.holdUsd = given.holdUsd;
    this.remainingUsd = given.remainingUsd;
  }
}

/** The guard is unavailable, and `onUnavailable` is `'deny'`. The `cause` is the underlying error. */
export class GuardUnavailable extends GuardedRunsError {
  override readonly name = 'GuardUnavailable';

  constructor(cause: GuardedRunsError) {
    super(`The guard is unavailable: ${cause.message}`, { cause });
  }
}

/** The connection failed before a response: for example refused, reset or host not found. */
export class ConnectionFailed extends GuardedRunsError {
  override readonly name = 'ConnectionFailed';
  /** False if the connection was never established, so that the service cannot have received the request. */
  readonly maybeSent: boolean;

  constructor(given: { cause: unknown; maybeSent: boolean }) {
    super(`The connection failed: ${messageOf(given.cause)}`, { cause: given.cause });
    this.maybeSent = given.maybeSent;
  }
}

/** The service did not respond in time. */
export class RequestTimedOut extends GuardedRunsError {
  override readonly name = 'RequestTimedOut';

  constructor(timeoutMs: number) {
    super(`No response within ${timeoutMs} ms`);
  }
}

export interface ApiErrorFields {
  readonly status: number;
  /** The error message of the service. */
  readonly detail: string;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null;
  /** From `Retry-After`. */
  readonly retryAfterMs: number | null;
}

/** The service returned an error. */
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

/** 400: malformed, or not possible in the current state. */
export class BadRequest extends ApiError {
  override readonly name = 'BadRequest';
}

/** 401: the required credential is missing or invalid. */
export class Unauthenticated extends ApiError {
  override readonly name = 'Unauthenticated';
}

/** 403: not available on the plan of the workspace, or not with the scope of the API key; `detail` says which scope is needed. */
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

/** Any other 5xx: an internal server error, or an error of a proxy. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError';
}

/** 503: the service is overloaded or cannot reach its store. */
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

/** Whether the service failed to decide, as opposed to rejecting the request. */
export function isUnavailableError(error: unknown): error is GuardedRunsError {
  return (
    error instanceof ConnectionFailed ||
    error instanceof RequestTimedOut ||
    error instanceof TooManyRequests ||
    error instanceof ServerError
  );
}

function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // The message of fetch is only "fetch failed"; the details are in its cause.
  return cause.cause instanceof Error && cause.cause.message !== '' ? cause.cause.message : cause.message;
}
