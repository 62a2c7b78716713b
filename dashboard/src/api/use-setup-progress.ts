import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useRights } from '../session/use-rights.ts';
import type { Schemas } from './api-client.ts';
import { unlessTold } from './current-queries.ts';
import {
  apiKeysQuery,
  dailyUsageQuery,
  newestRunsQuery,
  type Polled,
  pricesQuery,
  runsQuery,
  SLOW_REFRESH_MS,
  usageOfYearQuery,
  workspaceQuery,
} from './queries.ts';
import {
  hasAgentKey,
  hasBudget,
  hasDenial,
  type PricedModels,
  type SetupProgress,
  toPricedModels,
  toSetupProgress,
} from './setup-progress.ts';

/** For a step that is not done: it is ticked off soon after it is. */
const WAIT_REFRESH_MS = 1_500;

const blockedRunsQuery = runsQuery({ status: 'BLOCKED', userId: null, page: 1, perPage: 1 });

export interface SetupState {
  /** null while it is not known. */
  readonly progress: SetupProgress | null;
  readonly newestRun: Schemas['RunListItem'] | null;
  readonly models: PricedModels | null;
  readonly workspace: Schemas['Workspace'] | null;
  readonly hasBlockedRuns: boolean;
  /** A read that has failed and has no earlier data. */
  readonly failed: Pick<UseQueryResult, 'error' | 'refetch'> | null;
}

/**
 * Follows the set-up of the workspace. If `live`, it asks the service for news. Otherwise it reads once, and then sees what the
 * pages read: the navigation is on all of them.
 */
export function useSetupProgress({ live }: { live: boolean }): SetupState {
  const { role } = useRights();
  const enabled = ({ state: { data } }: { state: { data: unknown } }) => live || data === undefined;
  const refreshUntil = <Data>(isDone: (data: Data) => boolean) =>
    unlessTold(({ state: { data } }: Polled<Data>) => {
      if (!live) return false;
      return data !== undefined && isDone(data) ? SLOW_REFRESH_MS : WAIT_REFRESH_MS;
    });

  const workspace = useQuery({ ...workspaceQuery, enabled, refetchInterval: refreshUntil(hasBudget) });
  const keys = useQuery({ ...apiKeysQuery, enabled, refetchInterval: refreshUntil(hasAgentKey) });
  const runs = useQuery({
    ...newestRunsQuery,
    enabled,
    refetchInterval: refreshUntil(({ total }) => total > 0),
  });
  const days = useQuery({ ...dailyUsageQuery, enabled, refetchInterval: refreshUntil(hasDenial) });
  const prices = useQuery({
    ...pricesQuery,
    enabled,
    refetchInterval: refreshUntil((list) => toPricedModels(days.data ?? [], list).isDone),
  });
  const isDeniedLately = days.data && hasDenial(days.data);
  // For denials longer ago, if the days that pages show have none; and for the link of the page.
  const blocked = useQuery({
    ...blockedRunsQuery,
    enabled: (query) => enabled(query) && (live || isDeniedLately === false),
    refetchInterval: unlessTold(live ? SLOW_REFRESH_MS : false),
  });
  const hasBlockedRuns = (blocked.data?.total ?? 0) > 0;
  const isYearNeeded = isDeniedLately === false && blocked.data?.total === 0;
  const year = useQuery({ ...usageOfYearQuery, enabled: (query) => enabled(query) && isYearNeeded });

  const models = days.data && prices.data && toPricedModels(days.data, prices.data);
  const facts = {
    key: keys.data && hasAgentKey(keys.data),
    run: runs.data && runs.data.total > 0,
    prices: models?.isDone,
    budget: workspace.data && hasBudget(workspace.data),
    denial: isDeniedLately === true || hasBlockedRuns ? true : year.data && hasDenial(year.data),
  };
  const queries = [workspace, keys, runs, prices, days, blocked, year];
  return {
    progress: toSetupProgress(facts, role),
    newestRun: runs.data?.items[0] ?? null,
    models: models ?? null,
    workspace: workspace.data ?? null,
    hasBlockedRuns,
    failed: queries.find(({ error, data }) => error !== null && data === undefined) ?? null,
  };
}
