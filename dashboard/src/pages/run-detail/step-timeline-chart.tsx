import type { Schemas } from '../../api/api-client.ts';
import type { RunStatus } from '../../api/queries.ts';
import { statusLabelOf } from '../../components/status-badge.tsx';
import { formatDuration } from '../../format/time.ts';
import { StepCost } from './step-cost.tsx';
import { STEP_TYPE_LABELS, statusOf, subjectOf } from './step-name.ts';
import { type TimelineBar, toTimeline } from './step-timeline.ts';
import classes from './step-timeline-chart.module.css';

const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** A bar per step from its start to its end, coloured by type. Failed and denied steps have their own colours. */
export function StepTimelineChart({
  run,
  onOpen,
}: {
  run: Schemas['Run'];
  onOpen: (stepId: string) => void;
}) {
  const { spanMs, bars } = toTimeline(run);
  return (
    <div className={classes.timeline}>
      <div className={classes.axis} aria-hidden="true">
        {TICKS.map((tick) => (
          <span key={tick} className={classes.tick} style={{ insetInlineStart: `${tick * 100}%` }}>
            {tick === 0 ? '0' : formatDuration(spanMs * tick)}
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
      <span className={classes.sequence}>{step.sequence}</span>
      <span className={classes.name}>
        {STEP_TYPE_LABELS[step.type]}
        {subject !== null && <span className={classes.subject}>{subject}</span>}
      </span>
    </span>
  );
}
