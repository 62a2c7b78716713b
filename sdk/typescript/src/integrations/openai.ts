/** `@guarded-runs/sdk/openai`: a copy of an OpenAI client whose model calls ask the guard first. */

import { APIPromise, type AzureOpenAI, type OpenAI } from 'openai';
import { replaceIterator } from '../streams/follow-stream.js';
import { fieldOf } from '../usage/token-usage.js';
import { asItIs, guardClient, type ProviderRules, refusingFetch } from './guard-client.js';
import type { RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

const RULES: ProviderRules = {
  guardName: 'guardOpenAI',
  modelCalls: {
    '/chat/completions': askForUsage,
    '/completions': askForUsage,
    '/responses': asItIs,
    '/responses/compact': asItIs,
    '/embeddings': asItIs,
  },
  freeCalls: [
    /\/cancel$/,
    /^\/responses\/input_tokens$/,
    /^\/files$/,
    /^\/uploads$/,
    /^\/uploads\/[^/]+\/(parts|complete)$/,
  ],
  credentials: ['apiKey', 'adminAPIKey'],
};

/**
 * Guards `chat.completions`, `responses`, `completions` and `embeddings`, with the helpers that are built on their
 * `create` (`parse`, `stream`, `runTools`). What reads or deletes passes, and uploads of files; anything else throws
 * `UnguardedCall`. So do the clients that `withOptions` returns. The client that is given stays as it is.
 */
export function guardOpenAI<Client extends OpenAI>(client: Client, run: RunSource): Client {
  const copy = client.withOptions({ fetch: refusingFetch(client, RULES), ...azureOptions(client) });
  return guardClient({
    client,
    copy,
    run,
    rules: RULES,
    newApiPromise: (props, data) => new APIPromise<unknown>(copy, props as ResponseProps, data),
    guard: (other) => guardOpenAI(other, run),
  });
}

type ResponseProps = ConstructorParameters<typeof APIPromise>[1];

/** `withOptions` of the Azure client does not keep what only that client has. */
function azureOptions(client: OpenAI): Partial<Pick<AzureOpenAI, 'apiVersion'>> {
  const apiVersion = fieldOf(client, 'apiVersion');
  return typeof apiVersion === 'string' ? { apiVersion } : {};
}

/** A streamed completion tells its usage only when asked, in a chunk of its own: one who did not ask does not see it. */
function askForUsage(body: object): { body: object; toCaller: (data: unknown) => unknown } {
  const isAsked = fieldOf(fieldOf(body, 'stream_options'), 'include_usage') === true;
  if (fieldOf(body, 'stream') !== true || isAsked) return { body, toCaller: (data) => data };
  const options = fieldOf(body, 'stream_options');
  return {
    body: { ...body, stream_options: { ...(options ?? {}), include_usage: true } },
    toCaller: (data) => {
      if (isAsyncIterable(data)) replaceIterator(data, withoutUsageChunk);
      return data;
    },
  };
}

async function* withoutUsageChunk(chunks: AsyncIterator<unknown>): AsyncGenerator<unknown> {
  const all = { [Symbol.asyncIterator]: () => chunks };
  for await (const chunk of all) {
    if (!isUsageChunk(chunk)) yield chunk;
  }
}

function isUsageChunk(chunk: unknown): boolean {
  const choices = fieldOf(chunk, 'choices');
  return Array.isArray(choices) && choices.length === 0 && fieldOf(chunk, 'usage') != null;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
