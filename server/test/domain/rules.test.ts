import { expect, test } from 'vitest';
import {
  evaluateLateStep,
  evaluateRunStart,
  evaluateStep,
  toEvaluatedRules,
} from '../../src/domain/decision.js';
import type { RunGuardrailFacts, StepGuardrailFacts } from '../../src/domain/rules.js';
import { NO_USAGE, type Usage } from '../../src/domain/usage.js';
import { newWorkspace, type Workspace } from '../../src/domain/workspace.js';

const NOW = Date.parse('2026-12-31T23:59:59.999Z');

type Facts = RunGuardrailFacts & StepGuardrailFacts;
type Change = Partial<Omit<Facts, 'workspace'>> & { workspace?: Partial<Workspace> };

/** One row is one case and its outcome, in order of precedence: each row also violates every rule below it. */
const EVERYTHING_WRONG: Change = {
  workspace: { killSwitch: true, dailyBudgetPicoUsd: 5n, userDailyBudgetPicoUsd: 3n, maxConcurrentRuns: 2 },
  userBlocked: true,
  workspaceUsageToday: spend(5n),
  userUsageToday: spend(3n),
  monthlyRunCount: 1_000,
  activeRunCount: 2,
};

const PRECEDENCE: [string, Change, string | null, string | null][] = [
  ['kill switch', {}, 'KILL_SWITCH_ACTIVE', 'KILL_SWITCH_ACTIVE'],
  ['blocked user', { workspace: { killSwitch: false } }, 'USER_BLOCKED', 'USER_BLOCKED'],
  [
    'workspace budget',
    { userBlocked: false },
    'WORKSPACE_DAILY_BUDGET_EXCEEDED',
    'WORKSPACE_DAILY_BUDGET_EXCEEDED',
  ],
  [
    'user budget',
    { workspaceUsageToday: spend(4n) },
    'USER_DAILY_BUDGET_EXCEEDED',
    'USER_DAILY_BUDGET_EXCEEDED',
  ],
  ['monthly limit', { userUsageToday: spend(2n) }, 'MONTHLY_RUN_LIMIT_EXCEEDED', null],
  ['concurrency', { monthlyRunCount: 999 }, 'MAX_CONCURRENT_RUNS_EXCEEDED', null],
  ['nothing', { activeRunCount: 1 }, null, null],
];

PRECEDENCE.forEach(([name, , runReason, stepReason], index) => {
  const facts = PRECEDENCE.slice(0, index + 1).reduce<Facts>(
    (sum, [, change]) => changed(sum, change),
    changed(baseFacts(), EVERYTHING_WRONG),
  );

  test(`${name} first: a run start answers ${runReason ?? 'ALLOW'}, a step ${stepReason ?? 'ALLOW'}`, () => {
    expect(evaluateRunStart(facts).reason).toBe(runReason);
    expect(evaluateStep(facts).reason).toBe(stepReason);
  });
});

test('a step of a run that is not running is denied by the kill switch first, else because the run has ended', () => {
  const wrong = changed(baseFacts(), EVERYTHING_WRONG);
  expect(evaluateLateStep(wrong)).toEqual(evaluateStep(wrong));
  const switchedOff = changed(wrong, { workspace: { killSwitch: false } });
  expect(evaluateLateStep(switchedOff)).toEqual({
    outcome: 'DENY',
    reason: 'RUN_ALREADY_ENDED',
    evaluations: [],
  });
});

test('rules after the first DENY are not evaluated', () => {
  const facts = changed(baseFacts(), { userBlocked: true });
  expect(toEvaluatedRules(evaluateRunStart(facts))).toEqual({ kill_switch: 'PASS', user_blocked: 'DENY' });
});

test('an allowed start has passed six rules, an allowed step four', () => {
  expect(toEvaluatedRules(evaluateRunStart(baseFacts()))).toEqual({
    kill_switch: 'PASS',
    user_blocked: 'PASS',
    workspace_daily_budget: 'PASS',
    user_daily_budget: 'PASS',
    monthly_run_limit: 'PASS',
    max_concurrent_runs: 'PASS',
  });
  expect(Object.keys(toEvaluatedRules(evaluateStep(baseFacts())))).toEqual([
    'kill_switch',
    'user_blocked',
    'workspace_daily_budget',
    'user_daily_budget',
  ]);
});

