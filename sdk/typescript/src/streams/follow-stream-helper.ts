/** Stream objects that can be read in several ways and also have a promise for their outcome. */

import { fromAiSdkUsage } from '../usage/ai-sdk-usage.js';
import { readUsage } from '../usage/read-usage.js';
import type { TokenUsage } from '../usage/token-usage.js';
import type { StreamFollower } from './stream-follower.js';

/** Notified when the promise settles. */
export interface StreamHelperFollower extends StreamFollower {
  ended(usage?: TokenUsage | null): Promise<void>;
}

/** The stream helpers of the OpenAI and Anthropic clients: chat completions, responses, messages. */
const FINAL_RESULTS = ['finalMessage', 'finalResponse', 'finalChatCompletion'] as const;
/** The events in which they pass on what the provider sends. Each helper has one of them. */
const CHUNK_EVENTS = ['streamEvent', 'event', 'chunk'] as const;

/** Returns false for other results. */
export function followStreamHelper(result: unknown, follower: StreamHelperFollower): boolean {
  const outcome = outcomeOf(result, (chunk) => follower.chunk(chunk));
  if (outcome === null) return false;
  outcome.then(
    (usage) => follower.ended(usage),
    (error: unknown) => follower.interrupted({ error }),
  );
  return true;
}

function outcomeOf(result: unknown, onChunk: (chunk: unknown) => void): Promise<TokenUsage | null> | null {
  if (typeof result !== 'object' || result === null) return null;
  for (const name of FINAL_RESULTS) {
    // Reading a property that is not there may throw.
    const final: unknown = name in result ? Reflect.get(result, name) : undefined;
    if (typeof final !== 'function') continue;
    const on: unknown = Reflect.get(result, 'on');
    if (typeof on === 'function') for (const event of CHUNK_EVENTS) on.call(result, event, onChunk);
    return Promise.resolve(final.call(result)).then(readUsage);
  }
  return 'fullStream' in result ? aiSdkOutcome(result, onChunk) : null;
}

/** streamText and streamObject. The promise reads the stream ahead of the caller, who gets a branch of it. */
async function aiSdkOutcome(
  result: { readonly fullStream: unknown },
  onChunk: (chunk: unknown) => void,
): Promise<TokenUsage | null> {
  const usage: unknown = 'totalUsage' in result ? result.totalUsage : Reflect.get(result, 'usage');
  // Only the stream of streamText has branches. It tells what was produced before it was broken off.
  const isBranched = typeof Reflect.get(result, 'consumeStream') === 'function';
  const [promised] = await Promise.allSettled([
    usage,
    isBranched ? readAll(result.fullStream, onChunk) : null,
  ]);
  if (promised.status === 'rejected') throw promised.reason;
  return fromAiSdkUsage(promised.value);
}

async function readAll(stream: unknown, onChunk: (chunk: unknown) => void): Promise<void> {
  for await (const chunk of stream as AsyncIterable<unknown>) onChunk(chunk);
}
