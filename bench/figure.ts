/** A figure: a ratio of things measured side by side, its goal, and the absolute values behind it. */

import type { TestContext } from 'vitest';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly goal: Goal;
  /** The absolute values that the ratio is made of, in words. */
  readonly behind: string;
  /** Every value that a median was taken of. */
  readonly samples: Readonly<Record<string, readonly number[]>>;
}

/** null: reported for the reader, without a goal. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number } | null;

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figure[];
  }
}

/** Hands a figure to the reporter, which prints it in the table and writes it to results.json. */
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
