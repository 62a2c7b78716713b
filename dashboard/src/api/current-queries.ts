/**
 * Which queries are current without polling: those that were read since the stream of changes began, because the stream tells when
 * they change. All others poll.
 */

import type { QueryClient } from '@tanstack/react-query';

/** What the service says has changed. */
export type Topic = 'runs' | 'settings';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The query may have changed when one of them has. */
      topics?: readonly Topic[];
      /** The least time between two reads because of changes; MIN_SPACING_MS unless told. */
      spacingMs?: number;
      /** A dialog compares it with what it showed when it opened: it does not change before the dialog is closed. */
      waitsForDialogs?: boolean;
      /** Whether the data does not change any more. */
      isFinal?: (data: unknown) => boolean;
    };
  }
}

const MIN_SPACING_MS = 1_000;
/** In a busy workspace, reads of a query take at most this share of the time: those that take long are spaced wider. */
const MAX_READING_SHARE = 0.2;

interface Read {
  /** The stream of changes at its start; null if there was none, or if the read may have missed a change. */
  readonly stream: number | null;
  readonly beganAt: number;
  readonly tookMs: number;
}

/** The last read of each query. */
const reads = new WeakMap<object, Read>();
/** The stream that tells of changes; null while there is none. Each has a number of its own. */
let stream: number | null = null;
let lastStream = 0;

interface QueryState {
  readonly state: { readonly status: string; readonly fetchStatus: string };
}

/** For `refetchInterval`: polls unless every change since the last read would have been told. */
export function unlessTold<Query extends QueryState>(
  interval: number | false | ((query: Query) => number | false),
): (query: Query) => number | false {
  return (query) => {
    const { status, fetchStatus } = query.state;
    const isRead = status === 'success' && fetchStatus === 'idle';
    if (isRead && stream !== null && reads.get(query)?.stream === stream) return false;
    return typeof interval === 'function' ? interval(query) : interval;
  };
}

export class CurrentQueries {
  readonly #queryClient: QueryClient;
  /** Reads that wait until their spacing has passed, by the hash of their query. */
  readonly #waiting = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(queryClient: QueryClient) {
    this.#queryClient = queryClient;
    queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      const { action, query } = event;
      const read = reads.get(query);
      if (action.type === 'fetch') reads.set(query, { stream, beganAt: Date.now(), tookMs: 0 });
      if (action.type === 'success' && action.manual !== true && read !== undefined)
        reads.set(query, { ...read, tookMs: Date.now() - read.beganAt });
    });
  }

  get isReading(): boolean {
    return this.#queryClient.isFetching() > 0;
  }

  /** From now on, every change is told. */
  begin(): void {
    lastStream += 1;
    stream = lastStream;
  }

  end(): void {
    if (stream === null) return;
    stream = null;
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
    // Polling begins again.
    for (const { observers } of this.#queryClient.getQueryCache().getAll())
      for (const observer of observers) observer.setOptions(observer.options);
  }

  /** Reads what pages show of these topics: now, or when its spacing has passed. */
  refresh(topics: readonly Topic[]): void {
    const queries = this.#queryClient.getQueryCache().findAll({ type: 'active' });
    for (const query of queries) {
      const { meta, queryHash, queryKey, state } = query;
      if (!topics.some((topic) => meta?.topics?.includes(topic))) continue;
      if (meta?.isFinal?.(state.data) === true || this.#waiting.has(queryHash)) continue;
      const read = reads.get(query);
      // A first read in flight is not repeated; it may be of the time before the change.
      if (state.fetchStatus === 'fetching' && read !== undefined) reads.set(query, { ...read, stream: null });
      const spacingMs = Math.max(meta?.spacingMs ?? MIN_SPACING_MS, (read?.tookMs ?? 0) / MAX_READING_SHARE);
      const refetch = () => {
        this.#waiting.delete(queryHash);
        // What is only marked is read when the page is shown again.
        const isHeld = document.hidden || (meta?.waitsForDialogs === true && isDialogOpen());
        const refetchType = isHeld ? 'none' : 'active';
        void this.#queryClient.invalidateQueries({ queryKey, exact: true, refetchType });
      };
      const waitMs = state.dataUpdatedAt + spacingMs - Date.now();
      if (waitMs <= 0) refetch();
      else this.#waiting.set(queryHash, setTimeout(refetch, waitMs));
    }
  }
}

function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null;
}
