import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/api-client.ts';
import { type BudgetForecast, forecastBudget } from '../../api/budget-forecast.ts';
import type { SpendToday } from '../../api/spend-today.ts';
import { Meter } from '../../components/meter.tsx';
import { KnownSpend, Money } from '../../components/money.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useNow } from '../../components/use-now.ts';
import { comparisonFormat } from '../../format/comparison.ts';
import { formatCount, formatTokenQuantity } from '../../format/count.ts';
import { type DenyReason, denialOf } from '../../format/guardrails.ts';
import { formatUsd } from '../../format/money.ts';
import { formatReset, formatUntil, formatUtcTime, nextUtcDay, nextUtcMonth } from '../../format/time.ts';
import classes from './limit-tiles.module.css';

interface LimitTilesProps {
  readonly workspace: Schemas['Workspace'] | undefined;
  readonly billing: Schemas['Billing'] | undefined;
  readonly today: Schemas['DailyUsage'] | undefined;
  readonly spend: SpendToday | undefined;
  readonly runningRuns: number | undefined;
  readonly denialsToday: number | undefined;
  readonly mainReason: DenyReason | undefined;
}

/** The current usage of the limits. */
export function LimitTiles(props: LimitTilesProps) {
  const { workspace, billing, today, spend, runningRuns, denialsToday, mainReason } = props;
  const now = useNow();
  const budget = workspace?.daily_budget_usd;
  const spendFormat = comparisonFormat('usd', {
    parts: spend === undefined ? [] : [spend.spentUsd, spend.heldUsd],
    limit: budget ?? null,
  });
  const unpricedTokensToday = today?.unpriced_tokens ?? 0;
  const monthReset = nextUtcMonth(now);
  const forecast =
    today === undefined || spend === undefined
      ? null
      : forecastBudget({
          ...spend,
          day: today.day,
          runCount: today.run_count,
          budgetUsd: budget ?? null,
          now,
        });
  return (
    <div className={classes.tiles}>
      <Tile
        label="Spend today"
        value={
          spend &&
          workspace && (
            <KnownSpend usd={spend.spentUsd} format={spendFormat} unpricedTokens={unpricedTokensToday} />
          )
        }
        of={budget == null ? null : `of ${spendFormat(budget)}`}
        meter={
          budget == null || spend === undefined ? null : (
            <Meter
              label="Workspace budget used today"
              value={spend.spentUsd}
              held={spend.heldUsd}
              limit={budget}
            />
          )
        }
        note={
          <>
            {spend !== undefined && spend.heldUsd > 0 && (
              <span className={classes.extra}>
                + <Money usd={spend.heldUsd} format={spendFormat} /> held
              </span>
            )}
            {budget === null ? (
              <>
                No budget. <TextLink href="/guardrails">Set one</TextLink>
              </>
            ) : (
              `Resets ${formatReset(nextUtcDay(now), now)}, ${formatUntil(nextUtcDay(now), now)}`
            )}
            {forecast !== null && (
              <span className={classes.extra} data-alert={forecast.kind === 'reaches' || undefined}>
                {describeForecast(forecast, budget ?? 0)}
              </span>
            )}
            {unpricedTokensToday > 0 && (
              <span className={classes.extra}>
                + <span className="unpriced">{formatTokenQuantity(unpricedTokensToday)} without a price</span>
              </span>
            )}
          </>
        }
      />
      <Tile
        label="Running now"
        value={runningRuns !== undefined && workspace && formatCount(runningRuns)}
        of={workspace && `of ${formatCount(workspace.max_concurrent_runs)}`}
        meter={
          workspace && (
            <Meter
              label="Concurrent runs used"
              value={runningRuns ?? 0}
              limit={workspace.max_concurrent_runs}
            />
          )
        }
        note={<TextLink href="/runs?status=RUNNING">See running runs</TextLink>}
      />
      <Tile
        label="Runs this month"
        value={billing && formatCount(billing.monthly_run_count)}
        of={billing?.monthly_run_limit == null ? null : `of ${formatCount(billing.monthly_run_limit)}`}
        meter={
          billing?.monthly_run_limit == null ? null : (
            <Meter
              label="Monthly runs used"
              value={billing.monthly_run_count}
              limit={billing.monthly_run_limit}
            />
          )
        }
        note={
          billing?.monthly_run_limit === null
            ? 'Unlimited on your plan'
            : `Resets ${formatReset(monthReset, now)}, ${formatUntil(monthReset, now)}`
        }
      />
      <Tile
        label="Denied today"
        value={denialsToday !== undefined && formatCount(denialsToday)}
        of={null}
        meter={null}
        alert={denialsToday !== undefined && denialsToday > 0}
        note={
          mainReason === undefined ? (
            'Every run and step was allowed'
          ) : (
            <>Mostly: {denialOf(mainReason).label.toLowerCase()}</>
          )
        }
      />
    </div>
  );
}

function describeForecast(forecast: BudgetForecast, budgetUsd: number): string {
  switch (forecast.kind) {
    case 'reached':
      return 'Reached: runs and steps are denied';
    case 'reaches':
      return `Reaches ${formatUsd(budgetUsd)} at ${formatUtcTime(forecast.at)} UTC at this pace`;
    case 'within':
      return `${formatUsd(forecast.usd)} by 00:00 UTC at this pace`;
    case 'too-early':
      return 'Too early in the day for a forecast';
    case 'too-few-runs':
      return 'Too few runs today for a forecast';
  }
}

interface TileProps {
  readonly label: string;
  /** Falsy while loading. */
  readonly value: ReactNode;
  readonly of: string | null | undefined;
  readonly meter: ReactNode;
  readonly note: ReactNode;
  readonly alert?: boolean;
}

function Tile({ label, value, of, meter, note, alert = false }: TileProps) {
  return (
    <section className={classes.tile} aria-label={label}>
      <h2 className={classes.label}>{label}</h2>
      {value ? (
        <>
          <p className={classes.figure} data-alert={alert || undefined}>
            {value} {of && <span className={classes.of}>{of}</span>}
          </p>
          <div className={classes.meter}>{meter}</div>
          <p className={classes.note}>{note}</p>
        </>
      ) : (
        <>
          <Skeleton height={26} width={110} mt={8} mb={18} radius="sm" />
          <Skeleton height={12} width="70%" radius="sm" />
        </>
      )}
    </section>
  );
}
