/** The axes of the charts. Pure. */

const MAX_INTERVALS = 4;
const STEPS = [1, 2, 2.5, 5, 10];
const MAX_DAY_LABELS = 7;

/** A budget more than this many times the highest bar is not drawn: the bars would be too low to compare. */
const MAX_BUDGET_RATIO = 3;

export interface Scale {
  /** The value at the top of the chart. */
  readonly top: number;
  /** From zero to the top. */
  readonly ticks: readonly number[];
  readonly showsBudget: boolean;
}

export function toScale({ max, budget }: { max: number; budget: number | null }): Scale {
  const showsBudget = budget !== null && budget > 0 && budget <= max * MAX_BUDGET_RATIO;
  const highest = Math.max(max, showsBudget ? budget : 0) || 1;
  const step = stepOf(highest);
  const count = Math.ceil(highest / step - 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
  return { top: ticks.at(-1) ?? step, ticks, showsBudget };
}

/** The smallest of 1, 2, 2.5, 5 and 10 times a power of ten that divides the axis into at most four intervals. */
function stepOf(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest / MAX_INTERVALS));
  const factor = STEPS.find((step) => step * power * MAX_INTERVALS >= highest * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** The indexes of the days with a label: evenly spaced, and the last one is today. */
export function labelledDays(count: number): number[] {
  const step = Math.ceil(count / MAX_DAY_LABELS);
  return Array.from({ length: count }, (_, index) => index).filter(
    (index) => (count - 1 - index) % step === 0,
  );
}

/** Where the bar of a day is, in percent of the width of the chart. */
export function barOf(index: number, count: number): { readonly x: number; readonly width: number } {
  const column = 100 / count;
  const width = column * (count <= 7 ? 0.5 : 0.72);
  return { x: index * column + (column - width) / 2, width };
}

/** The middle of the column of a day, in percent. */
export function middleOf(index: number, count: number): number {
  return ((index + 0.5) * 100) / count;
}
