/** Converts the filter of the run list from and to its URL. */

import type { RunState } from '../../api/queries.ts';
import { listHref, pageIn } from '../../format/list-address.ts';

/** In the order of the filter. */
export const RUN_STATES = [
  'RUNNING',
  'IDLE',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
  'BLOCKED',
] as const satisfies readonly RunState[];

export interface RunListAddress {
  readonly status: RunState | null;
  readonly userId: string | null;
  readonly page: number;
}

/** Missing and invalid parameters do not filter. */
export function fromSearch(parameters: URLSearchParams): RunListAddress {
  const status = parameters.get('status');
  return {
    status: RUN_STATES.find((candidate) => candidate === status) ?? null,
    userId: parameters.get('user') || null,
    page: pageIn(parameters),
  };
}

export function toHref({ status, userId, page }: RunListAddress): string {
  return listHref('/runs', { filters: { status, user: userId }, page });
}
