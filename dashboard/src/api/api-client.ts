/** The typed API client. It adds the token, detects expired tokens and lost connections, and throws ApiError. */

import createClient from 'openapi-fetch';
import { session } from '../session/session.ts';
import { ApiError } from './api-error.ts';
import type { components, paths } from './api-types.gen.ts';
import { connection } from './connection.ts';

export type Schemas = components['schemas'];

/** The service responds within seconds, even under overload. A slower response triggers a connection check. */
const SLOW_RESPONSE_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Sent by a proxy that cannot reach the server, or by a server that cannot reach its store. */
const UNAVAILABLE_STATUSES = new Set([502, 503, 504]);

export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: monitoredFetch });

const AUTHORIZATION = 'authorization';

api.use({
  onRequest: ({ request }) => {
    const { token } = session.current();
    if (token !== null) request.headers.set(AUTHORIZATION, `Bearer ${token}`);
    return request;
  },
  onResponse: ({ request, response }) => {
    const sent = request.headers.get(AUTHORIZATION);
    // A 401 for an older token does not affect the current session.
    if (response.status === 401 && sent !== null && sent === `Bearer ${session.current().token}`)
      session.expire();
  },
});

interface FetchResult<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the body of a successful response and throws ApiError otherwise. */
export async function unwrap<Data>(request: Promise<FetchResult<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await request;
  if (!response.ok) {
    throw new ApiError({
      status: response.status,
      detail: detailOf(error) ?? `The service returned ${response.status} ${response.statusText}`.trim(),
      requestId: response.headers.get('x-request-id'),
    });
  }
  return data as NonNullable<Data>;
}

function detailOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('detail' in error)) return null;
  return typeof error.detail === 'string' ? error.detail : null;
}

async function monitoredFetch(request: Request): Promise<Response> {
  // A write is not queued until the server is back: by then the user may no longer want it.
  if (connection.current().lost && request.method !== 'GET') throw new TypeError('The connection is lost');
  const slow = setTimeout(() => void connection.check(), SLOW_RESPONSE_MS);
  try {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    const response = await fetch(request, { signal });
    if (response.ok) connection.recordResponse();
    if (UNAVAILABLE_STATUSES.has(response.status)) void connection.check();
    return response;
  } catch (error) {
    if (!request.signal.aborted) void connection.check();
    throw error;
  } finally {
    clearTimeout(slow);
  }
}
