import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { toDenials, toSpendSeries, toUnpricedUsage } from '../../api/daily-series.ts';
import {
  billingQuery,
  dailyUsageQuery,
  runningRunsQuery,
  runsQuery,
  usageSummaryQuery,
  workspaceQuery,
} from '../../api/queries.ts';
import { spendToday } from '../../api/spend-today.ts';
import { Allowed } from '../../components/allowed.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { RunTable } from '../../components/run-table.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { formatUsd } from '../../format/money.ts';
import { ErrorBoundary } from '../../loading/error-boundary.tsx';
import { lazyLoad } from '../../loading/lazy-load.ts';
import { DenialsToday } from './denials-today.tsx';
import { LimitTiles } from './limit-tiles.tsx';
import { ModelUsage } from './model-usage.tsx';
import classes from './overview-page.module.css';
import { TopUsers } from './top-users.tsx';
import { UnpricedNotice } from './unpriced-notice.tsx';

const SpendChart = lazyLoad(() => import('./spend-chart.tsx'), 'SpendChart');

const NEWEST_RUNS = 8;

export function OverviewPage() {
  const workspace = useQuery(workspaceQuery);
  const billing = useQuery(billingQuery);
  const summary = useQuery(usageSummaryQuery);
  const daily = useQuery(dailyUsageQuery);
  const running = useQuery(runningRunsQuery);
  const newest = useQuery(runsQuery({ status: null, userId: null, page: 1, perPage: NEWEST_RUNS }));
  const queries = [workspace, billing, summary, daily, running, newest];
  const failed = queries.find(({ error, data }) => error !== null && data === undefined);

  const today = daily.data?.at(-1);
  const denials = today === undefined ? null : toDenials(today);
  const series = daily.data === undefined ? null : toSpendSeries(daily.data);
  const hasRuns = newest.data === undefined || newest.data.total > 0;

  return (
    <>
      <PageHeader title="Overview" />
      <div className="stack">
        {failed !== undefined && (
          <ErrorNotice
            error={failed.error}
            onRetry={() => queries.forEach((query) => void query.refetch())}
          />
        )}
        {daily.data !== undefined && <UnpricedNotice usage={toUnpricedUsage(daily.data)} />}
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
                ? 'Last 30 days (UTC), by model'
                : `${formatUsd(series.totalUsd)} in the last 30 days (UTC), by model`
            }
          >
            {series === null ? (
              <Skeleton height={260} radius="md" />
            ) : series.totalUsd === 0 ? (
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
            ) : (
              <ErrorBoundary
                fallback={() => (
                  <EmptyState icon="warning" title="The chart could not be loaded">
                    Reload the page to try again. The other figures are correct.
                  </EmptyState>
                )}
              >
                <Suspense fallback={<Skeleton height={260} radius="md" />}>
                  <SpendChart series={series} />
                </Suspense>
              </ErrorBoundary>
            )}
          </Panel>
          <Panel title="Denied today" description="Run starts and steps, by reason">
            <DenialsToday denials={denials} />
          </Panel>
        </div>
        {summary.data !== undefined && summary.data.by_model.length > 0 && (
          <Panel
            title="Models"
            description="Tokens of the last 30 days, and what the cache of the provider saved against the input price"
            flush
          >
            <ModelUsage models={summary.data.by_model} />
          </Panel>
        )}
        <div className={classes.columns}>
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
          <Panel title="Top users" description="By spend in the last 30 days">
            <TopUsers users={summary.data?.by_user} />
          </Panel>
        </div>
      </div>
    </>
  );
}
