import type { Usage } from '../../domain/usage.js';
import { type Row, readBigint } from '../row.js';

export function toUsage(row: Row): Usage {
  return {
    costPicoUsd: readBigint(row, 'cost_pico_usd'),
    promptTokens: readBigint(row, 'prompt_tokens'),
    completionTokens: readBigint(row, 'completion_tokens'),
    unpricedTokens: readBigint(row, 'unpriced_tokens'),
  };
}
