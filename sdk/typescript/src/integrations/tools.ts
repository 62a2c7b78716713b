/** `@guarded-runs/sdk/tools`: guards tools of any framework and handlers of an MCP server. */

import type { CostReader } from '../guarded-run.js';
import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

export interface GuardedToolOptions<Result> {
  readonly name: string;
  /** Default: the current run. */
  readonly run?: RunSource | undefined;
  /** What a call costs at most, in USD. */
  readonly hold?: number | undefined;
  /** What a call has cost. */
  readonly costUsd?: number | CostReader<Result> | undefined;
}

/**
 * Guards a function. A result with `isError`, as MCP handlers may return, is recorded as FAILED. An MCP server reports
 * a denial to its client like any other error of a handler. A generator (`async function*`) stays one, for frameworks that
 * show its values before its end.
 */
export function guardTool<Arguments extends unknown[], Value>(
  tool: (...given: Arguments) => AsyncGenerator<Value>,
  options: GuardedToolOptions<AsyncGenerator<Value>>,
): (...given: Arguments) => AsyncGenerator<Value>;
export function guardTool<Arguments extends unknown[], Result>(
  tool: (...given: Arguments) => Result | PromiseLike<Result>,
  options: GuardedToolOptions<Result>,
): (...given: Arguments) => Promise<Result>;
export function guardTool<Arguments extends unknown[], Result>(
  tool: (...given: Arguments) => Result | PromiseLike<Result>,
  { name, run, hold, costUsd }: GuardedToolOptions<Result>,
): (...given: Arguments) => unknown {
  const call = (received: Arguments) =>
    currentRun(run).toolCall({
      name,
      hold,
      costUsd,
      // Frameworks pass a context after the arguments of the model, which is not JSON.
      input: () => ({ arguments: received[0] }),
      call: () => tool(...received),
    });
  if (!isGenerator(tool)) return (...received) => call(received);
  // Frameworks look at what the function returns, which is a generator before it is allowed.
  return async function* (...received: Arguments) {
    yield* (await call(received)) as AsyncGenerator<unknown>;
  };
}

function isGenerator(tool: unknown): boolean {
  return Object.prototype.toString.call(tool) === '[object AsyncGeneratorFunction]';
}
