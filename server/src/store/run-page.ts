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

export function findRunPage({ status, userId, offset, limit }: RunQuery, total: number): RunPage {
  const size = Math.min(limit, total - offset);
  if (size <= 0) return { kind: 'empty' };
  const newest = total - offset;
  if (status === null && userId === null) return { kind: 'positions', oldest: newest - size + 1, newest };
  if (offset <= total / 2) return { kind: 'filtered', order: 'DESC', offset, limit: size };
  return { kind: 'filtered', order: 'ASC', offset: newest - size, limit: size };
}
