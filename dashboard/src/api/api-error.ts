/** A failed request, with the server's error message and the request id to look up in its log. */
export class ApiError extends Error {
  /** 0 if there was no response. */
  readonly status: number;
  readonly requestId: string | null;

  constructor({ status, detail, requestId }: { status: number; detail: string; requestId: string | null }) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.requestId = requestId;
  }
}

/** Converts any error. An error that is not an ApiError means that there was no response. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({
    status: 0,
    detail: 'The service is not responding. Check that it is running and that you are online.',
    requestId: null,
  });
}
