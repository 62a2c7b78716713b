/** `@guarded-runs/sdk/openai`: a copy of an OpenAI client whose model calls ask the guard first. */

import { APIPromise, type OpenAI } from 'openai';
import { replaceIterator } from '../streams/follow-stream.js';
import { fieldOf } from '../usage/token-usage.js';
import { guardCreate, type NewApiPromise } from './guard-create.js';
import type { RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

/**
 * Guards `chat.completions`, `responses`, `completions` and `embeddings`, with the helpers that are built on their
 * `create` (`parse`, `stream`, `runTools`). The client that is given stays as it is. Other calls are not guarded: wrap
 * them in `run.modelCall`.
 */
export function guardOpenAI<Client extends OpenAI>(client: Client, run: RunSource): Client {
  const guarded = client.withOptions({});
  const newApiPromise: NewApiPromise = (response, data) =>
    new APIPromise<unknown>(guarded, response.then(toResponseProps), data);
  guardCreate({ resource: guarded.chat.completions, run, newApiPromise, adapt: askForUsage });
  guardCreate({ resource: guarded.completions, run, newApiPromise, adapt: askForUsage });
  guardCreate({ resource: guarded.responses, run, newApiPromise });
  guardCreate({ resource: guarded.embeddings, run, newApiPromise });
  return guarded;
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
