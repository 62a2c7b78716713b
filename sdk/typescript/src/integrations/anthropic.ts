/** `@guarded-runs/sdk/anthropic`: a copy of an Anthropic client whose messages ask the guard first. */

import { type Anthropic, APIPromise } from '@anthropic-ai/sdk';
import { guardCreate, type NewApiPromise } from './guard-create.js';
import type { RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

/**
 * Guards `messages` and `beta.messages`, with the helpers that are built on their `create` (`stream`, `parse`,
 * `toolRunner`). The client that is given stays as it is. Batches are not guarded.
 */
export function guardAnthropic<Client extends Anthropic>(client: Client, run: RunSource): Client {
  const guarded = client.withOptions({});
  const newApiPromise: NewApiPromise = (response, data) =>
    new APIPromise<unknown>(guarded, response.then(toResponseProps), data);
  guardCreate({ resource: guarded.messages, run, newApiPromise });
  guardCreate({ resource: guarded.beta.messages, run, newApiPromise });
  return guarded;
}

function toResponseProps(response: Response) {
  return {
    response,
    options: { method: 'post' as const, path: new URL(response.url).pathname },
    controller: new AbortController(),
    requestLogID: '',
    retryOfRequestLogID: undefined,
    startTime: Date.now(),
  };
}
