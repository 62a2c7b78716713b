/** `@guarded-runs/sdk/ai-sdk`: middleware for `wrapLanguageModel` of the AI SDK. */

import type { LanguageModelMiddleware } from 'ai';
import { aiSdkRequest } from '../usage/ai-sdk-request.js';
import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

/** Each model call is a step, including every step of an agent and every retry. */
export function guardMiddleware(run: RunSource): LanguageModelMiddleware {
  return {
    specificationVersion: 'v3',
    wrapGenerate: ({ doGenerate, model, params }) =>
      currentRun(run).modelCall({
        model: model.modelId,
        request: () => aiSdkRequest(params),
        signal: params.abortSignal,
        call: doGenerate,
      }),
    wrapStream: async ({ doStream, model, params }) => {
      let result: Awaited<ReturnType<typeof doStream>> | undefined;
      const stream = await currentRun(run).modelCall({
        model: model.modelId,
        request: () => aiSdkRequest(params),
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
