/** One bar per day, in parts, with an optional limit. */

import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { formatUtcDay } from '../format/time.ts';
import { barOf, middleOf, type Scale, toScale } from './chart-scale.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import { type Column, HiddenTable } from './data-table.tsx';
import { DayAxis } from './day-axis.tsx';
import type { ChartPart, DayBar } from './day-bar.ts';
import classes from './day-chart.module.css';

const DAYS_PER_PAGE = 7;

export interface DayChartProps {
  /** The accessible name of its table. */
  readonly label: string;
  /** The accessible name of what chooses a day. */
  readonly dayLabel?: string;
  readonly parts: readonly ChartPart[];
  readonly bars: readonly DayBar[];
  readonly formatAxis: (value: number) => string;
  /** What `total` is called. */
  readonly totalName?: string;
  /** null: none is set. */
  readonly limit?: { readonly value: number; readonly name: string; readonly text: string } | null;
}

export function DayChart(props: DayChartProps) {
  const { label, parts, bars, formatAxis, limit = null, totalName = 'Total' } = props;
  const max = Math.max(0, ...bars.map(({ values }) => sum(values)));
  const scale = toScale({ max, budget: limit?.value ?? null });
  return (
    <figure className={classes.figure}>
      <div className={classes.chart}>
        <div className={classes.amounts} aria-hidden="true">
          {scale.ticks.map((value) => (
            <span key={value} className={classes.amount} style={{ bottom: `${(value / scale.top) * 100}%` }}>
              {formatAxis(value)}
            </span>
          ))}
        </div>
        <DayPicker {...props} totalName={totalName}>
          <Bars parts={parts} bars={bars} scale={scale} />
          {limit !== null && scale.showsBudget && <LimitLine limit={limit} top={scale.top} />}
        </DayPicker>
        <div className={classes.days}>
          <DayAxis days={bars.map(({ day }) => day)} />
        </div>
      </div>
      <figcaption>
        <ul className={classes.legend}>
          {parts.map(({ name, color }) => (
            <li key={name}>
              <span className={classes.swatch} style={{ background: color }} />
              {name}
            </li>
          ))}
          {limit !== null && (
            <li>
              <span className={classes.budgetSwatch} />
              {limit.name} {limit.text}
              {!scale.showsBudget && ' (above the chart)'}
            </li>
          )}
        </ul>
      </figcaption>
      <HiddenTable label={label} columns={toColumns(parts, totalName)} rows={bars} keyOf={({ day }) => day} />
    </figure>
  );
}

type DayPickerProps = DayChartProps & { readonly totalName: string; readonly children: ReactNode };

/** Shows the figures of the day under the pointer, or of the day chosen with the arrow keys. */
function DayPicker({ bars, parts, dayLabel = 'Day of the chart', totalName, children }: DayPickerProps) {
  const count = bars.length;
  const [hovered, setHovered] = useState<number | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [isShown, setShown] = useState(false);
  // The range may have become shorter.
  const current = Math.min(chosen ?? count - 1, count - 1);
  const active = hovered !== null && hovered < count ? hovered : isShown ? current : null;
  const currentBar = bars[current];
  const activeBar = active === null ? undefined : bars[active];

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      setHovered(null);
      setShown(false);
      return;
    }
    const next = nextDay(event.key, current, count);
    if (next === null) return;
    event.preventDefault();
    setHovered(null);
    setChosen(next);
    setShown(true);
  };
  const dayAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)));
  };

  return (
    <div
      className={classes.plot}
      role="slider"
      tabIndex={0}
      aria-label={dayLabel}
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={current + 1}
      aria-valuetext={currentBar && describe(currentBar, parts)}
      onKeyDown={onKeyDown}
      onFocus={() => setShown(true)}
      onBlur={() => setShown(false)}
      onPointerMove={(event) => setHovered(dayAt(event))}
      onPointerDown={(event) => setChosen(dayAt(event))}
      onPointerLeave={() => setHovered(null)}
    >
      {active !== null && (
        <span
          className={classes.column}
          style={{ left: `${(active * 100) / count}%`, width: `${100 / count}%` }}
        />
      )}
      {children}
      {active !== null && activeBar !== undefined && (
        <ChartTooltip
          at={middleOf(active, count)}
          title={`${formatUtcDay(activeBar.day)} (UTC)`}
          rows={parts.flatMap(({ name, color }, index) => {
            const value = activeBar.texts[index];
            return value == null ? [] : [{ name, value, color }];
          })}
          total={activeBar.total === null ? null : { name: totalName, value: activeBar.total }}
        />
      )}
    </div>
  );
}

interface BarsProps {
  readonly parts: readonly ChartPart[];
  readonly bars: readonly DayBar[];
  readonly scale: Scale;
}

function Bars({ parts, bars, scale: { top, ticks } }: BarsProps) {
  return (
    <svg className={classes.drawing} aria-hidden="true">
      {ticks.map((value) => (
        <line key={value} className={classes.grid} x1="0" x2="100%" {...atHeight(value, top)} />
      ))}
      {bars.map(({ day, values }, index) => {
        const { x, width } = barOf(index, bars.length);
        let below = 0;
        return values.map((value, part) => {
          below += value;
          if (value <= 0) return null;
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of the parts identifies them.
              key={`${day} ${part}`}
              x={`${x}%`}
              width={`${width}%`}
              y={`${100 - (below / top) * 100}%`}
              height={`${(value / top) * 100}%`}
              fill={parts[part]?.color}
            />
          );
        });
      })}
    </svg>
  );
}

function LimitLine({ limit, top }: { limit: { value: number; text: string }; top: number }) {
  return (
    <>
      <svg className={classes.drawing} aria-hidden="true">
        <line className={classes.budget} x1="0" x2="100%" {...atHeight(limit.value, top)} />
      </svg>
      <span
        className={classes.budgetLabel}
        style={{ bottom: `${(limit.value / top) * 100}%` }}
        aria-hidden="true"
      >
        Budget {limit.text}
      </span>
    </>
  );
}

function atHeight(value: number, top: number) {
  const y = `${100 - (value / top) * 100}%`;
  return { y1: y, y2: y };
}

/** null: the key does not choose a day. */
function nextDay(key: string, current: number, count: number): number | null {
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: current - 1,
    ArrowDown: current - 1,
    ArrowRight: current + 1,
    ArrowUp: current + 1,
    PageDown: current - DAYS_PER_PAGE,
    PageUp: current + DAYS_PER_PAGE,
    Home: 0,
    End: count - 1,
  };
  const next = moves[key];
  return next === undefined ? null : Math.min(count - 1, Math.max(0, next));
}

function describe({ day, texts, total }: DayBar, parts: readonly ChartPart[]): string {
  const said = parts.flatMap(({ name }, index) => (texts[index] == null ? [] : [`${name} ${texts[index]}`]));
  const date = formatUtcDay(day);
  return [total === null ? date : `${date}: ${total}`, ...said].join(', ');
}

function toColumns(parts: readonly ChartPart[], totalName: string): Column<DayBar>[] {
  return [
    { header: 'Day (UTC)', isRowHeader: true, cell: ({ day }) => day },
    ...parts.map(({ name }, index) => ({
      header: name,
      cell: ({ texts }: DayBar) => texts[index] ?? '–',
    })),
    { header: totalName, cell: ({ total }) => total ?? '–' },
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
