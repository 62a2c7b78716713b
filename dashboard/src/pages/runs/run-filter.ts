/** Converts the filter of the run list from and to its URL. */

import type { RunState } from '../../api/queries.ts';

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
  const page = Number(parameters.get('page') ?? '1');
  return {
    status: RUN_STATES.find((candidate) => candidate === status) ?? null,
    userId: parameters.get('user') || null,
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
  };
}

export function toHref({ status, userId, page }: RunListAddress): string {
  const parameters = new URLSearchParams();
  if (status !== null) parameters.set('status', status);
  if (userId !== null) parameters.set('user', userId);
  if (page > 1) parameters.set('page', String(page));
  const search = parameters.toString();
  return search === '' ? '/runs' : `/runs?${search}`;
}
