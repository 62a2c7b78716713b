/** Denials per day, one row of bars for each reason. Each bar links to its runs. */

import { type KeyboardEvent, useState } from 'react';
import { Link } from 'wouter';
import type { DenialRow, DenialSeries } from '../../api/daily-series.ts';
import { BarsSkeleton } from '../../components/bars-skeleton.tsx';
import { barOf, middleOf } from '../../components/chart-scale.ts';
import { ChartTooltip } from '../../components/chart-tooltip.tsx';
import { DayAxis } from '../../components/day-axis.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { formatCount } from '../../format/count.ts';
import { denialOf } from '../../format/guardrails.ts';
import { listHref } from '../../format/list-address.ts';
import { formatUtcDay } from '../../format/time.ts';
import classes from './denials-chart.module.css';

/** In percent of the height: a single denial is still visible beside a day with hundreds. */
const LOWEST_BAR = 10;

export function DenialsChart({ series }: { series: DenialSeries | null }) {
  if (series === null) return <BarsSkeleton />;
  if (series.total === 0) {
    return (
      <EmptyState icon="guardrails" title={`Nothing denied in the last ${series.days.length} days`}>
        Denials appear here when a run or step reaches a limit.{' '}
        <TextLink href="/guardrails">Review limits</TextLink>
      </EmptyState>
    );
  }
  const most = Math.max(...series.reasons.flatMap(({ counts }) => counts));
  return (
    <>
      <ul className={classes.rows}>
        {series.reasons.map((row) => (
          <Reason key={row.reason} row={row} days={series.days} most={most} />
        ))}
      </ul>
      <div className={classes.axis}>
        <DayAxis days={series.days.map(({ day }) => day)} />
      </div>
    </>
  );
}

interface ReasonProps {
  readonly row: DenialRow;
  readonly days: DenialSeries['days'];
  /** The highest bar of all reasons. */
  readonly most: number;
}

function Reason({ row, days, most }: ReasonProps) {
  const { label } = denialOf(row.reason);
  const hrefOf = (from: string | undefined, to: string | undefined) =>
    listHref('/runs', { filters: { deny_reason: row.reason, from: from ?? null, to: to ?? null }, page: 1 });
  return (
    <li className={classes.row}>
      <Link href={hrefOf(days[0]?.day, days.at(-1)?.day)} className={classes.name}>
        {label}
      </Link>
      <span className={classes.total}>{formatCount(row.total)}</span>
      <DayBars row={row} days={days} most={most} label={label} hrefOf={(day) => hrefOf(day, day)} />
    </li>
  );
}

interface DayBarsProps extends ReasonProps {
  readonly label: string;
  readonly hrefOf: (day: string) => string;
}

/** One tab stop for all bars, which the arrow keys move. */
function DayBars({ row: { counts }, days, most, label, hrefOf }: DayBarsProps) {
  const [hovered, setHovered] = useState<number | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const [last, setLast] = useState<number | null>(null);
  const denied = counts.flatMap((count, index) => (count > 0 ? [index] : []));
  const stop = last !== null && denied.includes(last) ? last : denied.at(-1);
  const active = hovered ?? focused;
  const activeDay = active === null ? undefined : days[active];

  const onKeyDown = (event: KeyboardEvent<Element>, index: number) => {
    if (event.key === 'Escape') {
      setHovered(null);
      setFocused(null);
      return;
    }
    const position = denied.indexOf(index);
    const moves: Readonly<Record<string, number | undefined>> = {
      ArrowLeft: denied[position - 1],
      ArrowRight: denied[position + 1],
      Home: denied[0],
      End: denied.at(-1),
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setHovered(null);
    event.currentTarget.parentElement?.querySelector<SVGAElement>(`[data-day="${next}"]`)?.focus();
  };

  return (
    <div className={classes.plot}>
      {/* biome-ignore lint/a11y/useSemanticElements: SVG has no element for a group with a name. */}
      <svg className={classes.drawing} role="group" aria-label={`${label}, per day`}>
        {denied.map((index) => {
          const { day } = days[index] ?? { day: '' };
          const count = counts[index] ?? 0;
          const { x, width } = barOf(index, days.length);
          const height = Math.max(LOWEST_BAR, (count / most) * 100);
          return (
            <Link
              key={day}
              href={hrefOf(day)}
              className={classes.bar}
              aria-label={`${formatUtcDay(day)}: ${formatCount(count)} denied, ${label}`}
              data-day={index}
              tabIndex={index === stop ? 0 : -1}
              onKeyDown={(event) => onKeyDown(event, index)}
              onFocus={() => {
                setFocused(index);
                setLast(index);
              }}
              onBlur={() => setFocused(null)}
              onPointerEnter={() => setHovered(index)}
              onPointerLeave={() => setHovered(null)}
            >
              <rect
                className={classes.target}
                x={`${(index * 100) / days.length}%`}
                width={`${100 / days.length}%`}
                height="100%"
              />
              <rect
                className={classes.fill}
                x={`${x}%`}
                width={`${width}%`}
                y={`${100 - height}%`}
                height={`${height}%`}
              />
            </Link>
          );
        })}
      </svg>
      {active !== null && activeDay !== undefined && (
        <ChartTooltip
          at={middleOf(active, days.length)}
          title={`${formatUtcDay(activeDay.day)} (UTC)`}
          rows={[{ name: label, value: formatCount(counts[active] ?? 0), color: 'var(--warning-fill)' }]}
          total={{ name: 'All denials of the day', value: formatCount(activeDay.total) }}
        />
      )}
    </div>
  );
}
