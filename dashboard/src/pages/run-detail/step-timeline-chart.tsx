import type { CSSProperties } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import type { RunStatus } from '../../api/queries.ts';
import { statusLabelOf } from '../../components/status-badge.tsx';
import { formatCount } from '../../format/count.ts';
import { formatDuration } from '../../format/time.ts';
import { StepCost } from './step-cost.tsx';
import { STEP_TYPE_LABELS, statusOf, subjectOf } from './step-name.ts';
import { type TimelineBar, toTimeline } from './step-timeline.ts';
import classes from './step-timeline-chart.module.css';
import { toTicks } from './timeline-ticks.ts';

/** A bar per step from its start to its end, coloured by type. Failed and denied steps have their own colours. */
export function StepTimelineChart({
  run,
  onOpen,
}: {
  run: Schemas['Run'];
  onOpen: (stepId: string) => void;
}) {
  const { spanMs, bars } = toTimeline(run);
  const { stepMs, ticks } = toTicks(spanMs);
  return (
    <div className={classes.timeline} style={{ '--grid': `${(stepMs / spanMs) * 100}%` } as CSSProperties}>
      <div className={classes.axis} aria-hidden="true">
        {ticks.map(({ atMs, label }) => (
          <span key={atMs} className={classes.tick} style={{ insetInlineStart: `${(atMs / spanMs) * 100}%` }}>
            {label}
          </span>
        ))}
      </div>
      <ol className={classes.steps}>
        {bars.map((bar) => (
          <li key={bar.step.id}>
            <button type="button" className={classes.step} onClick={() => onOpen(bar.step.id)}>
              <StepLabel bar={bar} />
              <span className={classes.lane} aria-hidden="true">
                <span
                  className={classes.bar}
                  data-type={bar.step.type}
                  data-status={bar.step.status}
                  style={{
                    insetInlineStart: `min(${bar.offset * 100}%, calc(100% - 6px))`,
                    width: `${bar.width * 100}%`,
                  }}
                />
              </span>
              <span className={classes.figure} data-status={bar.step.status}>
                {figureOf(bar, run.status)}
              </span>
              <span className={classes.cost}>
                <StepCost step={bar.step} />
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

function figureOf({ step, durationMs }: TimelineBar, runStatus: RunStatus): string {
  if (step.status === 'BLOCKED') return 'Denied';
  if (step.status === 'ALLOWED') return statusLabelOf(statusOf(step, runStatus));
  return durationMs === null ? '–' : formatDuration(durationMs);
}

function StepLabel({ bar: { step } }: { bar: TimelineBar }) {
  const subject = subjectOf(step);
  return (
    <span className={classes.label}>
      <span className={classes.sequence}>{formatCount(step.sequence)}</span>
      <span className={classes.name}>
        {STEP_TYPE_LABELS[step.type]}
        {subject !== null && <span className={classes.subject}>{subject}</span>}
      </span>
    </span>
  );
}