test('a budget of zero is reached without any spend; a null budget is never reached', () => {
  expect(evaluateStep(changed(baseFacts(), { workspace: { dailyBudgetPicoUsd: 0n } })).reason).toBe(
    'WORKSPACE_DAILY_BUDGET_EXCEEDED',
  );
  expect(evaluateStep(changed(baseFacts(), { workspaceUsageToday: spend(10n ** 18n) })).reason).toBeNull();
});

test('an unlimited plan has no monthly limit', () => {
  const facts = changed(baseFacts(), { workspace: { plan: 'scale' }, monthlyRunCount: 10_000_000 });
  expect(evaluateRunStart(facts).outcome).toBe('ALLOW');
});

test('an evaluation has the compared value and when it resets: the next UTC day or month', () => {
  const facts = changed(baseFacts(), {
    workspace: { dailyBudgetPicoUsd: 800_000_000_000n },
    workspaceUsageToday: spend(700_000_000_000n),
    monthlyRunCount: 7,
    activeRunCount: 1,
  });
  const newYear = Date.parse('2027-01-01T00:00:00.000Z');
  expect(evaluateRunStart(facts).evaluations).toEqual([
    { rule: 'kill_switch', result: 'PASS', limit: null, value: false, resetsAt: null },
    { rule: 'user_blocked', result: 'PASS', limit: null, value: false, resetsAt: null },
    { rule: 'workspace_daily_budget', result: 'PASS', limit: 0.8, value: 0.7, resetsAt: newYear },
    { rule: 'user_daily_budget', result: 'PASS', limit: null, value: 0, resetsAt: newYear },
    { rule: 'monthly_run_limit', result: 'PASS', limit: 1_000, value: 7, resetsAt: newYear },
    { rule: 'max_concurrent_runs', result: 'PASS', limit: 3, value: 1, resetsAt: null },
  ]);
});

const LIMITS = { maxCostPicoUsd: 5n, maxSteps: 3, maxDurationSeconds: 60, maxRepeats: 2 };
const EXHAUSTED = { startedAt: NOW - 60_000, costPicoUsd: 5n, heldPicoUsd: 0n, allowedSteps: 3, repeats: 2 };

test.each([
  ['RUN_COST_LIMIT_EXCEEDED', {}],
  ['RUN_STEP_LIMIT_EXCEEDED', { costPicoUsd: 4n }],
  ['RUN_DURATION_LIMIT_EXCEEDED', { costPicoUsd: 4n, allowedSteps: 2 }],
  ['LOOP_DETECTED', { costPicoUsd: 4n, allowedSteps: 2, startedAt: NOW - 59_999 }],
  [null, { costPicoUsd: 4n, allowedSteps: 2, startedAt: NOW - 59_999, repeats: 1 }],
])('the limits of a run deny after the budgets, in their order: %s', (reason, change) => {
  const facts = changed(baseFacts(), { limits: LIMITS, run: { ...EXHAUSTED, ...change } });
  expect(evaluateStep(facts).reason).toBe(reason);
  const budget = { workspace: { userDailyBudgetPicoUsd: 0n } };
  expect(evaluateStep(changed(facts, budget)).reason).toBe('USER_DAILY_BUDGET_EXCEEDED');
});

test('a limit of a run that is not set is not evaluated', () => {
  const limits = { ...LIMITS, maxCostPicoUsd: null, maxDurationSeconds: null };
  const facts = changed(baseFacts(), { limits, run: { ...EXHAUSTED, allowedSteps: 1, repeats: 1 } });
  expect(evaluateStep(facts).evaluations.slice(4)).toEqual([
    { rule: 'run_step_limit', result: 'PASS', limit: 3, value: 1, resetsAt: null },
    { rule: 'run_repeat_limit', result: 'PASS', limit: 2, value: 1, resetsAt: null },
  ]);
});

