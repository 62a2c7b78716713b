/** Spend per day as stacked bars, with the daily budget. */

import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { OTHER_MODELS, type SpendRow, type SpendSeries } from '../../api/daily-series.ts';
import { type Column, HiddenTable } from '../../components/data-table.tsx';
import { formatAxisUsd, formatUsd } from '../../format/money.ts';
import { formatUtcDay } from '../../format/time.ts';
import { barOf, middleOf, type Scale, toScale } from './chart-scale.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import { DayAxis } from './day-axis.tsx';
import classes from './spend-chart.module.css';

const COLOURS = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)'];
const OTHER_COLOUR = 'var(--chart-6)';
const DAYS_PER_PAGE = 7;

interface SpendChartProps {
  readonly series: SpendSeries;
  /** null: no budget is set. */
  readonly budgetUsd: number | null;
}

export function SpendChart({ series, budgetUsd }: SpendChartProps) {
  const colors = series.models.map((model, index) =>
    model === OTHER_MODELS ? OTHER_COLOUR : (COLOURS[index] ?? OTHER_COLOUR),
  );
  const max = Math.max(0, ...series.rows.map(({ totalUsd }) => totalUsd));
  const scale = toScale({ max, budget: budgetUsd });
  return (
    <figure className={classes.figure}>
      <div className={classes.chart}>
        <div className={classes.amounts} aria-hidden="true">
          {scale.ticks.map((usd) => (
            <span key={usd} className={classes.amount} style={{ bottom: `${(usd / scale.top) * 100}%` }}>
              {formatAxisUsd(usd)}
            </span>
          ))}
        </div>
        <DayPicker series={series} colors={colors}>
          <Bars series={series} colors={colors} scale={scale} />
          {budgetUsd !== null && scale.showsBudget && <BudgetLine usd={budgetUsd} top={scale.top} />}
        </DayPicker>
        <div className={classes.days}>
          <DayAxis days={series.rows.map(({ day }) => day)} />
        </div>
      </div>
      <figcaption>
        <ul className={classes.legend}>
          {series.models.map((model, index) => (
            <li key={model}>
              <span className={classes.swatch} style={{ background: colors[index] }} />
              {model}
            </li>
          ))}
          {budgetUsd !== null && (
            <li>
              <span className={classes.budgetSwatch} />
              Daily budget {formatUsd(budgetUsd)}
              {!scale.showsBudget && ' (above the chart)'}
            </li>
          )}
        </ul>
      </figcaption>
      <HiddenTable
        label="Spend per day"
        columns={toColumns(series.models)}
        rows={series.rows}
        keyOf={({ day }) => day}
      />
    </figure>
  );
}

interface DayPickerProps {
  readonly series: SpendSeries;
  readonly colors: readonly string[];
  readonly children: ReactNode;
}

/** Shows the figures of the day under the pointer, or of the day chosen with the arrow keys. */
function DayPicker({ series: { rows, models }, colors, children }: DayPickerProps) {
  const count = rows.length;
  const [hovered, setHovered] = useState<number | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const [isShown, setShown] = useState(false);
  // The range may have become shorter.
  const current = Math.min(chosen ?? count - 1, count - 1);
  const active = hovered !== null && hovered < count ? hovered : isShown ? current : null;
  const currentRow = rows[current];
  const activeRow = active === null ? undefined : rows[active];

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
      aria-label="Day of the chart"
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={current + 1}
      aria-valuetext={currentRow && describe(currentRow, models)}
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
      {active !== null && activeRow !== undefined && (
        <ChartTooltip
          at={middleOf(active, count)}
          title={`${formatUtcDay(activeRow.day)} (UTC)`}
          rows={models.flatMap((name, index) => {
            const usd = activeRow.usdByModel[index] ?? 0;
            return usd > 0 ? [{ name, value: formatUsd(usd), color: colors[index] ?? OTHER_COLOUR }] : [];
          })}
          total={{ name: 'Total', value: formatUsd(activeRow.totalUsd) }}
        />
      )}
    </div>
  );
}

function Bars({
  series: { rows },
  colors,
  scale: { top, ticks },
}: {
  series: SpendSeries;
  colors: readonly string[];
  scale: Scale;
}) {
  return (
    <svg className={classes.drawing} aria-hidden="true">
      {ticks.map((usd) => (
        <line key={usd} className={classes.grid} x1="0" x2="100%" {...atHeight(usd, top)} />
      ))}
      {rows.map(({ day, usdByModel }, index) => {
        const { x, width } = barOf(index, rows.length);
        let below = 0;
        return usdByModel.map((usd, model) => {
          below += usd;
          if (usd <= 0) return null;
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of the models identifies them.
              key={`${day} ${model}`}
              x={`${x}%`}
              width={`${width}%`}
              y={`${100 - (below / top) * 100}%`}
              height={`${(usd / top) * 100}%`}
              fill={colors[model]}
            />
          );
        });
      })}
    </svg>
  );
}

function BudgetLine({ usd, top }: { usd: number; top: number }) {
  return (
    <>
      <svg className={classes.drawing} aria-hidden="true">
        <line className={classes.budget} x1="0" x2="100%" {...atHeight(usd, top)} />
      </svg>
      <span className={classes.budgetLabel} style={{ bottom: `${(usd / top) * 100}%` }} aria-hidden="true">
        Budget {formatUsd(usd)}
      </span>
    </>
  );
}

function atHeight(usd: number, top: number) {
  const y = `${100 - (usd / top) * 100}%`;
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

function describe({ day, totalUsd, usdByModel }: SpendRow, models: readonly string[]): string {
  const parts = models.flatMap((model, index) => {
    const usd = usdByModel[index] ?? 0;
    return usd > 0 ? [`${model} ${formatUsd(usd)}`] : [];
  });
  return [`${formatUtcDay(day)}: ${formatUsd(totalUsd)}`, ...parts].join(', ');
}

function toColumns(models: readonly string[]): Column<SpendRow>[] {
  return [
    { header: 'Day (UTC)', isRowHeader: true, cell: ({ day }) => day },
    ...models.map((model, index) => ({
      header: model,
      cell: ({ usdByModel }: SpendRow) => formatUsd(usdByModel[index] ?? 0),
    })),
    { header: 'Total', cell: ({ totalUsd }) => formatUsd(totalUsd) },
  ];
}
