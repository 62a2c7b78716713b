/**
 * The API as its contract types it: one place adds the token, notices an expired one and a lost server, and turns
 * errors into ApiError.
 */

import createClient from 'openapi-fetch';
import { session } from '../session/session.ts';
import { ApiError } from './api-error.ts';
import type { components, paths } from './api-types.gen.ts';
import { connection } from './connection.ts';

export type Schemas = components['schemas'];

/** The service answers within seconds, also when it has to refuse. */
const SLOW_ANSWER_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Answers of a proxy whose server is away, and of a server whose store is. */
const UNAVAILABLE = new Set([502, 503, 504]);

export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: fetchWatched });

const AUTHORIZATION = 'authorization';

api.use({
  onRequest: ({ request }) => {
    const { token } = session.current();
    if (token !== null) request.headers.set(AUTHORIZATION, `Bearer ${token}`);
    return request;
  },
  onResponse: ({ request, response }) => {
    const sent = request.headers.get(AUTHORIZATION);
    // Only the token in use can expire: an answer to an older one says nothing about it.
    if (response.status === 401 && sent !== null && sent === `Bearer ${session.current().token}`)
      session.expire();
  },
});

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a successful answer; everything else is thrown. */
export async function answerOf<Data>(request: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await request;
  if (!response.ok) {
    throw new ApiError({
      status: response.status,
      detail: detailOf(error) ?? `The service answered ${response.status} ${response.statusText}`.trim(),
      requestId: response.headers.get('x-request-id'),
    });
  }
  return data as NonNullable<Data>;
}

function detailOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('detail' in error)) return null;
  return typeof error.detail === 'string' ? error.detail : null;
}

async function fetchWatched(request: Request): Promise<Response> {
  // A change that waits for the server would be made at a time when it is no longer meant.
  if (connection.current().lost && request.method !== 'GET') throw new TypeError('The connection is lost');
  const slow = setTimeout(() => void connection.check(), SLOW_ANSWER_MS);
  try {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    const response = await fetch(request, { signal });
    if (response.ok) connection.answered();
    if (UNAVAILABLE.has(response.status)) void connection.check();
    return response;
  } catch (error) {
    if (!request.signal.aborted) void connection.check();
    throw error;
  } finally {
    clearTimeout(slow);
  }
}
