import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { toApiError } from '../../api/api-error.ts';
import { runDecisionsQuery, runQuery } from '../../api/queries.ts';
import { CopyIcon } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Notice } from '../../components/notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PageSkeleton } from '../../components/page-skeleton.tsx';
import { Panel } from '../../components/panel.tsx';
import { StopRun } from '../../components/stop-run.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import { formatCount, formatQuantity } from '../../format/count.ts';
import { type EndReason, runEndOf } from '../../format/end-reason.ts';
import { denialOf } from '../../format/guardrails.ts';
import { runsOfUserHref, userHref } from '../../format/page-address.ts';
import { DecisionDetail } from './decision-detail.tsx';
import { RunFacts } from './run-facts.tsx';
import { StepDrawer } from './step-drawer.tsx';
import { StepTable } from './step-table.tsx';
import type { Step } from './step-timeline.ts';
import { StepTimelineChart } from './step-timeline-chart.tsx';
import { useOpenStep } from './use-open-step.ts';

/** A run may have thousands of steps. Rendering them all at once would be slow. */
const STEPS_AT_ONCE = 200;

export function RunDetailPage() {
  const { runId = '' } = useParams();
  const run = useQuery(runQuery(runId));
  const decisions = useQuery(runDecisionsQuery(runId, run.data?.status === 'RUNNING'));
  const [parameters, setParameters] = useSearchParameters();
  const { stepId, open, close } = useOpenStep();
  const [shown, setShown] = useState(STEPS_AT_ONCE);

  if (run.data === undefined) {
    if (run.error === null) return <PageSkeleton />;
    if (toApiError(run.error).status === 404) return <NoSuchRun />;
    return (
      <>
        <PageHeader title="Run" />
        <ErrorNotice error={run.error} onRetry={() => void run.refetch()} />
      </>
    );
  }

  const { steps, user_id, status, end_reason } = run.data;
  const view = parameters.get('view') === 'table' ? 'table' : 'timeline';
  const openStep = steps.find(({ id }) => id === stepId) ?? null;
  const setView = (wanted: string) => {
    const next = new URLSearchParams(parameters);
    if (wanted === 'table') next.set('view', wanted);
    else next.delete('view');
    setParameters(next, { replace: true });
  };
  const shownSteps = steps.slice(0, shown);
  const start = decisions.data?.find(({ subject }) => subject === 'run');

  return (
    <>
      <PageHeader
        title={`Run of ${user_id}`}
        {...(status === 'RUNNING' ? { needs: 'change' } : {})}
        description={
          <>
            <TextLink href="/runs">All runs</TextLink> ·{' '}
            <TextLink href={userHref(user_id)}>This user</TextLink> ·{' '}
            <TextLink href={runsOfUserHref(user_id)}>Runs of this user</TextLink>{' '}
            <CopyIcon text={user_id} label="user ID" />
          </>
        }
        actions={<StopRun key={runId} run={run.data} />}
      />
      <div className="stack">
        <RunFacts run={run.data} receivedAt={run.dataUpdatedAt} />
        {end_reason !== null && <EndReasonNotice reason={end_reason} />}
        {status === 'BLOCKED' && (
          <Panel title="Why this run was denied">
            {start !== undefined ? (
              <DecisionDetail decision={start} userId={user_id} model={null} onDialog={ignoreDialog} />
            ) : decisions.error !== null ? (
              <ErrorNotice error={decisions.error} onRetry={() => void decisions.refetch()} />
            ) : (
              <Skeleton height={120} radius="md" />
            )}
          </Panel>
        )}
        <DeniedSteps steps={steps} onOpen={open} />
        {status === 'BLOCKED' && steps.length === 0 ? null : (
          <Panel
            title="Steps"
            description={formatQuantity(steps.length, 'step')}
            flush
            action={
              steps.length > 0 && (
                <SegmentedControl
                  size="xs"
                  aria-label="Show steps as"
                  value={view}
                  onChange={setView}
                  data={[
                    { value: 'timeline', label: 'Timeline' },
                    { value: 'table', label: 'Table' },
                  ]}
                />
              )
            }
          >
            {steps.length === 0 ? (
              <EmptyState icon="runs" title="No steps yet">
                {status === 'RUNNING'
                  ? 'Steps appear here as the agent requests them.'
                  : 'The run ended without a step.'}
              </EmptyState>
            ) : view === 'table' ? (
              <StepTable steps={shownSteps} runStatus={status} onOpen={open} />
            ) : (
              <StepTimelineChart run={{ ...run.data, steps: shownSteps }} onOpen={open} />
            )}
            {steps.length > shown && (
              <Button variant="subtle" fullWidth onClick={() => setShown(shown + STEPS_AT_ONCE)}>
                Show {formatQuantity(Math.min(STEPS_AT_ONCE, steps.length - shown), 'more step')}
              </Button>
            )}
          </Panel>
        )}
      </div>
      <StepDrawer
        step={openStep}
        runStatus={status}
        userId={user_id}
        decision={decisions.data?.find(({ step_id }) => step_id === openStep?.id)}
        decisionsError={decisions.error}
        onRetry={() => void decisions.refetch()}
        onClose={close}
      />
    </>
  );
}

/** Nothing on the page closes with Escape. */
const ignoreDialog = () => {};

function EndReasonNotice({ reason }: { reason: EndReason }) {
  const { title, text } = runEndOf(reason);
  return (
    <Notice tone="warning" icon="stop" title={title}>
      {text}
    </Notice>
  );
}

/** Names the first denied step and its reason. The step drawer has the details. */
function DeniedSteps({ steps, onOpen }: { steps: readonly Step[]; onOpen: (stepId: string) => void }) {
  const denied = steps.filter(({ status }) => status === 'BLOCKED');
  const [first] = denied;
  if (first?.decision.reason == null) return null;
  const others = denied.length - 1;
  return (
    <Notice
      tone="warning"
      icon="stop"
      title={`Step ${formatCount(first.sequence)} was denied: ${denialOf(first.decision.reason).label.toLowerCase()}`}
      action={
        <Button size="xs" variant="default" onClick={() => onOpen(first.id)}>
          Explain
        </Button>
      }
    >
      {others > 0 && `Also denied: ${formatQuantity(others, 'other step')} of this run.`}
    </Notice>
  );
}

function NoSuchRun() {
  return (
    <>
      <PageHeader title="Run not found" />
      <EmptyState
        icon="search"
        title="This run does not exist"
        action={<LinkButton href="/runs">All runs</LinkButton>}
      >
        It may belong to another workspace, or the address may be incomplete.
      </EmptyState>
    </>
  );
}
