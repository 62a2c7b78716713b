import type { CSSProperties } from 'react';
import classes from './chart-tooltip.module.css';

export interface TooltipRow {
  readonly name: string;
  readonly value: string;
  /** Of the bar; without, the row has no swatch. */
  readonly color?: string;
}

interface ChartTooltipProps {
  /** Where the bar is, in percent of the width of the chart. */
  readonly at: number;
  readonly title: string;
  readonly rows: readonly TooltipRow[];
  /** null: there is nothing to add up. */
  readonly total: TooltipRow | null;
}

/** The figures of a bar, beside it on the side with more space. Screen readers get them from the bar itself. */
export function ChartTooltip({ at, title, rows, total }: ChartTooltipProps) {
  const style = { '--at': `${at}%` } as CSSProperties;
  return (
    <div
      className={classes.tooltip}
      style={style}
      data-side={at < 50 ? 'right' : 'left'}
      role="tooltip"
      aria-hidden="true"
    >
      <p className={classes.title}>{title}</p>
      {rows.map((row) => (
        <Row key={row.name} {...row} />
      ))}
      {total !== null && (
        <div className={classes.total}>
          <Row {...total} />
        </div>
      )}
    </div>
  );
}

function Row({ name, value, color }: TooltipRow) {
  return (
    <p className={classes.row}>
      {color !== undefined && <span className={classes.swatch} style={{ background: color }} />}
      <span className={classes.name}>{name}</span>
      <span className={classes.value}>{value}</span>
    </p>
  );
}