test.each<[string, { spent: bigint; held?: bigint; hold?: bigint }, boolean]>([
  ['nothing is held and all is spent', { spent: 5n }, true],
  ['something is left', { spent: 4n }, false],
  ['open holds use up the rest', { spent: 3n, held: 2n }, true],
  ['the hold uses up exactly the rest', { spent: 2n, held: 2n, hold: 1n }, false],
  ['the hold is larger than the rest', { spent: 2n, held: 2n, hold: 2n }, true],
  ['nothing is left for a hold of zero', { spent: 3n, held: 2n, hold: 0n }, false],
  ['a hold of zero comes after an overshoot', { spent: 6n, hold: 0n }, true],
])('a budget of 5 when %s', (_, { spent, held = 0n, hold = null }, isDenied) => {
  const budgets = [
    { workspace: { dailyBudgetPicoUsd: 5n }, workspaceUsageToday: spend(spent), workspaceHeldPicoUsd: held },
    { workspace: { userDailyBudgetPicoUsd: 5n }, userUsageToday: spend(spent), userHeldPicoUsd: held },
    {
      limits: { ...LIMITS, maxSteps: null, maxDurationSeconds: null, maxRepeats: null },
      run: { ...EXHAUSTED, costPicoUsd: spent, heldPicoUsd: held },
    },
  ];
  for (const budget of budgets) {
    const facts = changed(baseFacts(), { ...budget, holdPicoUsd: hold });
    expect(evaluateStep(facts).outcome).toBe(isDenied ? 'DENY' : 'ALLOW');
  }
});

test('a required hold is asked for after the limits, and of model calls only', () => {
  const facts = changed(baseFacts(), { workspace: { requireHolds: true }, isHoldMissing: true });
  expect(evaluateStep(facts).reason).toBe('HOLD_REQUIRED');
  expect(evaluateStep(changed(facts, { isHoldMissing: false })).reason).toBeNull();
  expect(evaluateStep(changed(facts, { isHoldMissing: null })).evaluations).toHaveLength(4);
  const limited = changed(facts, { limits: LIMITS, run: EXHAUSTED });
  expect(evaluateStep(limited).reason).toBe('RUN_COST_LIMIT_EXCEEDED');
});

test('a required price is asked for last, and of model calls only', () => {
  const facts = changed(baseFacts(), { workspace: { denyUnpricedModels: true }, isUnpriced: true });
  expect(evaluateStep(facts).reason).toBe('MODEL_NOT_PRICED');
  expect(evaluateStep(changed(facts, { isUnpriced: false })).reason).toBeNull();
  expect(evaluateStep(changed(facts, { isUnpriced: null })).evaluations).toHaveLength(4);
  expect(evaluateStep(changed(facts, { workspace: { denyUnpricedModels: false } })).reason).toBeNull();
  const withoutHold = changed(facts, { workspace: { requireHolds: true }, isHoldMissing: true });
  expect(evaluateStep(withoutHold).reason).toBe('HOLD_REQUIRED');
});

function spend(costPicoUsd: bigint): Usage {
  return { ...NO_USAGE, costPicoUsd };
}

function baseFacts(): Facts {
  return {
    now: NOW,
    workspace: newWorkspace({
      id: '00000000-0000-7000-8000-000000000001',
      name: 'Test',
      plan: 'basic',
      now: NOW,
    }),
    userBlocked: false,
    workspaceUsageToday: NO_USAGE,
    userUsageToday: NO_USAGE,
    monthlyRunCount: 0,
    activeRunCount: 0,
    limits: null,
    run: { startedAt: NOW, costPicoUsd: 0n, heldPicoUsd: 0n, allowedSteps: 0, repeats: 0 },
    workspaceHeldPicoUsd: 0n,
    userHeldPicoUsd: 0n,
    holdPicoUsd: null,
    isHoldMissing: null,
    isUnpriced: null,
  };
}

function changed(facts: Facts, { workspace, ...change }: Change): Facts {
  return { ...facts, ...change, workspace: { ...facts.workspace, ...workspace } };
}
