/** One class per kind of error. `toApiError` maps error responses of the service to their class. */

import type { DeniedBy, DenyReason } from './api-types.js';

/** Base class of all errors of this package. Errors thrown by your own functions are rethrown unchanged. */
export class GuardedRunsError extends Error {
  override readonly name: string = 'GuardedRunsError';
}

/** An option of the client is missing or invalid. */
export class ConfigurationError extends GuardedRunsError {
  override readonly name = 'ConfigurationError';
}

/** The call cannot be guarded or priced, and was not made. The message says what to use instead. */
export class UnguardedCallError extends GuardedRunsError {
  override readonly name = 'UnguardedCallError';
}

/** Known to every copy of this package, for example an ESM and a CommonJS one in the same process. */
const DENIED = Symbol.for('guarded-runs.denied');

/** The guardrails denied a run or a step. If it was thrown, your function was not called. */
export abstract class DeniedError extends GuardedRunsError {
  readonly [DENIED] = true;
  readonly reason: DenyReason;
  readonly runId: string;
  /** What the rule allows: USD, or a count. Null without a limit, such as for a switch or a run that has ended. */
  readonly limit: number | null;
  /** What it was compared with: USD, a count, or the state of a switch. Null if it is unknown. */
  readonly value: number | boolean | null;
  /** When the value starts again at zero; null if it does not. */
  readonly resetsAt: Date | null;

  constructor({ what, reason, runId, deniedBy = null }: DeniedErrorFields & { what: string }) {
    super(`${what} was denied: ${reason}`);
    this.reason = reason;
    this.runId = runId;
    this.limit = deniedBy?.limit ?? null;
    this.value = deniedBy?.value ?? null;
    this.resetsAt = deniedBy?.resetsAt == null ? null : new Date(deniedBy.resetsAt);
  }

  /** How long to wait until the same request may be allowed; null if waiting alone does not help. */
  get retryAfterMs(): number | null {
    return this.resetsAt === null ? null : Math.max(0, this.resetsAt.getTime() - Date.now());
  }
}

export interface DeniedErrorFields {
  readonly reason: DenyReason;
  readonly runId: string;
  /** What the service says of the rule that denied. */
  readonly deniedBy?: DeniedBy | null | undefined;
}

/** Thrown by the start of a run. Also the reason of `GuardedRun.signal` if a heartbeat was denied. */
export class RunDeniedError extends DeniedError {
  override readonly name = 'RunDeniedError';

  constructor(given: DeniedErrorFields) {
    super({ what: 'The run', ...given });
  }
}

export class StepDeniedError extends DeniedError {
  override readonly name = 'StepDeniedError';
  readonly stepId: string;
  /** What the step would have held; null without an estimate or a price. */
  readonly holdUsd: number | null;
  /** The least that a budget or limit has left for a smaller step; null without an estimate or a limit. */
  readonly remainingUsd: number | null;

  constructor(
    given: DeniedErrorFields & {
      readonly stepId: string;
      readonly holdUsd: number | null;
      readonly remainingUsd: number | null;
    },
  ) {
    super({ what: 'The step', ...given });
    this.stepId = given.stepId;
    this.holdUsd = given.holdUsd;
    this.remainingUsd = given.remainingUsd;
  }
}

/** The model has no price, and `onUnpriced` is `'deny'`. The call was not made. */
export class UnpricedModelError extends GuardedRunsError {
  override readonly name = 'UnpricedModelError';
  readonly model: string;

  constructor(model: string) {
    super(`${model} has no price, so its cost would not count: set one with guard.prices.put`);
    this.model = model;
  }
}

/** The guard is unavailable, and `onUnavailable` is `'deny'`. The `cause` is the underlying error. */
export class GuardUnavailableError extends GuardedRunsError {
  override readonly name = 'GuardUnavailableError';

  constructor(cause: GuardedRunsError) {
    super(`The guard is unavailable: ${cause.message}`, { cause });
  }
}

/** The connection failed before a response: for example refused, reset or host not found. */
export class ConnectionFailedError extends GuardedRunsError {
  override readonly name = 'ConnectionFailedError';
  /** False if the connection was never established, so that the service cannot have received the request. */
  readonly maybeSent: boolean;

