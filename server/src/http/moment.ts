/** Moments in query strings. */

import Type from 'typebox';
import { unprocessable } from '../domain/app-error.js';
import { dayOf } from '../domain/period.js';

export const PeriodParameters = {
  from: Type.Optional(Type.String({ format: 'date-time', description: 'The first moment' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'The moment after the last' })),
};

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

export function momentFrom(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const moment = MOMENT.test(text) && isDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment)) {
    throw unprocessable(`querystring/${name} must be a date and time like 2026-03-14T12:00:00Z`);
  }
  return moment;
}

/** JavaScript takes February 30 for March 2. */
function isDate(day: string): boolean {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && dayOf(midnight) === day;
}
