import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import { billingQuery, dailyUsageQuery, runningRunsQuery, workspaceQuery } from '../../api/queries.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Meter } from '../../components/meter.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatCount } from '../../format/count.ts';
import { formatUsd } from '../../format/money.ts';
import { formatUntil, nextUtcDay } from '../../format/time.ts';
import classes from './guardrails-page.module.css';
import { KillSwitchPanel } from './kill-switch-panel.tsx';
import { LimitForm } from './limit-form.tsx';
import { PlanGate } from './plan-gate.tsx';

export function GuardrailsPage() {
  const workspace = useQuery(workspaceQuery);
  const billing = useQuery(billingQuery);
  const daily = useQuery(dailyUsageQuery);
  const running = useQuery(runningRunsQuery);
  const failed = [workspace, billing].find(({ error, data }) => error !== null && data === undefined);

  return (
    <>
      <PageHeader
        title="Guardrails"
        description="Checked in this order before every run, and all but concurrency before every step. Changes apply from the next decision."
      />
      {failed !== undefined ? (
        <ErrorNotice
          error={failed.error}
          onRetry={() => {
            void workspace.refetch();
            void billing.refetch();
          }}
        />
      ) : workspace.data === undefined || billing.data === undefined ? (
        <div className="stack" role="status" aria-label="Loading">
          <Skeleton height={150} radius="lg" />
          <Skeleton height={210} radius="lg" />
          <Skeleton height={180} radius="lg" />
        </div>
      ) : (
        <div className="stack">
          <KillSwitchPanel workspace={workspace.data} billing={billing.data} />
          <Budgets
            workspace={workspace.data}
            billing={billing.data}
            spendTodayUsd={daily.data?.at(-1)?.total_usd}
          />
          <Concurrency workspace={workspace.data} billing={billing.data} running={running.data?.total} />
        </div>
      )}
    </>
  );
}

interface LimitPanelProps {
  readonly workspace: Schemas['Workspace'];
  readonly billing: Schemas['Billing'];
}

function Budgets({
  workspace,
  billing,
  spendTodayUsd,
}: LimitPanelProps & { spendTodayUsd: number | undefined }) {
  const now = useNow();
  const budget = workspace.daily_budget_usd;
  return (
    <Panel
      title="Daily budgets"
      description={`In US dollars, for tokens with a price. Budgets reset at 00:00 UTC, ${formatUntil(nextUtcDay(now), now)}.`}
    >
      <div className={classes.columns}>
        <div>
          <LimitForm
            field="daily_budget_usd"
            label="Workspace, per day"
            description="All users together. Leave empty for no limit."
            value={budget}
          />
          {spendTodayUsd !== undefined && (
            <div className={classes.usage}>
              {budget !== null && (
                <Meter label="Workspace budget used today" value={spendTodayUsd} limit={budget} />
              )}
              <p>
                {formatUsd(spendTodayUsd)} spent today{budget !== null && ` of ${formatUsd(budget)}`}
              </p>
            </div>
          )}
        </div>
        <div>
          <PlanGate billing={billing} feature="user_daily_budget">
            {(locked) => (
              <LimitForm
                field="user_daily_budget_usd"
                label="Each user, per day"
                description="Applies to every user. Leave empty for no limit."
                value={workspace.user_daily_budget_usd}
                disabled={locked}
              />
            )}
          </PlanGate>
        </div>
      </div>
    </Panel>
  );
}

function Concurrency({ workspace, billing, running }: LimitPanelProps & { running: number | undefined }) {
  return (
    <Panel title="Concurrent runs" description="Maximum number of runs at the same time.">
      <div className={classes.columns}>
        <div>
          <PlanGate billing={billing} feature="max_concurrent_runs">
            {(locked) => (
              <LimitForm
                field="max_concurrent_runs"
                label="At most"
                description="A slot is free as soon as a run ends."
                value={workspace.max_concurrent_runs}
                disabled={locked}
              />
            )}
          </PlanGate>
          {running !== undefined && (
            <div className={classes.usage}>
              <Meter label="Concurrent runs used" value={running} limit={workspace.max_concurrent_runs} />
              <p>
                {formatCount(running)} running now of {formatCount(workspace.max_concurrent_runs)}
              </p>
            </div>
          )}
        </div>
      </div>
    </Panel>
  );
}
