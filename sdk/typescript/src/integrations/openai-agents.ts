/** `@guarded-runs/sdk/openai-agents`: runners, model providers and models. For tools, use `guardTool`. */

import {
  type CallModelInputFilter,
  type Model,
  type ModelProvider,
  type ModelRequest,
  type RunConfig,
  Runner,
  type StreamEvent,
} from '@openai/agents';
import { UnguardedCallError } from '../errors.js';
import { agentsRequest } from '../usage/openai-agents-request.js';
import { fieldOf } from '../usage/token-usage.js';
import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

/** A runner uses a model instance of an agent directly, so this records which instances are guarded. */
const guardedModels = new WeakSet<object>();

/**
 * Returns a runner that guards its own model and the models of its provider. If an agent has a model instance, which
 * bypasses the provider, its call throws `UnguardedCallError` unless the instance comes from `guardModel`. Agents used as
 * tools (`asTool`) run in their own runners, which inherit the provider but not this check.
 */
export function guardRunner(
  config: Partial<RunConfig> & { modelProvider: ModelProvider },
  run?: RunSource,
): Runner {
  const { model, modelProvider } = config;
  const runner = new Runner({
    ...config,
    modelProvider: guardModelProvider(modelProvider, run),
    ...(typeof model === 'object' ? { model: guardModel(model, { run }) } : {}),
  });
  // The only hook that receives every model call with its agent. The filter of a run replaces the one of the runner.
  const start: RunFunction = runner.run.bind(runner);
  const guarded: RunFunction = (agent, input, options) => {
    const callModelInputFilter = options?.callModelInputFilter ?? config.callModelInputFilter;
    return start(agent, input, { ...options, callModelInputFilter: withModelCheck(callModelInputFilter) });
  };
  return Object.assign(runner, { run: guarded });
}

/** Guards the models of a provider. Model instances bypass the provider: see `guardRunner`. */
export function guardModelProvider(provider: ModelProvider, run?: RunSource): ModelProvider {
  return {
    getModel: async (name) => guardModel(await provider.getModel(name), { name, run }),
  };
}

/** Guards a model. `name` is for models that do not expose theirs, and must match the model of a price. */
export function guardModel(
  model: Model,
  given: { name?: string | undefined; run?: RunSource | undefined } = {},
): Model {
  if (guardedModels.has(model)) return model;
  const { run } = given;
  // The runner requests the default model with an empty name.
  const name = given.name || nameOf(model);
  const getRetryAdvice = model.getRetryAdvice?.bind(model);
  const guarded: Model = {
    getResponse: async (request) =>
      currentRun(run).modelCall({
        model: nameFor(request, name),
        request: () => agentsRequest(request),
        input: () => inputOf(request),
        call: () => model.getResponse(request),
        output: ({ output }) => ({ output }),
        signal: request.signal,
      }),
    getStreamedResponse: (request) => streamOf(request),
    ...(getRetryAdvice === undefined ? {} : { getRetryAdvice }),
  };
  guardedModels.add(guarded);
  return guarded;

  async function* streamOf(request: ModelRequest): AsyncGenerator<StreamEvent> {
    yield* await currentRun(run).modelCall({
      model: nameFor(request, name),
      request: () => agentsRequest(request),
      input: () => inputOf(request),
      call: () => model.getStreamedResponse(request),
      signal: request.signal,
    });
  }
}

/** `Runner.run` without its overloads for streaming, which make no difference here. */
type RunFunction = (
  agent: Parameters<Runner['run']>[0],
  input: Parameters<Runner['run']>[1],
  options?: { callModelInputFilter?: CallModelInputFilter },
) => Promise<unknown>;

function withModelCheck(filter: CallModelInputFilter | undefined): CallModelInputFilter {
  return (given) => {
    const { model, name } = given.agent;
    if (typeof model === 'object' && !guardedModels.has(model)) {
      throw new UnguardedCallError(
        `The model instance of agent ${name} is not guarded: use guardModel(model, { run }) for the agent`,
      );
    }
    return filter === undefined ? given.modelData : filter(given);
  };
}

function inputOf({ systemInstructions, input, prompt, modelSettings, tools }: ModelRequest): object {
  return { systemInstructions, input, prompt, modelSettings, tools };
}

/** A provider does not expose the name of its default model, but most models of the Agents SDK do. */
function nameOf(model: Model): string {
  const name = fieldOf(model, '_model');
  if (typeof name === 'string' && name !== '') return name;
  throw new UnguardedCallError(
    'The name of the model is unknown, so its calls would have no price: set the model of the agent or the runner, ' +
      'or use guardModel(model, { run, name })',
  );
}

/** A stored prompt uses its own model unless the agent or the runner sets one. */
function nameFor(request: ModelRequest, name: string): string {
  if (request.prompt === undefined || request.overridePromptModel === true) return name;
  throw new UnguardedCallError(
    'The model of a stored prompt is unknown: set the model of the agent that uses the prompt',
  );
}
