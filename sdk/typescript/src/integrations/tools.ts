/** `@guarded-runs/sdk/tools`: tools of any framework, and the handlers of an MCP server. */

import { currentRun, type RunSource } from './run-source.js';

export type { RunSource } from './run-source.js';

/**
 * The same function, which asks first. A result that says `isError`, as an MCP handler's may, is recorded as FAILED. An
 * MCP server tells its client of a denial as of any error that a handler throws.
 */
export function guardTool<Arguments extends unknown[], Result>(
  tool: (...given: Arguments) => Result | PromiseLike<Result>,
  given: { name: string; run: RunSource },
): (...given: Arguments) => Promise<Result> {
  return (...received) => currentRun(given.run).toolCall({ name: given.name, call: () => tool(...received) });
}
