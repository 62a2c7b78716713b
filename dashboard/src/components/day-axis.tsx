import { formatUtcDay } from '../format/time.ts';
import { labelledDays, middleOf } from './chart-scale.ts';
import classes from './day-axis.module.css';

/** The labels below a chart with one column per day. */
export function DayAxis({ days }: { days: readonly string[] }) {
  return (
    <div className={classes.axis} aria-hidden="true">
      {labelledDays(days.length).map((index) => (
        <span key={index} className={classes.label} style={{ left: `${middleOf(index, days.length)}%` }}>
          {formatUtcDay(days[index] ?? '')}
        </span>
      ))}
    </div>
  );
}
