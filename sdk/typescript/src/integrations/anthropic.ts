/** `@guarded-runs/sdk/anthropic`: a guarded copy of an Anthropic client. */

import { type Anthropic, APIPromise } from '@anthropic-ai/sdk';
import { anthropicRequest } from '../usage/anthropic-request.js';
import { guardClient, type ProviderRules, passThrough, refusingFetch } from './guard-client.js';
import type { RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

const RULES: ProviderRules = {
  guardName: 'guardAnthropic',
  modelCalls: { '/v1/messages': { adapt: passThrough, request: anthropicRequest } },
  freeCalls: [/^\/v1\/messages\/count_tokens$/, /^\/v1\/messages\/batches\/[^/]+\/cancel$/, /^\/v1\/files$/],
  credentials: ['apiKey', 'authToken'],
};

/**
 * Guards `messages` and `beta.messages`, including the helpers built on `create` (`stream`, `parse`, `toolRunner`).
 * Reads and deletions pass; any other call throws `UnguardedCallError`. `withOptions` returns guarded clients. The original
 * client is not changed.
 */
export function guardAnthropic<Client extends Anthropic>(client: Client, run?: RunSource): Client {
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
