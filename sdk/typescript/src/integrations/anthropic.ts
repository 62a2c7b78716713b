/** `@guarded-runs/sdk/anthropic`: a copy of an Anthropic client whose messages ask the guard first. */

import { type Anthropic, APIPromise } from '@anthropic-ai/sdk';
import { asItIs, guardClient, type ProviderRules, refusingFetch } from './guard-client.js';
import type { RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

const RULES: ProviderRules = {
  guardName: 'guardAnthropic',
  modelCalls: { '/v1/messages': asItIs },
  freeCalls: [/^\/v1\/messages\/count_tokens$/, /^\/v1\/messages\/batches\/[^/]+\/cancel$/, /^\/v1\/files$/],
  credentials: ['apiKey', 'authToken'],
};

/**
 * Guards `messages` and `beta.messages`, with the helpers that are built on their `create` (`stream`, `parse`,
 * `toolRunner`). What reads or deletes passes; anything else throws `UnguardedCall`. So do the clients that `withOptions`
 * returns. The client that is given stays as it is.
 */
export function guardAnthropic<Client extends Anthropic>(client: Client, run: RunSource): Client {
  const copy = client.withOptions({ fetch: refusingFetch(client, RULES) });
  return guardClient({
    client,
    copy,
    run,
    rules: RULES,
    newApiPromise: (props, data) => new APIPromise<unknown>(copy, props as ResponseProps, data),
    guard: (other) => guardAnthropic(other, run),
  });
}

type ResponseProps = ConstructorParameters<typeof APIPromise>[1];
