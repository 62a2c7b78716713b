/** Sums of counters of many days: a sum may exceed 64 bits, which SQLite refuses, so that it is made in two parts. */

import { type Columns, nameOf, namesOf } from '../columns.js';
import { type Row, readBigint, readText } from '../row.js';

const HALF = 1_000_000n;

export const sumOf = (column: string) =>
  `SUM(${column} / ${HALF}) AS ${column}_high, SUM(${column} % ${HALF}) AS ${column}_low`;

export const sumsOf = (columns: Columns) => namesOf(columns).map(sumOf).join(', ');

/** As one text, for a subquery that can have only one column. */
export const sumTextOf = (column: string) =>
  `CAST(COALESCE(SUM(${column} / ${HALF}), 0) AS TEXT) || '/' || CAST(COALESCE(SUM(${column} % ${HALF}), 0) AS TEXT)`;

/** Orders by the whole cost: the lower part carries over into the higher one. */
export const mostExpensiveBy = (name: string) => `
  SUM(cost_pico_usd / ${HALF}) + SUM(cost_pico_usd % ${HALF}) / ${HALF} DESC,
  SUM(cost_pico_usd % ${HALF}) % ${HALF} DESC, ${name}`;

/** SUM over no rows is NULL. */
export function readSum(row: Row, column: string): bigint {
  if (row[`${column}_high`] === null) return 0n;
  return readBigint(row, `${column}_high`) * HALF + readBigint(row, `${column}_low`);
}

export function readSums<Sums>(columns: Columns, row: Row): Sums {
  return Object.fromEntries(
    Object.keys(columns).map((property) => [property, readSum(row, nameOf(columns, property))]),
  ) as Sums;
}

export function readSumText(row: Row, column: string): bigint {
  const [high = '0', low = '0'] = readText(row, column).split('/');
  return BigInt(high) * HALF + BigInt(low);
}
