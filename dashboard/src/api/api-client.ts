/** The API as its contract types it: one place adds the token, notices an expired one and turns errors into ApiError. */

import createClient from 'openapi-fetch';
import { session } from '../session/session.ts';
import { ApiError } from './api-error.ts';
import type { components, paths } from './api-types.gen.ts';

export type Schemas = components['schemas'];

export const api = createClient<paths>({ baseUrl: window.location.origin });

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
