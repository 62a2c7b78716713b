/** `@guarded-runs/sdk/ai-sdk`: middleware for `wrapLanguageModel` of the AI SDK. */

import type { LanguageModelMiddleware } from 'ai';
import { aiSdkRequest } from '../usage/ai-sdk-request.js';
import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

type LanguageModel = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0]['model'];

/** Each model call is a step, including every step of an agent and every retry. */
export function guardMiddleware(run?: RunSource): LanguageModelMiddleware {
  return {
    specificationVersion: 'v3',
    wrapGenerate: ({ doGenerate, model, params }) =>
      currentRun(run).modelCall({
        model: model.modelId,
        request: () => aiSdkRequest(params),
        input: () => inputOf(params),
        signal: params.abortSignal,
        call: doGenerate,
        // Without the request and the headers of the response.
        output: ({ content, finishReason }) => ({ content, finishReason }),
      }),
    wrapStream: async ({ doStream, model, params }) => {
      let result: Awaited<ReturnType<typeof doStream>> | undefined;
      const stream = await currentRun(run).modelCall({
        model: model.modelId,
        request: () => aiSdkRequest(params),
        input: () => inputOf(params),
        signal: params.abortSignal,
        call: async () => {
          result = await doStream();
          return result.stream;
        },
      });
      return { ...result, stream };
    },
  };
}

/** Without what is not part of the request, or may be secret. */
function inputOf(params: Parameters<LanguageModel['doGenerate']>[0]): object {
  const { abortSignal: _, headers: __, ...input } = params;
  return input;
}
