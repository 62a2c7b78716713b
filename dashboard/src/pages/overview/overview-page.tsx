import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type SpendSeries,
  toDenialSeries,
  toDenials,
  toModelUsage,
  toSpendSeries,
  toUnpricedUsage,
} from '../../api/daily-series.ts';
import {
  billingQuery,
  NEWEST_RUNS,
  newestRunsQuery,
  runningRunsQuery,
  usageOfDaysQuery,
  usageSummaryQuery,
  visibleData,
  workspaceQuery,
} from '../../api/queries.ts';
import { spendToday } from '../../api/spend-today.ts';
import { Allowed } from '../../components/allowed.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { RangeLinks } from '../../components/range-links.tsx';
import { RunTable } from '../../components/run-table.tsx';
import { SpendChart } from '../../components/spend-chart.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import { formatUsd } from '../../format/money.ts';
import { rangeIn } from '../../format/range.ts';
import { DenialsChart } from './denials-chart.tsx';
import { LimitTiles } from './limit-tiles.tsx';
import { ModelUsage } from './model-usage.tsx';
import classes from './overview-page.module.css';
import { TopUsers } from './top-users.tsx';
import { UnpricedNotice } from './unpriced-notice.tsx';

export function OverviewPage() {
  const [parameters] = useSearchParameters();
  const range = rangeIn(parameters);
  const workspace = useQuery(workspaceQuery);
  const billing = useQuery(billingQuery);
  const summary = useQuery(usageSummaryQuery);
  const daily = useQuery(usageOfDaysQuery(range));
  const running = useQuery(runningRunsQuery);
  const newest = useQuery(newestRunsQuery);
  const queries = [workspace, billing, summary, daily, running, newest];
  const failed = queries.find(({ error, data }) => error !== null && data === undefined);

  const days = visibleData(daily);
  // While another range loads, the figures are those of the previous one.
  const period = `the last ${days?.length ?? range} days`;
  const today = days?.at(-1);
  const denials = today === undefined ? null : toDenials(today);
  const series = days === undefined ? null : toSpendSeries(days);
  const models = days === undefined ? [] : toModelUsage(days);
  const hasRuns = newest.data === undefined || newest.data.total > 0;

  return (
    <>
      <PageHeader title="Overview" actions={<RangeLinks path="/" range={range} />} />
      <div className="stack">
        {failed !== undefined && (
          <ErrorNotice
            error={failed.error}
            onRetry={() => queries.forEach((query) => void query.refetch())}
          />
        )}
        {days !== undefined && <UnpricedNotice usage={toUnpricedUsage(days)} period={period} />}
        <LimitTiles
          workspace={workspace.data}
          billing={billing.data}
          today={today}
          spend={spendToday({ today, summary: summary.data })}
          runningRuns={running.data?.total}
          denialsToday={denials?.total}
          mainReason={denials?.reasons[0]?.reason}
        />
        <div className={classes.columns}>
          <Panel
            title="Spend per day"
            description={
              series === null
                ? `In ${period} (UTC), by model`
                : `${formatUsd(series.totalUsd)} in ${period} (UTC), by model`
            }
          >
            <Spend series={series} budgetUsd={workspace.data?.daily_budget_usd ?? null} />
          </Panel>
          <Panel
            title="Top users"
            description="By spend in the last 30 days"
            action={<TextLink href="/users?sort=spend">All users</TextLink>}
          >
            <TopUsers users={summary.data?.by_user} />
          </Panel>
        </div>
        <Panel
          title="Denials per day"
          description={`Denied run starts and steps in ${period} (UTC), by reason`}
          action={<TextLink href="/runs?status=BLOCKED">Runs denied at their start</TextLink>}
        >
          <DenialsChart series={days === undefined ? null : toDenialSeries(days)} />
        </Panel>
        {models.length > 0 && (
          <Panel
            title="Models"
            description={`Tokens of ${period}, and what the cache of the provider saved against the input price`}
            action={<TextLink href="/models">All models</TextLink>}
            flush
          >
            <ModelUsage models={models} />
          </Panel>
        )}
        <Panel title="Newest runs" action={hasRuns && <TextLink href="/runs">All runs</TextLink>} flush>
          <RunTable
            label="Newest runs"
            rows={newest.data?.items}
            skeletonRows={NEWEST_RUNS}
            empty={
              <EmptyState
                icon="runs"
                title="No runs yet"
                action={<LinkButton href="/setup">Connect an agent</LinkButton>}
              >
                Start one with your API key. The setup page has a command to copy.
              </EmptyState>
            }
          />
        </Panel>
      </div>
    </>
  );
}

function Spend({ series, budgetUsd }: { series: SpendSeries | null; budgetUsd: number | null }) {
  if (series === null) return <Skeleton height={260} radius="md" />;
  if (series.totalUsd > 0) return <SpendChart series={series} budgetUsd={budgetUsd} />;
  return (
    <EmptyState
      icon="prices"
      title="No spend to show yet"
      action={
        <Allowed needs="change">
          <LinkButton variant="default" href="/prices">
            Set prices
          </LinkButton>
        </Allowed>
      }
    >
      Costs appear here when steps report tokens of models with a price.
    </EmptyState>
  );
}
