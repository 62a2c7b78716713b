/** `@guarded-runs/sdk/openai-agents`: runners, model providers and models of the OpenAI Agents SDK. Its tools: see `guardTool`. */

import {
  type CallModelInputFilter,
  type Model,
  type ModelProvider,
  type ModelRequest,
  type RunConfig,
  Runner,
  type StreamEvent,
} from '@openai/agents';
import { UnguardedCall } from '../errors.js';
import { fieldOf } from '../usage/token-usage.js';
import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

/** A runner looks no further than the agent for a model that is an instance: which of these ask is kept here. */
const guardedModels = new WeakSet<object>();

/**
 * A runner whose models ask first: those that its provider gives, and its own. An agent whose model is an instance does not
 * ask the provider: its call throws `UnguardedCall`, unless the model comes from `guardModel`. Agents that are tools of others
 * (`asTool`) run in runners of their own, which take over the provider but not this check.
 */
export function guardRunner(
  config: Partial<RunConfig> & { modelProvider: ModelProvider },
  run: RunSource,
): Runner {
  const { model, modelProvider } = config;
  const runner = new Runner({
    ...config,
    modelProvider: guardModelProvider(modelProvider, run),
    ...(typeof model === 'object' ? { model: guardModel(model, { run }) } : {}),
  });
  // The only hook that every call of a model passes with its agent. That of a single run takes the place of the runner's.
  const start: RunAnything = runner.run.bind(runner);
  const guarded: RunAnything = (agent, input, options) => {
    const callModelInputFilter = options?.callModelInputFilter ?? config.callModelInputFilter;
    return start(agent, input, { ...options, callModelInputFilter: afterCheck(callModelInputFilter) });
  };
  return Object.assign(runner, { run: guarded });
}

/** The models that the provider gives ask first. Models that are instances it is not asked for: see `guardRunner`. */
export function guardModelProvider(provider: ModelProvider, run: RunSource): ModelProvider {
  return {
    getModel: async (name) => guardModel(await provider.getModel(name), { name, run }),
  };
}

/** The same model, which asks first. `name` is for models that do not tell theirs; it must equal the model of a price. */
export function guardModel(model: Model, given: { name?: string | undefined; run: RunSource }): Model {
  if (guardedModels.has(model)) return model;
  const { run } = given;
  // The runner asks for the default model by an empty name.
  const name = given.name || nameOf(model);
  const getRetryAdvice = model.getRetryAdvice?.bind(model);
  const guarded: Model = {
    getResponse: async (request) =>
      currentRun(run).modelCall({
        model: nameFor(request, name),
        call: () => model.getResponse(request),
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
      call: () => model.getStreamedResponse(request),
      signal: request.signal,
    });
  }
}

/** `run` of a runner is overloaded by whether it streams; here both are the same. */
type RunAnything = (
  agent: Parameters<Runner['run']>[0],
  input: Parameters<Runner['run']>[1],
  options?: { callModelInputFilter?: CallModelInputFilter },
) => Promise<unknown>;

function afterCheck(filter: CallModelInputFilter | undefined): CallModelInputFilter {
  return (given) => {
    const { model, name } = given.agent;
    if (typeof model === 'object' && !guardedModels.has(model)) {
      throw new UnguardedCall(
        `The model of agent ${name} is an instance that does not ask: give the agent guardModel(model, { run })`,
      );
    }
    return filter === undefined ? given.modelData : filter(given);
  };
}

/** Asked for its default, a provider does not say which model that is; most models of the SDK itself know. */
function nameOf(model: Model): string {
  const name = fieldOf(model, '_model');
  if (typeof name === 'string' && name !== '') return name;
  throw new UnguardedCall(
    'The name of the model is not known, so that its calls would have no price: name the model of the agent or the ' +
      'runner, or use guardModel(model, { run, name })',
  );
}

/** A stored prompt brings a model of its own along, unless the agent or the runner names one. */
function nameFor(request: ModelRequest, name: string): string {
  if (request.prompt === undefined || request.overridePromptModel === true) return name;
  throw new UnguardedCall(
    'The model of a stored prompt is not known: name the model of the agent that uses the prompt',
  );
}
