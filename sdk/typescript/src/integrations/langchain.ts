/** `@guarded-runs/sdk/langchain`: middleware for agents, and a callback handler for other models and chains. */

import {
  BaseCallbackHandler,
  type HandleLLMNewTokenCallbackFields,
  type NewTokenIndices,
} from '@langchain/core/callbacks/base';
import { CallbackManager } from '@langchain/core/callbacks/manager';
import type { Serialized } from '@langchain/core/load/serializable';
import type { LLMResult } from '@langchain/core/outputs';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { createMiddleware, MiddlewareError, ToolInvocationError } from 'langchain';
import { UnguardedCallError } from '../errors.js';
import type { GuardedRun } from '../guarded-run.js';
import type { OpenStep, StepOutcome } from '../open-step.js';
import { isAbort } from '../perform-step.js';
import type { ModelRequest } from '../usage/estimate-tokens.js';
import { langChainRequest } from '../usage/langchain-request.js';
import { readLangChainUsage } from '../usage/langchain-usage.js';
import { fieldOf, type TokenUsage, tokenUsage } from '../usage/token-usage.js';
import { agentRequest } from './langchain-agent-request.js';
import { asName, calledModelNameOf, modelNameOf } from './langchain-model-name.js';
import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

export interface LangChainGuardOptions {
  /** For models whose name LangChain does not expose. Without a name, the call throws `UnguardedCallError`. */
  readonly model?: string | undefined;
}

/**
 * For `createAgent({ middleware: [guardMiddleware(run)] })`: guards model and tool calls. A denial ends the agent; an error of
 * a tool is told to the model, as without the guard.
 * LangChain wraps errors of middleware, so `StepDeniedError` is the `cause` of the error. Place it after middleware that
 * changes the model: a call of a model other than the permitted one throws `UnguardedCallError`.
 */
export function guardMiddleware(run?: RunSource, options: LangChainGuardOptions = {}) {
  return createMiddleware({
    name: 'GuardedRuns',
    wrapModelCall: async (request, handler) => {
      const named = modelNameOf(request.model, request.runtime.configurable);
      const model = named ?? options.model ?? rejectUnnamedModel('guardMiddleware');
      return currentRun(run).modelCall({
        model,
        request: () => agentRequest(request),
        input: () => ({ systemMessage: request.systemMessage, messages: request.messages }),
        call: (step) => withWatcher(new ModelWatcher({ expected: named, step }), () => handler(request)),
      });
    },
    wrapToolCall: async (request, handler) => {
      const { toolCall } = request;
      const thrown = new Set<unknown>();
      const call = async () => {
        try {
          return await handler(request);
        } catch (error) {
          thrown.add(error);
          throw error;
        }
      };
      try {
        const input = () => toolCall.args;
        return await currentRun(run).toolCall({ name: toolCall.name, input, call });
      } catch (error) {
        throw thrown.has(error) ? asToolError(error, toolCall) : error;
      }
    },
  });
}

/**
 * LangChain tells the model of an error of a tool, but with middleware for tools it does so only for this class. The text is
 * the one without middleware.
 */
function asToolError(
  error: unknown,
  toolCall: ConstructorParameters<typeof ToolInvocationError>[1],
): unknown {
  const isInterrupt = fieldOf(error, 'is_bubble_up') === true;
  if (isInterrupt || error instanceof MiddlewareError || error instanceof ToolInvocationError) return error;
  const failure = new ToolInvocationError(error, toolCall);
  failure.message = `${error}\n Please fix your mistakes.`;
  failure.cause = error;
  return failure;
}

/**
 * For `model.invoke(input, { callbacks: [guardCallbacks(run)] })`. A denial is thrown before the model or tool is
 * called. LangChain does not notify handlers of a stream that is not read to its end: such a step is reported as FAILED,
 * with an estimate, when the run ends.
 */
export function guardCallbacks(run?: RunSource, options: LangChainGuardOptions = {}): BaseCallbackHandler {
  return new GuardedRunsHandler(run, options);
}

/**
 * Middleware after the guard can replace the model of the request, which the guard cannot see. The model is called with
 * the callbacks of the agent's node, so a callback detects the change. Without async local storage, these callbacks are
 * not accessible, and there is no check.
 */
async function withWatcher<Result>(
  watcher: ModelWatcher,
  call: () => Result | PromiseLike<Result>,
): Promise<Result> {
  const config = AsyncLocalStorageProviderSingleton.getRunnableConfig();
  if (config === undefined) return call();
  const { callbacks } = config;
  config.callbacks =
    callbacks instanceof CallbackManager
      ? callbacks.copy([watcher], true)
      : [...(Array.isArray(callbacks) ? callbacks : []), watcher];
  try {
    return await call();
  } finally {
    config.callbacks = callbacks;
  }
}

function rejectUnnamedModel(guardName: string): never {
  throw new UnguardedCallError(
    `LangChain does not expose the name of the model, so the call would have no price: use ${guardName}(run, { model })`,
  );
}

class ModelWatcher extends BaseCallbackHandler {
  override readonly name = 'GuardedRunsModel';
  override readonly awaitHandlers = true;
  override readonly raiseError = true;
  /** Null if LangChain does not expose the name. */
  readonly #expected: string | null;
  readonly #step: OpenStep;

  constructor({ expected, step }: { expected: string | null; step: OpenStep }) {
    super();
    this.#expected = expected;
    this.#step = step;
  }

