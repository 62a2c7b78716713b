/** What went wrong with a request, in the server's words, and the id under which its log has the rest. */
export class ApiError extends Error {
  /** 0 when there was no answer at all. */
  readonly status: number;
  readonly requestId: string | null;

  constructor({ status, detail, requestId }: { status: number; detail: string; requestId: string | null }) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.requestId = requestId;
  }
}

/** Anything thrown, as an ApiError: what is not one means that no answer came. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({
    status: 0,
    detail: 'The service does not answer. Is it running, and are you online?',
    requestId: null,
  });
}
