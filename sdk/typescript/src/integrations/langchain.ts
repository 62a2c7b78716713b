/** `@guarded-runs/sdk/langchain`: middleware for agents, and a callback handler for models and chains outside of them. */

import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { CallbackManager } from '@langchain/core/callbacks/manager';
import type { Serialized } from '@langchain/core/load/serializable';
import type { LLMResult } from '@langchain/core/outputs';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { createMiddleware } from 'langchain';
import { UnguardedCall } from '../errors.js';
import type { GuardedRun } from '../guarded-run.js';
import type { OpenStep } from '../open-step.js';
import { readLangChainUsage } from '../usage/langchain-usage.js';
import { fieldOf, type TokenUsage, tokenUsage } from '../usage/token-usage.js';
import { asName, calledModelNameOf, modelNameOf } from './langchain-model-name.js';
import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

export interface LangChainGuardOptions {
  /** For models whose name LangChain does not tell. Without a name such a call throws `UnguardedCall`: it has no price. */
  readonly model?: string | undefined;
}

/**
 * For `createAgent({ middleware: [guardMiddleware(run)] })`: model and tool calls ask first. A denial ends the agent; as
 * LangChain wraps what a middleware throws, the `StepDenied` is the `cause` of the error. It comes last among middleware
 * that change the model: a model that differs from the one that was asked for is refused.
 */
export function guardMiddleware(run: RunSource, options: LangChainGuardOptions = {}) {
  return createMiddleware({
    name: 'GuardedRuns',
    wrapModelCall: async (request, handler) => {
      const named = modelNameOf(request.model, request.runtime.configurable);
      const model = named ?? options.model ?? refuseNameless('guardMiddleware');
      return currentRun(run).modelCall({
        model,
        call: () => (named === null ? handler(request) : withoutOtherModels(named, () => handler(request))),
      });
    },
    wrapToolCall: (request, handler) =>
      currentRun(run).toolCall({ name: request.toolCall.name, call: () => handler(request) }),
  });
}

/**
 * For `model.invoke(input, { callbacks: [guardCallbacks(run)] })`. A denial is thrown before the model or the tool is
 * called. LangChain does not tell its handlers of a stream whose reader leaves it: such a step is reported FAILED when
 * the run ends.
 */
export function guardCallbacks(run: RunSource, options: LangChainGuardOptions = {}): BaseCallbackHandler {
  return new GuardedRunsHandler(run, options);
}

/**
 * A middleware after the guard can put another model into the request, which the guard does not see. The callbacks of the
 * agent's node do: they are those that the model is called with. In a runtime without async local storage they cannot be
 * reached.
 */
async function withoutOtherModels<Result>(
  asked: string,
  call: () => Result | PromiseLike<Result>,
): Promise<Result> {
  const config = AsyncLocalStorageProviderSingleton.getRunnableConfig();
  if (config === undefined) return call();
  const { callbacks } = config;
  const watcher = new OtherModelRefused(asked);
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

function refuseNameless(guardName: string): never {
  throw new UnguardedCall(
    `LangChain does not tell the name of the model, so that the call would have no price: ${guardName}(run, { model: … })`,
  );
}

class OtherModelRefused extends BaseCallbackHandler {
  override readonly name = 'GuardedRunsModel';
  override readonly awaitHandlers = true;
  override readonly raiseError = true;
  readonly #asked: string;

  constructor(asked: string) {
    super();
    this.#asked = asked;
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
    if (called === null || called === this.#asked) return;
    throw new UnguardedCall(
      `${called} is called in the step of ${this.#asked}: put guardMiddleware after the middleware that changes the model, ` +
        'and give guardCallbacks to models that a middleware calls itself',
    );
  }
}

class GuardedRunsHandler extends BaseCallbackHandler {
  override readonly name = 'GuardedRuns';
  /** Both are needed for a denial to stop the call: what a handler throws is awaited, and thrown on. */
  override readonly awaitHandlers = true;
  override readonly raiseError = true;
  readonly #run: RunSource;
  readonly #options: LangChainGuardOptions;
  readonly #steps = new Map<string, OpenStep>();

  constructor(run: RunSource, options: LangChainGuardOptions) {
    super();
    this.#run = run;
    this.#options = options;
  }

  override async handleChatModelStart(
    _model: Serialized,
    _messages: unknown,
    id: string,
    _parentId?: string,
    extra?: Record<string, unknown>,
    _tags?: string[],
    metadata?: Record<string, unknown>,
  ): Promise<void> {
    const model =
      calledModelNameOf({ extra, metadata }) ?? this.#options.model ?? refuseNameless('guardCallbacks');
    await this.#open(id, (current) => current.openStep({ type: 'MODEL_CALL', model }));
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

  override async handleLLMEnd(output: LLMResult, id: string): Promise<void> {
    await this.#take(id)?.complete(usageOf(output));
  }

  override async handleLLMError(_error: unknown, id: string): Promise<void> {
    await this.#take(id)?.fail();
  }

  override async handleToolStart(
    tool: Serialized,
    _input: string,
    id: string,
    _parentId?: string,
    _tags?: string[],
    _metadata?: Record<string, unknown>,
    name?: string,
  ): Promise<void> {
    const toolName = name ?? asName(tool.name) ?? asName(tool.id.at(-1));
    await this.#open(id, (current) => current.openStep({ type: 'TOOL_CALL', toolName }));
  }

  override async handleToolEnd(_output: unknown, id: string): Promise<void> {
    await this.#take(id)?.complete();
  }

  override async handleToolError(_error: unknown, id: string): Promise<void> {
    await this.#take(id)?.fail();
  }

  async #open(id: string, open: (run: GuardedRun) => Promise<OpenStep>): Promise<void> {
    this.#steps.set(id, await open(currentRun(this.#run)));
  }

  #take(id: string): OpenStep | undefined {
    const step = this.#steps.get(id);
    this.#steps.delete(id);
    return step;
  }
}

/** Chat models tell the usage on their message; the older language models on the whole result. */
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
