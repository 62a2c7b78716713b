/** How a decision is stored: in few bytes, because the rows of runs and steps are written again and again. */

import { expect, test } from 'vitest';
import type { Decision } from '../../src/domain/decision.js';
import { toStepDecision } from '../../src/store/rows.js';
import { STEP_DECISION } from '../../src/store/tables.js';

const MIDNIGHT = Date.UTC(2026, 10, 18);

const ALLOWED: Decision = {
  outcome: 'ALLOW',
  reason: null,
  evaluations: [
    { rule: 'kill_switch', result: 'PASS', limit: null, value: false, resetsAt: null },
    { rule: 'workspace_daily_budget', result: 'PASS', limit: 10, value: 0, resetsAt: MIDNIGHT },
    {
      rule: 'user_daily_budget',
      result: 'PASS',
      limit: null,
      value: 2.5,
      resetsAt: MIDNIGHT,
      held: 0.5,
      requested: null,
    },
    { rule: 'max_concurrent_runs', result: 'PASS', limit: 5, value: 0, resetsAt: null },
  ],
};

const DENIED: Decision = {
  outcome: 'DENY',
  reason: 'USER_BLOCKED',
  evaluations: [
    { rule: 'kill_switch', result: 'PASS', limit: null, value: false, resetsAt: null },
    { rule: 'user_blocked', result: 'DENY', limit: null, value: true, resetsAt: null },
  ],
};

/** As it was stored at first, with every value of every rule. */
const LONG_FORM = JSON.stringify(
  ALLOWED.evaluations.map(({ rule, result, limit, value, resetsAt, held, requested }) =>
    held === undefined
      ? [rule, result, limit, value, resetsAt]
      : [rule, result, limit, value, resetsAt, held, requested],
  ),
);

function read(reason: string | null, rules: unknown): Decision {
  return toStepDecision({ id: 'step', created_at: 1, decision_reason: reason, decision_rules: rules })
    .decision;
}

test.each([ALLOWED, DENIED])('a decision is read as it was stored: $outcome', (decision) => {
  const rules = STEP_DECISION.decisionRules.write(decision);
  expect(read(decision.reason, rules)).toEqual(decision);
});

test('usual values at the end are left out', () => {
  expect(STEP_DECISION.decisionRules.write(DENIED)).toBe(
    '[["kill_switch"],["user_blocked","DENY",null,true]]',
  );
});

test('decisions stored in the long form are read', () => {
  expect(read(null, LONG_FORM)).toEqual(ALLOWED);
});
