/** A figure: a ratio of things measured in the same run, its goal, and the absolute values. */

import type { TestContext } from 'vitest';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly goal: Goal;
  /** The absolute values of the ratio, as text. */
  readonly behind: string;
  /** All values behind the medians. */
  readonly samples: Readonly<Record<string, readonly number[]>>;
}

/** null: reported without a goal. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number } | null;

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figure[];
  }
}

/** Passes a figure to the reporter, which prints it in the table and writes it to results.json. */
export function recordFigure({ task }: Pick<TestContext, 'task'>, figure: Figure): void {
  task.meta.figures = [...(task.meta.figures ?? []), figure];
}

export function isReached({ value, goal }: Figure): boolean | null {
  if (goal === null) return null;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

export function median(values: Iterable<number>): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The median of the ratios of each round: a machine that is slow for a few rounds affects both sides of their ratios. */
export function medianRatio(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}
