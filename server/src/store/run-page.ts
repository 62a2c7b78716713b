/**
 * Locates a page of runs, given how many match. Positions have no gaps, so without a filter a page is a range of positions;
 * with a filter, rows are skipped from the nearer end.
 */

import type { RunQuery } from './store.js';

export type RunPage =
  | { readonly kind: 'empty' }
  | { readonly kind: 'positions'; readonly oldest: number; readonly newest: number }
  | {
      readonly kind: 'filtered';
      readonly order: 'ASC' | 'DESC';
      readonly offset: number;
      readonly limit: number;
    };

/** Without a filter, all positions up to `newest` match, as many as the total. */
export function findRunPage(
  { status, userId, offset, limit }: Pick<RunQuery, 'status' | 'userId' | 'offset' | 'limit'>,
  matching: { total: number; newest: number },
): RunPage {
  const { total } = matching;
  const size = Math.min(limit, total - offset);
  if (size <= 0) return { kind: 'empty' };
  const newest = matching.newest - offset;
  if (status === null && userId === null) return { kind: 'positions', oldest: newest - size + 1, newest };
  if (offset <= total / 2) return { kind: 'filtered', order: 'DESC', offset, limit: size };
  return { kind: 'filtered', order: 'ASC', offset: total - offset - size, limit: size };
}
