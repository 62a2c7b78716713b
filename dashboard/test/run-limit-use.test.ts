import { expect, test } from 'vitest';
import { runLimitUses } from '../src/pages/run-detail/run-limit-use.ts';

const NONE = { max_cost_usd: null, max_steps: null, max_duration_seconds: null, max_repeats: null };
const RUN = {
  limits: NONE,
  total_cost_usd: 0.042,
  held_usd: 0,
  duration_ms: 95_000,
  steps: [{ status: 'COMPLETED' }, { status: 'ALLOWED' }, { status: 'BLOCKED' }],
} as const;

test('a run without limits has no uses', () => {
  expect(runLimitUses(RUN)).toEqual([]);
});

test('every limit that is set is compared with its value, and denied steps are not counted', () => {
  const limits = { max_cost_usd: 0.05, max_steps: 10, max_duration_seconds: 3600, max_repeats: 1 };
  expect(runLimitUses({ ...RUN, limits })).toEqual([
    { label: 'Cost', text: '$0.042 of $0.05', meter: { value: 0.042, held: 0, limit: 0.05 } },
    { label: 'Steps', text: '2 of 10', meter: { value: 2, held: 0, limit: 10 } },
    {
      label: 'Duration',
      text: '1\u00a0min\u00a035\u00a0s of 1\u00a0h',
      meter: { value: 95, held: 0, limit: 3600 },
    },
    { label: 'Equal steps', text: 'At most 1 of the last 20', meter: null },
  ]);
});

test('open holds count towards the cost', () => {
  const limits = { ...NONE, max_cost_usd: 0.05 };
  expect(runLimitUses({ ...RUN, held_usd: 0.006, limits })).toEqual([
    {
      label: 'Cost',
      text: '$0.042 + $0.006 held of $0.05',
      meter: { value: 0.042, held: 0.006, limit: 0.05 },
    },
  ]);
});
