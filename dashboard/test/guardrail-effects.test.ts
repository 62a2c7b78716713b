import { describe, expect, test } from 'vitest';
import { describeEffect, describeHolds, savedLimits } from '../src/format/guardrail-effects.ts';

const EFFECTS = {
  runs: 1200,
  has_more_runs: false,
  runs_at_max_cost: 3,
  runs_over_max_steps: 0,
  runs_at_max_duration: 1200,
  expired_runs: 4,
  silent_runs: 1,
  model_calls: 1,
  model_calls_without_hold: 1,
  has_more_steps: false,
};
const NO_RUNS = { ...EFFECTS, runs: 0, model_calls: 0 };

describe('the effect of a limit', () => {
  test.each([
    [
      'max_cost_usd',
      0.5,
      EFFECTS,
      'In the last 7 days, 3 of 1,200 runs cost as much: the next step would have been denied.',
    ],
    [
      'max_cost_usd',
      0.5,
      { ...EFFECTS, runs: 10_000, has_more_runs: true },
      'In the last 7 days, 3 of the newest 10,000 runs cost as much: the next step would have been denied.',
    ],
    ['max_cost_usd', null, EFFECTS, null],
    ['max_cost_usd', 0.5, NO_RUNS, 'No runs in the last 7 days to compare with.'],
    [
      'max_steps',
      40,
      EFFECTS,
      'In the last 7 days, none of 1,200 runs had more steps, which would have been denied.',
    ],
    [
      'run_lease_seconds',
      3600,
      EFFECTS,
      'In the last 7 days, 4 of 1,200 runs ended by the lease. 1 running run has been silent for 1 hour until now.',
    ],
    [
      'run_lease_seconds',
      60,
      { ...EFFECTS, silent_runs: 0 },
      'In the last 7 days, 4 of 1,200 runs ended by the lease. No running run has been silent for 60 seconds until now.',
    ],
    ['run_lease_seconds', null, EFFECTS, 'In the last 7 days, 4 of 1,200 runs ended by the lease.'],
  ] as const)('%s of %d', (field, limit, effects, words) => {
    expect(describeEffect(field, limit, effects)).toBe(words);
  });

  test('of required holds counts model calls', () => {
    expect(describeHolds(EFFECTS)).toBe(
      'In the last 7 days, 1 of 1 model call had no hold and would have been denied.',
    );
    expect(
      describeHolds({ ...EFFECTS, model_calls: 9000, model_calls_without_hold: 0, has_more_steps: true }),
    ).toBe('In the last 7 days, all of the newest 9,000 model calls had a hold.');
    expect(describeHolds(NO_RUNS)).toBe('No model calls in the last 7 days to compare with.');
  });
});

test('only limits that are set are compared', () => {
  const limits = { max_cost_usd: null, max_steps: 3, max_duration_seconds: null, max_repeats: 2 };
  const workspace = { run_limits: { ...limits, repeat_exempt_tools: [] }, run_lease_seconds: 60 };
  expect(savedLimits(workspace as unknown as Parameters<typeof savedLimits>[0])).toEqual({
    max_steps: 3,
    run_lease_seconds: 60,
  });
});
