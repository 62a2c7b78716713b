/** Converts the filter of the activity from and to its URL. Days are those of the local time zone, like the times on the page. */

import { AUDIT_ACTIONS, type AuditAction } from '../../format/activity.ts';
import { dayIn } from '../../format/days.ts';
import { listHref, pageIn } from '../../format/list-address.ts';

export interface ActivityAddress {
  readonly action: AuditAction | null;
  readonly actorId: string | null;
  /** The first and the last day, for example 2026-03-14. */
  readonly from: string | null;
  readonly to: string | null;
  readonly page: number;
}

export const ALL_ACTIVITY: ActivityAddress = { action: null, actorId: null, from: null, to: null, page: 1 };

/** Missing and invalid parameters do not filter. */
export function fromSearch(parameters: URLSearchParams): ActivityAddress {
  const action = parameters.get('action');
  return {
    action: AUDIT_ACTIONS.find((candidate) => candidate === action) ?? null,
    actorId: parameters.get('actor') || null,
    from: dayIn(parameters.get('from')),
    to: dayIn(parameters.get('to')),
    page: pageIn(parameters),
  };
}

export function toHref({ action, actorId, from, to, page }: ActivityAddress): string {
  return listHref('/activity', { filters: { action, actor: actorId, from, to }, page });
}

/** The first moment of the first day, and the moment after the last day. */
export function toMoments({ from, to }: Pick<ActivityAddress, 'from' | 'to'>): {
  readonly from: string | null;
  readonly to: string | null;
} {
  return {
    from: from === null ? null : startOfDay(from, 0).toISOString(),
    to: to === null ? null : startOfDay(to, 1).toISOString(),
  };
}

/** A day may have 23 or 25 hours, so days are counted by the calendar. */
function startOfDay(day: string, daysLater: number): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater);
}