  override handleChatModelStart(
    _model: Serialized,
    _messages: unknown,
    _id: string,
    _parentId?: string,
    extra?: Record<string, unknown>,
    _tags?: string[],
    metadata?: Record<string, unknown>,
  ): void {
    const called = calledModelNameOf({ extra, metadata });
    if (called === null || this.#expected === null || called === this.#expected) return;
    throw new UnguardedCallError(
      `${called} was called in a step of ${this.#expected}: place guardMiddleware after middleware that changes the ` +
        'model, and pass guardCallbacks to models that middleware calls itself',
    );
  }

  /** A stream that is broken off is reported with what it has produced. */
  override handleLLMNewToken(
    token: string,
    _index: NewTokenIndices,
    _id: string,
    _parentId?: string,
    _tags?: string[],
    fields?: HandleLLMNewTokenCallbackFields,
  ): void {
    this.#step.received(fields?.chunk ?? token);
  }
}

class GuardedRunsHandler extends BaseCallbackHandler {
  override readonly name = 'GuardedRuns';
  /** Both are required for a denial to stop the call: LangChain awaits the handler and rethrows its error. */
  override readonly awaitHandlers = true;
  override readonly raiseError = true;
  readonly #run: RunSource | undefined;
  readonly #options: LangChainGuardOptions;
  readonly #steps = new Map<string, OpenStep>();

  constructor(run: RunSource | undefined, options: LangChainGuardOptions) {
    super();
    this.#run = run;
    this.#options = options;
  }

  override async handleChatModelStart(
    _model: Serialized,
    messages: readonly unknown[],
    id: string,
    _parentId?: string,
    extra?: Record<string, unknown>,
    _tags?: string[],
    metadata?: Record<string, unknown>,
  ): Promise<void> {
    const model =
      calledModelNameOf({ extra, metadata }) ?? this.#options.model ?? rejectUnnamedModel('guardCallbacks');
    const request = () => calledRequest(messages, extra?.['invocation_params']);
    const input = () => ({ messages });
    await this.#open(id, (current) => current.openStep({ type: 'MODEL_CALL', model, request, input }));
  }

  override handleLLMStart(
    model: Serialized,
    prompts: string[],
    id: string,
    parentId?: string,
    extra?: Record<string, unknown>,
    tags?: string[],
    metadata?: Record<string, unknown>,
  ): Promise<void> {
    return this.handleChatModelStart(model, prompts, id, parentId, extra, tags, metadata);
  }

  /** A stream that is broken off is reported with what it has produced. */
  override handleLLMNewToken(
    token: string,
    _index: NewTokenIndices,
    id: string,
    _parentId?: string,
    _tags?: string[],
    fields?: HandleLLMNewTokenCallbackFields,
  ): void {
    this.#steps.get(id)?.received(fields?.chunk ?? token);
  }

  override async handleLLMEnd(output: LLMResult, id: string): Promise<void> {
    this.#close(id, { status: 'COMPLETED', result: usageOf(output), output: () => messagesOf(output) });
  }

  override async handleLLMError(error: unknown, id: string): Promise<void> {
    this.#close(id, { status: 'FAILED', result: null, error, isLeft: isAbort(error) });
  }

  override async handleToolStart(
    tool: Serialized,
    input: string,
    id: string,
    _parentId?: string,
    _tags?: string[],
    _metadata?: Record<string, unknown>,
    name?: string,
  ): Promise<void> {
    const toolName = name ?? asName(tool.name) ?? asName(tool.id.at(-1));
    await this.#open(id, (current) =>
      current.openStep({ type: 'TOOL_CALL', toolName, input: () => ({ input }) }),
    );
  }

  override async handleToolEnd(output: unknown, id: string): Promise<void> {
    this.#close(id, { status: 'COMPLETED', result: null, output: () => output });
  }

  override async handleToolError(error: unknown, id: string): Promise<void> {
    this.#close(id, { status: 'FAILED', result: null, error });
  }

  async #open(id: string, open: (run: GuardedRun) => Promise<OpenStep>): Promise<void> {
    const run = currentRun(this.#run);
    this.#steps.set(id, await open(run));
    // LangChain does not tell of every end.
    void run.settled.then(() => this.#steps.delete(id));
  }

  #close(id: string, outcome: StepOutcome): void {
    this.#steps.get(id)?.close(outcome);
    this.#steps.delete(id);
  }
}

/** Each prompt is a text or a list of messages. The parameters are those of the provider. */
function calledRequest(prompts: readonly unknown[], parameters: unknown): ModelRequest {
  return langChainRequest({
    messages: prompts.flat(),
    data: ['tools', 'functions', 'response_format', 'text'].map((name) => fieldOf(parameters, name)),
    parameters,
  });
}

function messagesOf({ generations }: LLMResult): object {
  const results = generations.flat().map((generation) => fieldOf(generation, 'message') ?? generation.text);
  return { generations: results };
}

/** Chat models report usage on the message; older language models on the result. */
function usageOf({ generations, llmOutput }: LLMResult): TokenUsage | null {
  const total = llmOutput?.['tokenUsage'];
  return (
    readLangChainUsage(fieldOf(generations[0]?.[0], 'message')) ??
    tokenUsage({
      promptTokens: fieldOf(total, 'promptTokens'),
      completionTokens: fieldOf(total, 'completionTokens'),
    })
  );
}
