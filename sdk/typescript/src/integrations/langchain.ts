/** `@guarded-runs/sdk/langchain`: middleware for agents, and a callback handler for models and chains outside of them. */

import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { Serialized } from '@langchain/core/load/serializable';
import type { LLMResult } from '@langchain/core/outputs';
import { createMiddleware } from 'langchain';
import type { GuardedRun } from '../guarded-run.js';
import type { OpenStep } from '../open-step.js';
import { readLangChainUsage } from '../usage/langchain-usage.js';
import { fieldOf, type TokenUsage, tokenUsage } from '../usage/token-usage.js';
import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

/**
 * For `createAgent({ middleware: [guardMiddleware(run)] })`: model and tool calls ask first. A denial ends the agent; as
 * LangChain wraps what a middleware throws, the `StepDenied` is the `cause` of the error.
 */
export function guardMiddleware(run: RunSource) {
  return createMiddleware({
    name: 'GuardedRuns',
    wrapModelCall: (request, handler) =>
      currentRun(run).modelCall({ model: modelOf(request.model), call: () => handler(request) }),
    wrapToolCall: (request, handler) =>
      currentRun(run).toolCall({ name: request.toolCall.name, call: () => handler(request) }),
  });
}

/**
 * For `model.invoke(input, { callbacks: [guardCallbacks(run)] })`. A denial is thrown before the model or the tool is
 * called. LangChain does not tell its handlers of a stream whose reader leaves it: such a step is reported FAILED when
 * the run ends.
 */
export function guardCallbacks(run: RunSource): BaseCallbackHandler {
  return new GuardedRunsHandler(run);
}

class GuardedRunsHandler extends BaseCallbackHandler {
  override readonly name = 'GuardedRuns';
  /** Both are needed for a denial to stop the call: what a handler throws is awaited, and thrown on. */
  override readonly awaitHandlers = true;
  override readonly raiseError = true;
  readonly #run: RunSource;
  readonly #steps = new Map<string, OpenStep>();

  constructor(run: RunSource) {
    super();
    this.#run = run;
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
      asName(fieldOf(extra?.['invocation_params'], 'model')) ?? asName(metadata?.['ls_model_name']);
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

/** Chat models call it `model` or `modelName`. */
function modelOf(model: unknown): string | null {
  return asName(fieldOf(model, 'model')) ?? asName(fieldOf(model, 'modelName'));
}

function asName(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
