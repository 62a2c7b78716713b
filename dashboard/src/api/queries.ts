/** All queries of the dashboard. Pages use only these. */

import { type FetchStatus, keepPreviousData, type Query, queryOptions } from '@tanstack/react-query';
import { EFFECT_DAYS, type EffectLimits } from '../format/guardrail-effects.ts';
import { api, type Schemas, unwrap } from './api-client.ts';
import { type Topic, unlessTold } from './current-queries.ts';
import { toLookupBatches } from './lookup-batches.ts';

/** Refresh intervals of live data, while the page is visible and nothing tells it of changes. */
export const LIVE_REFRESH_MS = 4_000;
export const SLOW_REFRESH_MS = 10_000;
const SUMMARY_REFRESH_MS = 60_000;
/** The least time between two reads that changes cause, of what costs more than a page of a list. */
const USAGE_SPACING_MS = 4_000;
const DAYS_SHOWN = 30;
/** The service returns no more. */
const DAYS_OF_YEAR = 366;

/** Read again when one of the topics has changed; without news of changes, at an interval. */
function follow(topics: readonly Topic[], pollMs: number, { spacingMs }: { spacingMs?: number } = {}) {
  const meta = { topics, ...(spacingMs === undefined ? {} : { spacingMs }) };
  return { meta, refetchInterval: unlessTold(pollMs) };
}

/** A query, as far as its polling depends on it. */
export type Polled<Data> = Pick<Query<Data>, 'state'>;

/**
 * The data of a list to show. While offline, the previous list is not used as a placeholder: the new one may never
 * arrive.
 */
export function visibleData<Data>(query: {
  readonly data: Data | undefined;
  readonly isPlaceholderData: boolean;
  readonly fetchStatus: FetchStatus;
}): Data | undefined {
  return query.isPlaceholderData && query.fetchStatus === 'paused' ? undefined : query.data;
}

/** A query that is read again when a component with it appears, for `currentData`. */
export function readAnew<Options extends object>(options: Options): Options & { refetchOnMount: 'always' } {
  return { ...options, refetchOnMount: 'always' };
}

/**
 * Undefined until the data has been read since the component appeared: what is cached may be older than what it is compared
 * with. Offline, what is cached. Later reads do not take it away.
 */
export function currentData<Data>(query: {
  readonly data: Data | undefined;
  readonly isFetchedAfterMount: boolean;
  readonly fetchStatus: FetchStatus;
}): Data | undefined {
  return query.isFetchedAfterMount || query.fetchStatus === 'paused' ? query.data : undefined;
}

export type RunStatus = Schemas['RunListItem']['status'];

/** A status, or runs that an operator looks for: silent for 5 minutes, ended by their lease, or stopped. */
export type RunState = RunStatus | 'IDLE' | 'EXPIRED' | 'STOPPED';

/** The reason of a denial, or any denied step. */
export type RunDenial = Schemas['DenyReason'] | 'STEPS';

/** The service counts no more runs that are idle or expired. */
export const MAX_RUNS_COUNTED = 10_000;
/** The service counts no more entries of the audit log. */
export const MAX_ENTRIES_COUNTED = 10_000;

export interface RunFilter {
  readonly status: RunState | null;
  readonly userId: string | null;
  readonly denial?: RunDenial | null;
  /** The first moment, and the moment after the last, in ISO 8601. */
  readonly from?: string | null;
  readonly to?: string | null;
  /** `name=value` */
  readonly metadata?: string | null;
}

export interface RunPageFilter extends RunFilter {
  readonly page: number;
  readonly perPage: number;
}

export interface UserFilter {
  readonly blocked: boolean | null;
  /** The beginning of the user ID. */
  readonly search: string | null;
  readonly isBySpend: boolean;
  readonly page: number;
  readonly perPage: number;
}

/** Its role decides which controls the pages show. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => unwrap(api.GET('/v1/auth/me', { signal })),
  // Controls that appear one after the other share a read.
  staleTime: LIVE_REFRESH_MS,
  ...follow(['settings'], SLOW_REFRESH_MS),
});

export const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: ({ signal }) => unwrap(api.GET('/v1/workspace/', { signal })),
  ...follow(['settings'], SLOW_REFRESH_MS),
});

export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: ({ signal }) => unwrap(api.GET('/v1/billing/', { signal })),
  ...follow(['runs', 'settings'], SLOW_REFRESH_MS, { spacingMs: USAGE_SPACING_MS }),
});

/** Sums up all users of the month. It is the most expensive request, so live data does not depend on it. */
export const usageSummaryQuery = queryOptions({
  queryKey: ['usage', 'summary'],
  queryFn: ({ signal }) => unwrap(api.GET('/v1/usage/summary', { signal })),
  staleTime: SUMMARY_REFRESH_MS / 2,
  meta: { topics: ['runs'], spacingMs: SLOW_REFRESH_MS },
  // Holds are short-lived.
  refetchInterval: unlessTold(({ state }: Polled<Schemas['UsageSummary']>) =>
    state.data?.held_usd ? SLOW_REFRESH_MS : SUMMARY_REFRESH_MS,
  ),
});

