/** `@guarded-runs/sdk/tools`: guards tools of any framework and handlers of an MCP server. */

import type { CostReader } from '../guarded-run.js';
import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

/**
 * Guards a function. A result with `isError`, as MCP handlers may return, is recorded as FAILED. An MCP server reports
 * a denial to its client like any other error of a handler. `hold` is what a call costs at most, in USD; `costUsd` is what
 * it has cost.
 */
export function guardTool<Arguments extends unknown[], Result>(
  tool: (...given: Arguments) => Result | PromiseLike<Result>,
  given: {
    name: string;
    run: RunSource;
    hold?: number | undefined;
    costUsd?: number | CostReader<Result> | undefined;
  },
): (...given: Arguments) => Promise<Result> {
  const { name, run, hold, costUsd } = given;
  return (...received) =>
    currentRun(run).toolCall({
      name,
      hold,
      costUsd,
      // Frameworks pass a context after the arguments of the model, which is not JSON.
      input: () => ({ arguments: received[0] }),
      call: () => tool(...received),
    });
}
