/**
 * The caller's fault, or a temporary condition: thrown anywhere, turned into an HTTP status
 * only in http/error-response.ts. A guardrail DENY is not an error, and an internal error is not an AppError.
 */

export type AppErrorKind =
  | 'bad-request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'unsupported-media-type'
  | 'unprocessable'
  | 'throttled'
  | 'unavailable';

export class AppError extends Error {
  readonly kind: AppErrorKind;
  /** Seconds after which a retry may succeed; becomes `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** Of `unavailable`: there are too many requests, maybe of this very caller. The store is not away. */
  readonly isOverload: boolean;

  constructor(
    kind: AppErrorKind,
    message: string,
    options: { retryAfterSeconds?: number; isOverload?: boolean; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isOverload = options.isOverload ?? false;
  }
}

/** The same error with the place of its cause. */
export function errorAt(place: string, error: unknown): unknown {
  return error instanceof AppError ? new AppError(error.kind, `${place}: ${error.message}`) : error;
}

export const badRequest = (message: string) => new AppError('bad-request', message);
export const unauthenticated = (message: string) => new AppError('unauthenticated', message);
export const forbidden = (message: string) => new AppError('forbidden', message);
export const notFound = (message: string) => new AppError('not-found', message);
export const unprocessable = (message: string) => new AppError('unprocessable', message);
export const throttled = (message: string, retryAfterSeconds: number) =>
  new AppError('throttled', message, { retryAfterSeconds });
export const unavailable = (message: string, cause?: unknown) =>
  new AppError('unavailable', message, { retryAfterSeconds: 1, cause });
export const overloaded = (message: string) =>
  new AppError('unavailable', message, { retryAfterSeconds: 1, isOverload: true });
