/** `@guarded-runs/sdk/tools`: guards tools of any framework and handlers of an MCP server. */

import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

/**
 * Guards a function. A result with `isError`, as MCP handlers may return, is recorded as FAILED. An MCP server reports
 * a denial to its client like any other error of a handler.
 */
export function guardTool<Arguments extends unknown[], Result>(
  tool: (...given: Arguments) => Result | PromiseLike<Result>,
  given: { name: string; run: RunSource },
): (...given: Arguments) => Promise<Result> {
  return (...received) => currentRun(given.run).toolCall({ name: given.name, call: () => tool(...received) });
}
