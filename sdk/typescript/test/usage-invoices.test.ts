/** What the SDK reports of a usage, priced as the service prices it, is the amount of the provider's invoice. */

import { describe, expect, test } from 'vitest';
import { costOf } from '../../../server/src/domain/price.js';
import type { StepReport } from '../src/index.js';
import { toReportedUsage } from '../src/internal/reported-usage.js';
import { tokenEstimator } from '../src/usage/estimate-tokens.js';
import { readUsage } from '../src/usage/read-usage.js';
import { StreamUsage } from '../src/usage/stream-usage.js';
import type { TokenUsage } from '../src/usage/token-usage.js';
import { LIST_PRICES, type ListPrice, USAGE_INVOICES, type UsageInvoice } from './support/usage-invoices.js';

type Tokens = Omit<StepReport, 'stepId' | 'status'>;

test('the table has at least 40 usages, each with its own name', () => {
  expect(USAGE_INVOICES.length).toBeGreaterThanOrEqual(40);
  expect(new Set(USAGE_INVOICES.map(({ name }) => name)).size).toBe(USAGE_INVOICES.length);
});

describe('the cost is the amount of the invoice, to the pico-dollar', () => {
  test.each(USAGE_INVOICES)('$name ($model)', ({ seen, model, lines }) => {
    const tokens = toReportedUsage(usageOf(seen));
    const invoice = lines.reduce((sum, [count, picoUsd]) => sum + count * picoUsd, 0n);
    expect(costPicoUsd(tokens, LIST_PRICES[model])).toBe(invoice);
    expect(tokens.estimated).toBeUndefined();
  });
});

describe('the parts of a report', () => {
  test.each(USAGE_INVOICES)('are not larger than their whole: $name', ({ seen }) => {
    const tokens = toReportedUsage(usageOf(seen));
    const { promptTokens: prompt, completionTokens: completion } = tokens;
    expect((tokens.cacheReadTokens ?? 0) + (tokens.cacheWriteTokens ?? 0)).toBeLessThanOrEqual(prompt ?? 0);
    expect(tokens.reasoningTokens ?? 0).toBeLessThanOrEqual(completion ?? 0);
  });

  const CUT: readonly [string, TokenUsage, Partial<Tokens>][] = [
    [
      'are cut to what the whole has left',
      { promptTokens: 10, completionTokens: 4, cacheReadTokens: 8, cacheWriteTokens: 5, reasoningTokens: 9 },
      { cacheReadTokens: 8, cacheWriteTokens: 2, reasoningTokens: 4 },
    ],
    [
      'are omitted without their whole',
      { completionTokens: 4, cacheReadTokens: 8, cacheWriteTokens: 5 },
      { promptTokens: null, completionTokens: 4 },
    ],
    ['are omitted if they are no counts', { promptTokens: 10, cacheReadTokens: -1 }, { promptTokens: 10 }],
  ];
  test.each(CUT)('%s', (_, usage, expected) => {
    expect(toReportedUsage(usage)).toEqual({
      promptTokens: usage.promptTokens ?? null,
      completionTokens: usage.completionTokens ?? null,
      ...expected,
    });
  });
});

test('writes to the caches of five minutes and of one hour have one price, as the README says', () => {
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 3_000,
    cache_creation: { ephemeral_5m_input_tokens: 1_000, ephemeral_1h_input_tokens: 2_000 },
    output_tokens: 5,
  };
  const invoice = 10n * 3_000_000n + 1_000n * 3_750_000n + 2_000n * 6_000_000n + 5n * 15_000_000n;
  const cost = costPicoUsd(toReportedUsage(readUsage({ usage })), LIST_PRICES['claude-sonnet-4-5']);
  expect(invoice - cost).toBe(2_000n * (6_000_000n - 3_750_000n));
});

function usageOf(seen: UsageInvoice['seen']): TokenUsage | null {
  if ('result' in seen) return readUsage(seen.result);
  const stream = new StreamUsage();
  for (const chunk of 'chunks' in seen ? seen.chunks : seen.aborted) stream.add(chunk);
  if ('chunks' in seen) return stream.usage;
  const estimator = tokenEstimator(undefined, { holdBound: 'estimate' });
  return stream.brokenOff({ estimator, isLeft: !stream.failed });
}

const ATTO_PER_PICO = 1_000_000n;

/** By the code of the service. */
function costPicoUsd(tokens: Tokens, price: ListPrice): bigint {
  const toAtto = (picoUsd: bigint) => picoUsd * ATTO_PER_PICO;
  const prices = {
    inputAttoUsd: toAtto(price.input),
    outputAttoUsd: toAtto(price.output),
    cacheReadAttoUsd: price.read === null ? null : toAtto(price.read),
    cacheWriteAttoUsd: price.write === null ? null : toAtto(price.write),
  };
  const { promptTokens, completionTokens, cacheReadTokens = null, cacheWriteTokens = null } = tokens;
  return costOf(
    { promptTokens: promptTokens ?? 0, completionTokens: completionTokens ?? 0 },
    { cacheReadTokens, cacheWriteTokens },
    prices,
  );
}
