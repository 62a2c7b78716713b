/**
 * Formats amounts that are compared with a limit, with as few digits as show how they compare: different amounts never read as
 * equal, and a sum reads as below, at or above the limit if it is. Pure.
 */

import { formatCount } from './count.ts';
import { formatExactUsd, formatUsd, formatUsdTo, sumUsd } from './money.ts';
import { formatDuration, formatDurationTo } from './time.ts';

/** The unit of the values that a rule compares. */
export type Unit = 'switch' | 'usd' | 'count' | 'seconds';

export type AmountFormat = (amount: number) => string;

export interface Comparison {
  /** What counts together, for example a spend and what is held. */
  readonly parts: readonly number[];
  /** null if there is none. */
  readonly limit: number | null;
}

/** From the shortest. */
const USD_FORMATS: readonly AmountFormat[] = [
  formatUsd,
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((decimals) => (usd: number) => formatUsdTo(usd, decimals)),
];
const SECONDS_FORMATS: readonly AmountFormat[] = [
  (seconds) => formatDuration(seconds * 1_000),
  ...[0, 1, 2, 3].map((decimals) => (seconds: number) => formatDurationTo(seconds * 1_000, decimals)),
];

/** The format for all amounts of a comparison. */
export function comparisonFormat(unit: Unit, comparison: Comparison): AmountFormat {
  if (unit === 'usd') {
    const isClear = (format: AmountFormat) =>
      tellsApart(format, comparison) && keepsOrder(format, comparison);
    return USD_FORMATS.find(isClear) ?? formatExactUsd;
  }
  if (unit !== 'seconds') return formatCount;
  const [shortest = formatCount] = SECONDS_FORMATS;
  return SECONDS_FORMATS.find((format) => tellsApart(format, comparison)) ?? shortest;
}

function tellsApart(format: AmountFormat, { parts, limit }: Comparison): boolean {
  const amounts = new Set(limit === null ? parts : [...parts, limit]);
  return new Set([...amounts].map(format)).size === amounts.size;
}

/** Rounded parts could seem to fit into a limit that they exceed, or the other way round. */
function keepsOrder(format: AmountFormat, { parts, limit }: Comparison): boolean {
  if (limit === null) return true;
  const amounts = [...parts, -limit];
  return Math.sign(sumUsd(amounts)) === Math.sign(sumUsd(amounts.map((usd) => shownUsd(format, usd))));
}

/** The amount that the text stands for. One that is too small to be shown is "<$0.000001". */
function shownUsd(format: AmountFormat, usd: number): number {
  const text = format(Math.abs(usd));
  return text.startsWith('<') ? usd : Math.sign(usd) * Number(text.replace(/[$,]/g, ''));
}
