/** Everything the dashboard reads, by name. A page asks for these and nothing else. */

import { type FetchStatus, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Schemas } from './api-client.ts';

/** How often pages that show the present ask again, while they are visible. */
export const LIVE_REFRESH_MS = 4_000;
export const SLOW_REFRESH_MS = 10_000;
const SUMMARY_REFRESH_MS = 60_000;
const DAYS_SHOWN = 30;

/** What there is to show of a list. The last page of another list is no answer to this one when none may come. */
export function shownOf<Data>(query: {
  readonly data: Data | undefined;
  readonly isPlaceholderData: boolean;
  readonly fetchStatus: FetchStatus;
}): Data | undefined {
  return query.isPlaceholderData && query.fetchStatus === 'paused' ? undefined : query.data;
}

export type RunStatus = Schemas['RunListItem']['status'];

export interface RunFilter {
  readonly status: RunStatus | null;
  readonly userId: string | null;
  readonly page: number;
  readonly perPage: number;
}

export interface UserFilter {
  readonly blocked: boolean | null;
  readonly page: number;
  readonly perPage: number;
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/auth/me', { signal })),
});

export const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/workspace/', { signal })),
  refetchInterval: SLOW_REFRESH_MS,
});

export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/billing/', { signal })),
  refetchInterval: SLOW_REFRESH_MS,
});

/** Adds up every user of the month: the dearest request of all, so nothing that is watched depends on it. */
export const usageSummaryQuery = queryOptions({
  queryKey: ['usage', 'summary'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/usage/summary', { signal })),
  staleTime: SUMMARY_REFRESH_MS / 2,
  refetchInterval: SUMMARY_REFRESH_MS,
});

export const dailyUsageQuery = queryOptions({
  queryKey: ['usage', 'daily'],
  queryFn: ({ signal }) =>
    answerOf(api.GET('/v1/usage/daily', { params: { query: { days: DAYS_SHOWN } }, signal })),
  refetchInterval: SLOW_REFRESH_MS,
});

export const runsQuery = ({ status, userId, page, perPage }: RunFilter) =>
  queryOptions({
    queryKey: ['runs', { status, userId, page, perPage }],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/runs/', {
          params: {
            query: {
              page,
              per_page: perPage,
              ...(status === null ? {} : { status }),
              ...(userId === null ? {} : { user_id: userId }),
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: LIVE_REFRESH_MS,
  });

/** Only the number of running runs is of interest. */
export const runningRunsQuery = runsQuery({ status: 'RUNNING', userId: null, page: 1, perPage: 1 });

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['run', runId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/runs/{run_id}', { params: { path: { run_id: runId } }, signal })),
    // What has ended does not change any more, but for late reports.
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? LIVE_REFRESH_MS : false),
  });

export const runDecisionsQuery = (runId: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['run', runId, 'decisions'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/runs/{run_id}/decisions', { params: { path: { run_id: runId } }, signal })),
    refetchInterval: isLive ? LIVE_REFRESH_MS : false,
  });

export const usersQuery = ({ blocked, page, perPage }: UserFilter) =>
  queryOptions({
    queryKey: ['users', { blocked, page, perPage }],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/users/', {
          params: { query: { page, per_page: perPage, ...(blocked === null ? {} : { blocked }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: SLOW_REFRESH_MS,
  });

export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/model-pricing/', { signal })),
});

export const catalogueQuery = (query: string) =>
  queryOptions({
    queryKey: ['catalogue', query],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/model-pricing-catalogue', { params: { query: { query, limit: 50 } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/api-keys/', { signal })),
});