/** The usage of the last days, including today. */
export const usageOfDaysQuery = (days: number) =>
  queryOptions({
    queryKey: ['usage', 'daily', days],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/usage/daily', { params: { query: { days } }, signal })),
    placeholderData: keepPreviousData,
    ...follow(['runs'], SLOW_REFRESH_MS, { spacingMs: USAGE_SPACING_MS }),
  });

export const dailyUsageQuery = usageOfDaysQuery(DAYS_SHOWN);

/** For denials that were longer ago: read once. */
export const usageOfYearQuery = queryOptions({
  queryKey: ['usage', 'year'],
  queryFn: ({ signal }) =>
    unwrap(api.GET('/v1/usage/daily', { params: { query: { days: DAYS_OF_YEAR } }, signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What limits would have changed. Reads many runs, and changes slowly. */
export const guardrailEffectsQuery = (limits: EffectLimits) =>
  queryOptions({
    queryKey: ['usage', 'guardrail-effects', limits],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/usage/guardrail-effects', {
          params: { query: { days: EFFECT_DAYS, ...limits } },
          signal,
        }),
      ),
    staleTime: SUMMARY_REFRESH_MS / 2,
    ...follow(['runs'], SUMMARY_REFRESH_MS, { spacingMs: SUMMARY_REFRESH_MS }),
  });

export const runsQuery = ({ page, perPage, ...filter }: RunPageFilter) =>
  queryOptions({
    queryKey: ['runs', { ...filter, page, perPage }],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/runs/', {
          params: { query: { page, per_page: perPage, ...toRunParameters(filter) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    ...follow(['runs'], LIVE_REFRESH_MS),
    // A run becomes idle because nothing happens.
    ...(filter.status === 'IDLE' ? { refetchInterval: SLOW_REFRESH_MS } : {}),
  });

/** As the API takes them, for lists and exports. */
export function toRunParameters({ status, userId, denial, from, to, metadata }: RunFilter) {
  return {
    ...toStateParameters(status),
    ...(userId === null ? {} : { user_id: userId }),
    ...toDenialParameters(denial ?? null),
    ...(from == null ? {} : { from }),
    ...(to == null ? {} : { to }),
    ...(metadata == null ? {} : { metadata }),
  };
}

function toStateParameters(state: RunState | null) {
  if (state === null) return {};
  if (state === 'IDLE') return { idle: true } as const;
  if (state === 'STOPPED') return { end_reason: 'STOPPED' } as const;
  return state === 'EXPIRED' ? ({ end_reason: 'LEASE_EXPIRED' } as const) : { status: state };
}

function toDenialParameters(denial: RunDenial | null) {
  if (denial === null) return {};
  return denial === 'STEPS' ? ({ has_denied_steps: true } as const) : { deny_reason: denial };
}

/** What an operator has in hand: ids of runs, steps and users. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/search', { params: { query: { q: text } }, signal })),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    staleTime: SLOW_REFRESH_MS,
  });

/** As many as the overview shows; other places look at the first, so that one read serves all. */
export const NEWEST_RUNS = 8;
export const newestRunsQuery = runsQuery({ status: null, userId: null, page: 1, perPage: NEWEST_RUNS });

/** Used only for its total. */
export const runningRunsQuery = runsQuery({ status: 'RUNNING', userId: null, page: 1, perPage: 1 });

export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['run', runId],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/runs/{run_id}', { params: { path: { run_id: runId } }, signal })),
    // An ended run changes only through late step reports.
    meta: { topics: ['runs'], isFinal: (run) => !isRunning(run) },
    refetchInterval: unlessTold(({ state }: Polled<unknown>) =>
      isRunning(state.data) ? LIVE_REFRESH_MS : false,
    ),
  });

function isRunning(run: unknown): boolean {
  return typeof run === 'object' && run !== null && 'status' in run && run.status === 'RUNNING';
}

export const runDecisionsQuery = (runId: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['run', runId, 'decisions'],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/runs/{run_id}/decisions', { params: { path: { run_id: runId } }, signal })),
    meta: { topics: isLive ? ['runs'] : [] },
    refetchInterval: unlessTold(isLive ? LIVE_REFRESH_MS : false),
  });

export const usersQuery = ({ blocked, search, isBySpend, page, perPage }: UserFilter) =>
  queryOptions({
    queryKey: ['users', { blocked, search, isBySpend, page, perPage }],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/users/', {
          params: {
            query: {
              page,
              per_page: perPage,
              ...(blocked === null ? {} : { blocked }),
              ...(search === null ? {} : { search }),
              ...(isBySpend ? { sort: 'spend' as const } : {}),
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    // The order by spend adds up all users of the month.
    ...follow(['runs', 'settings'], isBySpend ? SUMMARY_REFRESH_MS : SLOW_REFRESH_MS, {
      spacingMs: isBySpend ? SLOW_REFRESH_MS : USAGE_SPACING_MS,
    }),
  });

/** The name is a parameter, because browsers resolve "." and ".." in a path, even if percent-encoded. */
const NAMED = '-';

export const userQuery = (userId: string, days: number) =>
  queryOptions({
    queryKey: ['users', userId, days],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/users/{user_id}', {
          params: { path: { user_id: NAMED }, query: { name: userId, days } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    ...follow(['runs', 'settings'], SLOW_REFRESH_MS, { spacingMs: USAGE_SPACING_MS }),
  });

export const modelQuery = (model: string, days: number) =>
  queryOptions({
    queryKey: ['models', model, days],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/models/{model}', {
          params: { path: { model: NAMED }, query: { name: model, days } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    ...follow(['runs', 'settings'], SLOW_REFRESH_MS, { spacingMs: USAGE_SPACING_MS }),
  });

export interface AuditFilter {
  readonly action: Schemas['AuditAction'] | null;
  /** The id of an account or an API key. */
  readonly actorId: string | null;
  /** The first moment, and the moment after the last, in ISO 8601. */
  readonly from: string | null;
  readonly to: string | null;
  readonly page: number;
  readonly perPage: number;
}

/** Only for members who may: others get an error. */
export const auditLogQuery = ({ action, actorId, from, to, page, perPage }: AuditFilter) =>
  queryOptions({
    queryKey: ['audit-log', { action, actorId, from, to, page, perPage }],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/audit-log/', {
          params: {
            query: {
              page,
              per_page: perPage,
              ...(action === null ? {} : { action }),
              ...(actorId === null ? {} : { actor_id: actorId }),
              ...(from === null ? {} : { from }),
              ...(to === null ? {} : { to }),
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    ...follow(['settings'], SLOW_REFRESH_MS),
  });

/** Who turned the kill switch on last. */
export const killSwitchQuery = queryOptions({
  queryKey: ['audit-log', 'kill-switch'],
  queryFn: ({ signal }) =>
    unwrap(
      api.GET('/v1/audit-log/', {
        params: { query: { action: 'kill_switch.turned_on', per_page: 1 } },
        signal,
      }),
    ),
  ...follow(['settings'], SLOW_REFRESH_MS),
  // When it is turned on again, the page must not name who did it before.
  gcTime: 0,
});

export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  queryFn: ({ signal }) => unwrap(api.GET('/v1/model-pricing/', { signal })),
  meta: { topics: ['settings'], waitsForDialogs: true },
});

export const catalogueQuery = (query: string) =>
  queryOptions({
    queryKey: ['catalogue', query],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/v1/model-pricing-catalogue', { params: { query: { query, limit: 50 } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What the catalogue has for each name. The requests follow each other: hundreds of prices are no reason to hurry. */
export const catalogueMatchesQuery = (models: readonly string[]) =>
  queryOptions({
    queryKey: ['catalogue', 'matches', models],
    queryFn: async ({ signal }) => {
      const matches: Schemas['CatalogueMatch'][] = [];
      for (const model of toLookupBatches(models)) {
        const query = { model };
        matches.push(
          ...(await unwrap(api.GET('/v1/model-pricing-catalogue/lookup', { params: { query }, signal }))),
        );
      }
      return matches;
    },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => unwrap(api.GET('/v1/members/', { signal })),
  ...follow(['settings'], SLOW_REFRESH_MS),
});

/** The open ones. */
export const invitationsQuery = queryOptions({
  queryKey: ['members', 'invitations'],
  queryFn: ({ signal }) => unwrap(api.GET('/v1/members/invitations', { signal })),
  ...follow(['settings'], SLOW_REFRESH_MS),
});

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => unwrap(api.GET('/v1/api-keys/', { signal })),
  meta: { topics: ['settings'], waitsForDialogs: true },
});

/** Where the gateway is: part of the configuration of the service. */
export const gatewayQuery = () =>
  queryOptions({
    queryKey: ['gateway'],
    queryFn: ({ signal }) => unwrap(api.GET('/v1/gateway', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
