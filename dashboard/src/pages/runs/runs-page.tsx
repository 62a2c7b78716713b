import { useQuery } from '@tanstack/react-query';
import { toUnpricedUsage } from '../../api/daily-series.ts';
import {
  dailyUsageQuery,
  MAX_RUNS_COUNTED,
  type RunState,
  runsQuery,
  visibleData,
} from '../../api/queries.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import barClasses from '../../components/filter-bar.module.css';
import { FilterLinks } from '../../components/filter-links.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { MissingPage } from '../../components/missing-page.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pager } from '../../components/pager.tsx';
import { RunTable } from '../../components/run-table.tsx';
import { StopButton, type StopIntent, StopRunDialog } from '../../components/stop-run.tsx';
import { Surface } from '../../components/surface.tsx';
import { useIntent } from '../../components/use-intent.ts';
import { useSearchParameters } from '../../components/use-search-parameters.ts';
import { formatTokenQuantity } from '../../format/count.ts';
import { utcMoments } from '../../format/days.ts';
import { useRights } from '../../session/use-rights.ts';
import { ExportButton } from './export-button.tsx';
import { ALL_RUNS, fromSearch, RUN_STATES, type RunListAddress, toHref } from './run-filter.ts';
import { RunFilters } from './run-filters.tsx';

const PER_PAGE = 25;

const STATE_LABELS: Readonly<Record<RunState, string>> = {
  RUNNING: 'Running',
  IDLE: 'Idle',
  COMPLETED: 'Completed',
  FAILED: 'Failed',
  EXPIRED: 'Expired',
  STOPPED: 'Stopped',
  BLOCKED: 'Blocked',
};

/** No counter has their number. */
const UNCOUNTED: readonly RunState[] = ['IDLE', 'EXPIRED', 'STOPPED'];

/** Runs that hold a slot: an operator who needs one stops some of them. */
const ACTIVE: readonly RunState[] = ['RUNNING', 'IDLE'];

/** What a filter means, where its label alone does not say. */
const EXPLANATIONS: Readonly<Partial<Record<RunState, string>>> = {
  IDLE: 'Running, but the agent has sent nothing for 5 minutes or more. Runs without a lease are not included.',
  EXPIRED: 'Ended by their lease: the agent sent nothing before it ended.',
  STOPPED: 'Stopped by an operator.',
  BLOCKED:
    'Not allowed to start. Runs with a step that was denied later keep their own status: choose “Has denied steps”.',
};

export function RunsPage() {
  const [parameters] = useSearchParameters();
  const address = fromSearch(parameters);
  const { page, ...rest } = address;
  const filter = { ...rest, ...utcMoments(address) };
  const runs = useQuery(runsQuery({ ...filter, page, perPage: PER_PAGE }));
  const list = visibleData(runs);
  const { data: days } = useQuery(dailyUsageQuery);
  const unpricedTokens = days === undefined ? 0 : toUnpricedUsage(days).tokens;
  const { mayChange } = useRights();
  const stopping = useIntent<StopIntent>();
  const isStoppable = mayChange && address.status !== null && ACTIVE.includes(address.status);
  const explanation = address.status === null ? undefined : EXPLANATIONS[address.status];

  return (
    <>
      <PageHeader
        title="Runs"
        description="Every run your agents requested, newest first."
        actions={<ExportButton filter={filter} />}
      />
      <div className={barClasses.bar}>
        <FilterLinks
          label="Status"
          options={[null, ...RUN_STATES].map((status) => ({
            label: status === null ? 'All' : STATE_LABELS[status],
            href: toHref({ ...address, status, page: 1 }),
            current: address.status === status,
          }))}
        />
      </div>
      <RunFilters address={address} />
      {explanation !== undefined && <p className={barClasses.explanation}>{explanation}</p>}
      {unpricedTokens > 0 && (
        <p className={barClasses.explanation}>
          <span className="unpriced">
            {formatTokenQuantity(unpricedTokens)} of the last 30 days {unpricedTokens === 1 ? 'has' : 'have'}{' '}
            no price
          </span>
          : the costs below do not include {unpricedTokens === 1 ? 'it' : 'them'}. The page of a run names its
          own.
        </p>
      )}
      <RunTable
        label="Runs"
        query={runs}
        rows={list?.items}
        skeletonRows={10}
        empty={<NoRuns address={address} total={list?.total ?? 0} />}
        actionOf={isStoppable ? (run) => <StopButton run={run} dialog={stopping} /> : undefined}
        frame={Surface}
        errorClass="stack-item"
      >
        {list !== undefined && (
          <Pager
            page={page}
            perPage={PER_PAGE}
            total={list.total}
            countedUpTo={isCounted(address) ? undefined : MAX_RUNS_COUNTED}
            hrefOf={(next) => toHref({ ...address, page: next })}
          />
        )}
      </RunTable>
      <StopRunDialog dialog={stopping} run={list?.items.find(({ id }) => id === stopping.shown?.runId)} />
    </>
  );
}

/** Whether the service keeps the number of these runs: by a status, by user or by time alone. */
function isCounted({ status, userId, denial, from, to, metadata }: RunListAddress): boolean {
  if (denial !== null || metadata !== null || (status !== null && UNCOUNTED.includes(status))) return false;
  return (from === null && to === null) || (status === null && userId === null);
}

function NoRuns({ address, total }: { address: RunListAddress; total: number }) {
  if (total > 0) {
    return <MissingPage icon="runs" firstPage={toHref({ ...address, page: 1 })} />;
  }
  if (toHref(address) !== toHref(ALL_RUNS)) {
    return (
      <EmptyState
        icon="search"
        title="No matching runs"
        action={
          <LinkButton variant="default" href="/runs">
            Show all runs
          </LinkButton>
        }
      >
        {address.userId !== null && 'User IDs must match exactly and are case-sensitive.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="runs"
      title="No runs yet"
      action={<LinkButton href="/setup">Connect an agent</LinkButton>}
    >
      Start one with your API key. The setup page has a command to copy. The run appears here automatically.
    </EmptyState>
  );
}
