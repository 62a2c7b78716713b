import { expect, test } from 'vitest';
import { type Step, toTimeline } from '../src/pages/run-detail/step-timeline.ts';

const step = (given: Partial<Step>): Step => ({
  id: '01890000-0000-7000-8000-000000000001',
  type: 'MODEL_CALL',
  status: 'COMPLETED',
  sequence: 1,
  model: null,
  tool_name: null,
  prompt_tokens: null,
  completion_tokens: null,
  cost_usd: null,
  duration_ms: null,
  input_data: null,
  output_data: null,
  decision: { outcome: 'ALLOW', reason: null },
  created_at: '2026-03-14T12:00:00.000Z',
  hold_usd: null,
  cost_source: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
  cost_parts: null,
  error: null,
  ...given,
});
const run = { started_at: '2026-03-14T12:00:00.000Z', status: 'COMPLETED' as const, duration_ms: 10_000 };

test('a bar begins when its step was requested and is as long as the step took', () => {
  const steps = [step({ created_at: '2026-03-14T12:00:02.000Z', duration_ms: 5_000 })];
  expect(toTimeline({ ...run, steps }).bars[0]).toMatchObject({ offset: 0.2, width: 0.5 });
});

test('a step in progress of a running run extends to now', () => {
  const steps = [step({ status: 'ALLOWED', created_at: '2026-03-14T12:00:04.000Z' })];
  expect(toTimeline({ ...run, status: 'RUNNING', steps }).bars[0]).toMatchObject({ offset: 0.4, width: 0.6 });
});

test('a denied step has no duration', () => {
  const steps = [step({ status: 'BLOCKED', created_at: '2026-03-14T12:00:04.000Z' })];
  expect(toTimeline({ ...run, steps }).bars[0]).toMatchObject({ offset: 0.4, width: 0 });
});

test('a step reported as longer than the run extends the timeline, so no bar exceeds it', () => {
  const steps = [step({ created_at: '2026-03-14T12:00:05.000Z', duration_ms: 15_000 })];
  const timeline = toTimeline({ ...run, steps });
  expect(timeline.spanMs).toBe(20_000);
  expect(timeline.bars[0]).toMatchObject({ offset: 0.25, width: 0.75 });
});
