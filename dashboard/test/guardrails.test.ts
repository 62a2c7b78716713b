import { describe, expect, test } from 'vitest';
import { describeReached, formatAmount } from '../src/format/guardrails.ts';

const NBSP = '\u00a0';

describe('what a limit of a run had compared when it denied', () => {
  test.each([
    ['run_cost_limit', 0.0512, 0.05, 'The steps of this run had cost $0.051; it may cost $0.05.'],
    ['run_step_limit', 1, 1, 'This run had 1 step, without denied ones; it may have 1.'],
    [
      'run_duration_limit',
      62.5,
      60,
      `This run had lasted 1${NBSP}min${NBSP}2${NBSP}s; it may last 1${NBSP}min.`,
    ],
    ['run_repeat_limit', 2, 2, 'This run had 2 equal steps among the last 20; it may have 2.'],
  ] as const)('%s with %d of %d', (rule, value, limit, sentence) => {
    expect(describeReached({ rule, value, limit, result: 'DENY', resets_at: null })).toBe(sentence);
  });

  test('is not repeated for other rules: their reason says it', () => {
    const denied = { result: 'DENY', resets_at: null } as const;
    expect(describeReached({ rule: 'kill_switch', value: true, limit: null, ...denied })).toBeNull();
    expect(describeReached({ rule: 'workspace_daily_budget', value: 2, limit: 1, ...denied })).toBeNull();
  });
});

test.each([
  [0.5, 'usd', '$0.50'],
  [12_345, 'count', '12,345'],
  [3600, 'seconds', `1${NBSP}h`],
] as const)('%d in %s is %s', (amount, unit, text) => {
  expect(formatAmount(amount, unit)).toBe(text);
});
