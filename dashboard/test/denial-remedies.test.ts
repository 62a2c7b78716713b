import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addPriceHref, PLACES, REMEDIES, remedyOf } from '../src/format/denial-remedies.ts';
import type { DenyReason } from '../src/format/guardrails.ts';

const API = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const REASONS: readonly DenyReason[] = API.components.schemas.DenyReason.enum;

test('every deny reason of the API has a remedy, and no other has', () => {
  expect(REASONS.length).toBeGreaterThan(10);
  expect(Object.keys(REMEDIES).sort()).toEqual([...REASONS].sort());
});

test('each remedy lifts its own reason', () => {
  expect(REASONS.map((reason) => [reason, Object.values(remedyOf(reason) ?? {}).join(' ')])).toEqual([
    ['KILL_SWITCH_ACTIVE', 'kill-switch'],
    ['USER_BLOCKED', 'unblock'],
    ['WORKSPACE_DAILY_BUDGET_EXCEEDED', 'budget daily_budget_usd'],
    ['USER_DAILY_BUDGET_EXCEEDED', 'budget user_daily_budget_usd'],
    ['MONTHLY_RUN_LIMIT_EXCEEDED', 'plan'],
    ['MAX_CONCURRENT_RUNS_EXCEEDED', 'slots'],
    ['RUN_COST_LIMIT_EXCEEDED', 'run-limit max_cost_usd'],
    ['RUN_STEP_LIMIT_EXCEEDED', 'run-limit max_steps'],
    ['RUN_DURATION_LIMIT_EXCEEDED', 'run-limit max_duration_seconds'],
    ['LOOP_DETECTED', 'run-limit max_repeats'],
    ['HOLD_REQUIRED', 'price require_holds'],
    ['MODEL_NOT_PRICED', 'price deny_unpriced_models'],
    ['RUN_ALREADY_ENDED', 'lease'],
  ]);
});

test('a reason of a newer server has none', () => {
  expect(remedyOf('NEW_REASON' as DenyReason)).toBeNull();
});

test('links lead to the panel of the setting, or to the form for the model', () => {
  expect(PLACES).toEqual({
    holds: '/guardrails#holds',
    leases: '/guardrails#leases',
    plan: '/settings#plan',
    runLimits: '/guardrails#run-limits',
    slots: '/runs?status=RUNNING',
    unpricedModels: '/guardrails#unpriced-models',
  });
  expect(addPriceHref('a/b&c=%2e 1')).toBe('/prices?add=a%2Fb%26c%3D%252e+1');
});
