/** Stream objects that can be read in several ways and also have a promise for their outcome. */

import type { OpenStep } from '../open-step.js';
import { fromAiSdkUsage } from '../usage/ai-sdk-usage.js';
import { readUsage } from '../usage/read-usage.js';
import type { TokenUsage } from '../usage/token-usage.js';

type Outcome = PromiseLike<TokenUsage | null>;

/** The stream helpers of the OpenAI and Anthropic clients: chat completions, responses, messages. */
const FINAL_RESULTS = ['finalMessage', 'finalResponse', 'finalChatCompletion'] as const;

/** Returns false for other results. Otherwise the step is reported when the promise settles. */
export function followPromisedUsage(
  result: unknown,
  given: {
    step: OpenStep;
    usage: (() => TokenUsage | null | undefined | PromiseLike<TokenUsage | null | undefined>) | undefined;
  },
): boolean {
  const outcome = outcomeOf(result);
  if (outcome === null) return false;
  const { step, usage } = given;
  outcome.then(
    async (promised) => {
      try {
        await step.complete(usage === undefined ? promised : await usage());
      } catch (error) {
        step.reportError(error);
        await step.complete();
      }
    },
    () => step.fail(),
  );
  return true;
}

function outcomeOf(result: unknown): Outcome | null {
  if (typeof result !== 'object' || result === null) return null;
  for (const name of FINAL_RESULTS) {
    const final: unknown = Reflect.get(result, name);
    if (typeof final === 'function') return Promise.resolve(final.call(result)).then(readUsage);
  }
  // streamText and streamObject. The promise reads the stream ahead of the caller, who gets a branch of it.
  if ('fullStream' in result) {
    const promised: unknown = 'totalUsage' in result ? result.totalUsage : Reflect.get(result, 'usage');
    return Promise.resolve(promised).then(fromAiSdkUsage);
  }
  return null;
}
