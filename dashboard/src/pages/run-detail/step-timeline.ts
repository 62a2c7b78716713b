/** Computes the position of each step within its run. Pure. */

import type { Schemas } from '../../api/api-client.ts';

type Run = Schemas['Run'];
export type Step = Schemas['Step'];

export interface TimelineBar {
  readonly step: Step;
  /** Fractions of the timeline, from 0 to 1. */
  readonly offset: number;
  readonly width: number;
  readonly startMs: number;
  /** null if the step is in progress or was denied. */
  readonly durationMs: number | null;
}

export interface Timeline {
  readonly spanMs: number;
  readonly bars: readonly TimelineBar[];
}

export function toTimeline(run: Pick<Run, 'started_at' | 'status' | 'steps' | 'duration_ms'>): Timeline {
  const runStart = Date.parse(run.started_at);
  const bars = run.steps.map((step) => {
    const startMs = Math.max(0, Date.parse(step.created_at) - runStart);
    return { step, startMs, endMs: startMs + lengthOf(step, { run, startMs }) };
  });
  const spanMs = Math.max(1, run.duration_ms, ...bars.map(({ endMs }) => endMs));
  return {
    spanMs,
    bars: bars.map(({ step, startMs, endMs }) => ({
      step,
      startMs,
      durationMs: step.duration_ms,
      offset: startMs / spanMs,
      width: (endMs - startMs) / spanMs,
    })),
  };
}

/** In a running run, a step in progress extends to now. In an ended run, the duration of such a step is unknown. */
function lengthOf(
  step: Step,
  { run, startMs }: { run: Pick<Run, 'status' | 'duration_ms'>; startMs: number },
): number {
  if (step.duration_ms !== null) return step.duration_ms;
  if (step.status === 'ALLOWED' && run.status === 'RUNNING') return Math.max(0, run.duration_ms - startMs);
  return 0;
}
