/** `@guarded-runs/sdk/openai-agents`: a model provider for the OpenAI Agents SDK. Its tools: see `guardTool`. */

import type { Model, ModelProvider, ModelRequest, StreamEvent } from '@openai/agents';
import { fieldOf } from '../usage/token-usage.js';
import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

/** The models that the provider gives ask first. Pass it to `new Runner({ modelProvider })`. */
export function guardModelProvider(provider: ModelProvider, run: RunSource): ModelProvider {
  return {
    getModel: async (name) => guardModel(await provider.getModel(name), { name, run }),
  };
}

function guardModel(model: Model, given: { name: string | undefined; run: RunSource }): Model {
  const { run } = given;
  // The runner asks for the default model by an empty name.
  const name = given.name || nameOf(model);
  const getRetryAdvice = model.getRetryAdvice?.bind(model);
  return {
    getResponse: (request) =>
      currentRun(run).modelCall({
        model: name,
        call: () => model.getResponse(request),
        signal: request.signal,
      }),
    getStreamedResponse: (request) => streamOf(request),
    ...(getRetryAdvice === undefined ? {} : { getRetryAdvice }),
  };

  async function* streamOf(request: ModelRequest): AsyncGenerator<StreamEvent> {
    const call = () => model.getStreamedResponse(request);
    yield* await currentRun(run).modelCall({ model: name, call, signal: request.signal });
  }
}

/** Asked for its default, a provider does not say which model that is; the models of the SDK itself know. */
function nameOf(model: Model): string | null {
  const name = fieldOf(model, '_model');
  return typeof name === 'string' ? name : null;
}