  constructor(given: { cause: unknown; maybeSent: boolean }) {
    super(`The connection failed: ${messageOf(given.cause)}`, { cause: given.cause });
    this.maybeSent = given.maybeSent;
  }
}

/** The response does not come from the service, but for example from a proxy in between. */
export class InvalidResponseError extends GuardedRunsError {
  override readonly name = 'InvalidResponseError';

  constructor({ status, text }: { status: number; text: string }) {
    super(
      `The response is not one of the service: ${status} ${text === '' ? 'without a body' : excerpt(text)}`,
    );
  }
}

/** The service did not respond in time. */
export class RequestTimedOutError extends GuardedRunsError {
  override readonly name = 'RequestTimedOutError';

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
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}

/** 401: the required credential is missing or invalid. */
export class UnauthenticatedError extends ApiError {
  override readonly name = 'UnauthenticatedError';
}

/** 403: not available on the plan of the workspace, or not with the scope of the API key; `detail` says which scope is needed. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
}

export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 413 */
export class BodyTooLargeError extends ApiError {
  override readonly name = 'BodyTooLargeError';
}

/** 422: a value is missing, of the wrong type or out of range. */
export class UnprocessableError extends ApiError {
  override readonly name = 'UnprocessableError';
}

/** 429 */
export class TooManyRequestsError extends ApiError {
  override readonly name = 'TooManyRequestsError';
}

/** Any other 5xx: an internal server error, or an error of a proxy. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError';
}

/** 503: the service is overloaded or cannot reach its store. */
export class ServiceUnavailableError extends ServerError {
  override readonly name = 'ServiceUnavailableError';
}

const CLASS_OF_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  413: BodyTooLargeError,
  422: UnprocessableError,
  429: TooManyRequestsError,
  503: ServiceUnavailableError,
};

export function toApiError(fields: ApiErrorFields): ApiError {
  const ErrorClass = CLASS_OF_STATUS[fields.status] ?? (fields.status >= 500 ? ServerError : ApiError);
  return new ErrorClass(fields);
}

/** Whether the service failed to decide, as opposed to rejecting the request. */
export function isUnavailableError(error: unknown): error is GuardedRunsError {
  return (
    error instanceof ConnectionFailedError ||
    error instanceof RequestTimedOutError ||
    error instanceof InvalidResponseError ||
    error instanceof TooManyRequestsError ||
    error instanceof ServerError
  );
}

/** Whether the service may have processed the request although there was no usable response. */
export function mayBeProcessed(error: unknown): boolean {
  if (error instanceof ConnectionFailedError) return error.maybeSent;
  if (error instanceof TooManyRequestsError || error instanceof ServiceUnavailableError) return false;
  return isUnavailableError(error);
}

/** How many errors are looked at in search of a denial: a chain of causes may have a cycle. */
const MAX_CAUSES = 20;

/** The denial that an error is, or that it was caused by: frameworks wrap errors in their own. Null: another error. */
export function denialIn(error: unknown): DeniedError | null {
  const waiting = [error];
  for (let count = 0; count < MAX_CAUSES && waiting.length > 0; count += 1) {
    const next = waiting.shift();
    if (typeof next !== 'object' || next === null) continue;
    if (DENIED in next) return next as DeniedError;
    const { cause, error: inner, lastError, errors } = next as Readonly<Record<string, unknown>>;
    waiting.push(cause, inner, lastError, ...(Array.isArray(errors) ? errors : []));
  }
  return null;
}

/** Whether the guardrails denied what failed with this error. */
export function isDenied(error: unknown): boolean {
  return denialIn(error) !== null;
}

const EXCERPT_LENGTH = 100;

function excerpt(text: string): string {
  return text.length <= EXCERPT_LENGTH ? text : `${text.slice(0, EXCERPT_LENGTH)}…`;
}

function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // The message of fetch is only "fetch failed"; the details are in its cause.
  return cause.cause instanceof Error && cause.cause.message !== '' ? cause.cause.message : cause.message;
}
