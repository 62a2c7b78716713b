import { describe, expect, test } from 'vitest';
import { denialOf, describeDenial, describeHolds } from '../src/format/guardrails.ts';
import { formatUsd } from '../src/format/money.ts';

const NBSP = '\u00a0';
const DENIED = { result: 'DENY', resets_at: null } as const;
const BUDGET = { rule: 'workspace_daily_budget', value: 0.2, limit: 1, ...DENIED } as const;

describe('what a limit of a run had compared when it denied', () => {
  test.each([
    ['run_cost_limit', 0.0512, 0.05, 'The steps of this run had cost $0.051; it may cost $0.05.'],
    ['run_cost_limit', 20.004, 20, 'The steps of this run had cost $20.004; it may cost $20.00.'],
    ['run_step_limit', 1, 1, 'This run had 1 step, without denied ones; it may have 1.'],
    [
      'run_duration_limit',
      62.5,
      60,
      `This run had lasted 1${NBSP}min${NBSP}2${NBSP}s; it may last 1${NBSP}min.`,
    ],
    ['run_repeat_limit', 2, 2, 'This run had 2 equal steps among the last 20; it may have 2.'],
  ] as const)('%s with %d of %d', (rule, value, limit, sentence) => {
    const reason = 'RUN_COST_LIMIT_EXCEEDED';
    expect(describeDenial(reason, { rule, value, limit, ...DENIED })).toBe(
      `${sentence} ${denialOf(reason).text}`,
    );
  });

  test('is not repeated for other rules: their reason says it', () => {
    const on = { rule: 'kill_switch', value: true, limit: null, ...DENIED } as const;
    expect(describeDenial('KILL_SWITCH_ACTIVE', on)).toBe('All runs and steps are denied while it is on.');
    expect(describeDenial('WORKSPACE_DAILY_BUDGET_EXCEEDED', { ...BUDGET, value: 2 })).toBe(
      'The workspace had reached its budget for the day.',
    );
    expect(describeDenial('RUN_ALREADY_ENDED', undefined)).toMatch(/^The agent requested this step after/);
  });
});

describe('a budget with holds', () => {
  test('tells spend, holds and the request apart', () => {
    const rule = { ...BUDGET, held: 0.4, requested: 0.5 };
    expect(describeDenial('WORKSPACE_DAILY_BUDGET_EXCEEDED', rule)).toBe(
      'The workspace had $0.20 spent, $0.40 held, $0.50 requested of $1.00. The step could have exceeded the budget for the day.',
    );
    expect(describeHolds(rule, formatUsd)).toEqual(['$0.40 held', '$0.50 requested']);
  });

  test('has been reached if nothing was requested', () => {
    const rule = { ...BUDGET, rule: 'user_daily_budget', held: 0.8, requested: null } as const;
    expect(describeDenial('USER_DAILY_BUDGET_EXCEEDED', rule)).toBe(
      'This user had $0.20 spent, $0.80 held of $1.00. This user had reached the budget for the day.',
    );
  });

  test('shows amounts to the last digit where rounded ones would seem to fit', () => {
    const rule = { ...BUDGET, rule: 'run_cost_limit', value: 0.6004, held: 0, requested: 0.4 } as const;
    expect(describeDenial('RUN_COST_LIMIT_EXCEEDED', rule)).toMatch(
      /^This run had \$0\.6004 spent, \$0\.40 requested of \$1\.00\. Its limits were fixed/,
    );
  });
});
