/** The parts of the tokens of a model, in every report that has them. */

import { picoUsdToNumber } from '../domain/money.js';
import type { UsageParts } from '../domain/usage.js';
import { Total, Usd } from './schemas.js';

export const UsagePartFields = {
  cache_read_tokens: Total('Input tokens read from the cache of the provider'),
  cache_write_tokens: Total('Input tokens written to the cache of the provider'),
  reasoning_tokens: Total('Output tokens used for reasoning'),
  cache_saved_usd: Usd('What the cache saved against the input price; negative if it cost more'),
};

export function toApiParts(parts: UsageParts) {
  return {
    cache_read_tokens: parts.cacheReadTokens,
    cache_write_tokens: parts.cacheWriteTokens,
    reasoning_tokens: parts.reasoningTokens,
    cache_saved_usd: picoUsdToNumber(parts.cacheSavedPicoUsd),
  };
}
