import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/api-client.ts';
import {
  billingQuery,
  dailyUsageQuery,
  runningRunsQuery,
  usageSummaryQuery,
  workspaceQuery,
} from '../../api/queries.ts';
import { spendToday } from '../../api/spend-today.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Meter } from '../../components/meter.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { PlanGate } from '../../components/plan-gate.tsx';
import { useNow } from '../../components/use-now.ts';
import { comparisonFormat } from '../../format/comparison.ts';
import {
  LIMIT_PANELS,
  LIMITS,
  type LimitField,
  limitFieldsOf,
  limitIn,
  RUN_LIMITS,
} from '../../format/limits.ts';
import { ExemptToolsForm } from './exempt-tools-form.tsx';
import classes from './guardrails-page.module.css';
import { HoldsPanel } from './holds-panel.tsx';
import { KillSwitchPanel } from './kill-switch-panel.tsx';
import { LimitForm } from './limit-form.tsx';
import { UnpricedModelsPanel } from './unpriced-models-panel.tsx';

/** How much of a limit is used. Optional: a limit without an entry has only its form. */
type Usages = Readonly<Partial<Record<LimitField, Usage>>>;

interface Usage {
  /** Undefined while loading. */
  readonly used: number | undefined;
  /** Counts, too. */
  readonly held?: number;
  /** After the amount, for example "spent today". */
  readonly words: string;
  readonly meterLabel: string;
}

export function GuardrailsPage() {
  const workspace = useQuery(workspaceQuery);
  const billing = useQuery(billingQuery);
  const daily = useQuery(dailyUsageQuery);
  const summary = useQuery(usageSummaryQuery);
  const running = useQuery(runningRunsQuery);
  const failed = [workspace, billing].find(({ error, data }) => error !== null && data === undefined);
  const spend = spendToday({ today: daily.data?.at(-1), summary: summary.data });
  const usages: Usages = {
    daily_budget_usd: {
      used: spend?.spentUsd,
      held: spend?.heldUsd ?? 0,
      words: 'spent today',
      meterLabel: 'Workspace budget used today',
    },
    max_concurrent_runs: {
      used: running.data?.total,
      words: 'running now',
      meterLabel: 'Concurrent runs used',
    },
  };

  return (
    <>
      <PageHeader
        title="Guardrails"
        needs="change"
        description="Checked in this order: the kill switch, blocked users and budgets before every run and step, concurrent runs before every run, run limits before every step, holds and prices before every model call."
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
          <LimitPanels workspace={workspace.data} billing={billing.data} usages={usages} />
          <HoldsPanel workspace={workspace.data} />
          <UnpricedModelsPanel workspace={workspace.data} />
        </div>
      )}
    </>
  );
}

interface LimitPanelsProps {
  readonly workspace: Schemas['Workspace'];
  readonly billing: Schemas['Billing'];
  readonly usages: Usages;
}

function LimitPanels({ workspace, billing, usages }: LimitPanelsProps) {
  const now = useNow();
  return LIMIT_PANELS.map((panel) => (
    <Panel key={panel.id} id={panel.id} title={panel.title} description={panel.description(now)}>
      <div className={classes.columns}>
        {limitFieldsOf(panel).map((field) => (
          <div key={field}>
            <PlanGate billing={billing} feature={LIMITS[field].feature}>
              {(locked) => <LimitForm field={field} workspace={workspace} disabled={locked} />}
            </PlanGate>
            <LimitUsage field={field} limit={limitIn(workspace, field)} usage={usages[field]} />
          </div>
        ))}
        {panel === RUN_LIMITS && (
          <div>
            <ExemptToolsForm workspace={workspace} />
          </div>
        )}
      </div>
    </Panel>
  ));
}

interface LimitUsageProps {
  readonly field: LimitField;
  readonly limit: number | null;
  readonly usage: Usage | undefined;
}

function LimitUsage({ field, limit, usage }: LimitUsageProps) {
  const { unit, inForce } = LIMITS[field];
  if (inForce !== null) {
    const words = inForce(limit);
    return words === null ? null : (
      <div className={classes.usage}>
        <p>{words}</p>
      </div>
    );
  }
  if (usage?.used === undefined) return null;
  const { used, held = 0, words, meterLabel } = usage;
  const format = comparisonFormat(unit, { parts: held > 0 ? [used, held] : [used], limit });
  return (
    <div className={classes.usage}>
      {limit !== null && <Meter label={meterLabel} value={used} held={held} limit={limit} />}
      <p>
        {format(used)} {words}
        {held > 0 && ` · ${format(held)} held`}
        {limit !== null && ` of ${format(limit)}`}
      </p>
    </div>
  );
}
