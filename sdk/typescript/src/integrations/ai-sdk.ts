/** `@guarded-runs/sdk/ai-sdk`: middleware for `wrapLanguageModel` of the AI SDK. */

import type { LanguageModelMiddleware } from 'ai';
import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

/** Each call of the model is a step: every step of an agent, and every retry. */
export function guardMiddleware(run: RunSource): LanguageModelMiddleware {
  return {
    specificationVersion: 'v3',
    wrapGenerate: ({ doGenerate, model }) =>
      currentRun(run).modelCall({ model: model.modelId, call: doGenerate }),
    wrapStream: async ({ doStream, model }) => {
      let result: Awaited<ReturnType<typeof doStream>> | undefined;
      const stream = await currentRun(run).modelCall({
        model: model.modelId,
        call: async () => {
          result = await doStream();
          return result.stream;
        },
      });
      return { ...result, stream };
    },
  };
}
