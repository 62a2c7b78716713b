/** Converts the filter of the run list from and to its URL. Days are those of UTC, like the days of budgets and reports. */

import type { RunDenial, RunState } from '../../api/queries.ts';
import { dayIn } from '../../format/days.ts';
import { DENY_REASONS } from '../../format/guardrails.ts';
import { listHref, pageIn } from '../../format/list-address.ts';

/** In the order of the filter. */
export const RUN_STATES = [
  'RUNNING',
  'IDLE',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
  'STOPPED',
  'BLOCKED',
] as const satisfies readonly RunState[];

export interface RunListAddress {
  readonly status: RunState | null;
  readonly userId: string | null;
  readonly denial: RunDenial | null;
  /** The first and the last day, for example 2026-03-14. */
  readonly from: string | null;
  readonly to: string | null;
  /** For example plan=pro. */
  readonly metadata: string | null;
  readonly page: number;
}

export const ALL_RUNS: RunListAddress = {
  status: null,
  userId: null,
  denial: null,
  from: null,
  to: null,
  metadata: null,
  page: 1,
};

/** Missing and invalid parameters do not filter. */
export function fromSearch(parameters: URLSearchParams): RunListAddress {
  const status = parameters.get('status');
  return {
    status: RUN_STATES.find((candidate) => candidate === status) ?? null,
    userId: parameters.get('user') || null,
    denial: denialIn(parameters),
    from: dayIn(parameters.get('from')),
    to: dayIn(parameters.get('to')),
    metadata: metadataIn(parameters.get('metadata') ?? ''),
    page: pageIn(parameters),
  };
}

function denialIn(parameters: URLSearchParams): RunDenial | null {
  const reason = parameters.get('deny_reason');
  const known = DENY_REASONS.find((candidate) => candidate === reason);
  return known ?? (parameters.get('denied') === 'steps' ? 'STEPS' : null);
}

/** `name=value`; null for anything else. */
export function metadataIn(text: string): string | null {
  return text.indexOf('=') > 0 ? text : null;
}

export function toHref({ status, userId, denial, from, to, metadata, page }: RunListAddress): string {
  const denied = denial === 'STEPS' ? { denied: 'steps' } : { deny_reason: denial };
  return listHref('/runs', { filters: { status, user: userId, ...denied, from, to, metadata }, page });
}
