/** `@guarded-runs/sdk/openai`: a guarded copy of an OpenAI client. */

import { APIPromise, type AzureOpenAI, type OpenAI } from 'openai';
import { replaceIterator } from '../streams/follow-stream.js';
import {
  chatRequest,
  completionRequest,
  embeddingRequest,
  responseRequest,
} from '../usage/openai-request.js';
import { fieldOf } from '../usage/token-usage.js';
import { guardClient, type ProviderRules, passThrough, refusingFetch } from './guard-client.js';
import type { RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

const RULES: ProviderRules = {
  guardName: 'guardOpenAI',
  modelCalls: {
    '/chat/completions': { adapt: requestUsage, request: chatRequest },
    '/completions': { adapt: requestUsage, request: completionRequest },
    '/responses': { adapt: passThrough, request: responseRequest },
    '/responses/compact': { adapt: passThrough, request: responseRequest },
    '/embeddings': { adapt: passThrough, request: embeddingRequest },
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
 * Guards `chat.completions`, `responses`, `completions` and `embeddings`, including the helpers built on `create`
 * (`parse`, `stream`, `runTools`). Reads, deletions and file uploads pass; any other call throws `UnguardedCallError`.
 * `withOptions` returns guarded clients. The original client is not changed.
 */
export function guardOpenAI<Client extends OpenAI>(client: Client, run?: RunSource): Client {
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

/** `withOptions` of the Azure client does not keep its Azure-specific options. */
function azureOptions(client: OpenAI): Partial<Pick<AzureOpenAI, 'apiVersion'>> {
  const apiVersion = fieldOf(client, 'apiVersion');
  return typeof apiVersion === 'string' ? { apiVersion } : {};
}

/** A streamed completion contains usage only on request, in a chunk that is hidden from callers who did not ask. */
function requestUsage(body: object): { body: object; toCaller: (data: unknown) => unknown } {
  const isRequested = fieldOf(fieldOf(body, 'stream_options'), 'include_usage') === true;
  if (fieldOf(body, 'stream') !== true || isRequested) return { body, toCaller: (data) => data };
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
