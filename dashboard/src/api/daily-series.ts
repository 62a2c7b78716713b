/** Derives the data of charts and notices from the daily usage. Pure. */

import { withoutRoundingError } from '../format/money.ts';
import type { Schemas } from './api-client.ts';

type DailyUsage = Schemas['DailyUsage'];
type DenyReason = Schemas['DenyReason'];

const MODELS_SHOWN = 5;
export const OTHER_MODELS = 'Other models';

export interface SpendSeries {
  /** Most expensive first. Beyond six models, the top five are followed by a total of the others. */
  readonly models: readonly string[];
  readonly rows: readonly SpendRow[];
  readonly totalUsd: number;
}

export interface SpendRow {
  readonly day: string;
  readonly totalUsd: number;
  /** In the order of `models`. */
  readonly usdByModel: readonly number[];
}

export function toSpendSeries(days: readonly DailyUsage[]): SpendSeries {
  const totals = new Map<string, number>();
  for (const { model, total_usd } of days.flatMap((day) => day.by_model)) {
    totals.set(model, (totals.get(model) ?? 0) + total_usd);
  }
  const ranked = [...totals]
    .filter(([, usd]) => usd > 0)
    .sort(([, left], [, right]) => right - left)
    .map(([model]) => model);
  const named = ranked.slice(0, ranked.length > MODELS_SHOWN + 1 ? MODELS_SHOWN : MODELS_SHOWN + 1);
  const hasOthers = ranked.length > named.length;
  return {
    models: hasOthers ? [...named, OTHER_MODELS] : named,
    rows: days.map(({ day, total_usd, by_model }) => {
      const usdOf = (model: string) => by_model.find((entry) => entry.model === model)?.total_usd ?? 0;
      const unnamed = by_model.filter(({ model }) => !named.includes(model));
      const others = sum(unnamed.map((entry) => entry.total_usd));
      return { day, totalUsd: total_usd, usdByModel: [...named.map(usdOf), ...(hasOthers ? [others] : [])] };
    }),
    totalUsd: sum(days.map(({ total_usd }) => total_usd)),
  };
}

export interface UnpricedUsage {
  readonly tokens: number;
  /** Most tokens first. Tokens reported without a model are not included. */
  readonly models: readonly { readonly model: string; readonly tokens: number }[];
}

export function toUnpricedUsage(days: readonly DailyUsage[]): UnpricedUsage {
  const byModel = new Map<string, number>();
  for (const { model, unpriced_tokens } of days.flatMap((day) => day.by_model)) {
    if (unpriced_tokens > 0) byModel.set(model, (byModel.get(model) ?? 0) + unpriced_tokens);
  }
  return {
    tokens: sum(days.map(({ unpriced_tokens }) => unpriced_tokens)),
    models: [...byModel]
      .map(([model, tokens]) => ({ model, tokens }))
      .sort((left, right) => right.tokens - left.tokens),
  };
}

type ModelCost = Schemas['DailyModelCost'];

/** The usage of each model, most expensive first. A model is missing on days with many models that cost more. */
export function toModelUsage(days: readonly DailyUsage[]): ModelCost[] {
  const byModel = new Map<string, ModelCost>();
  for (const entry of days.flatMap((day) => day.by_model)) {
    const sum = byModel.get(entry.model);
    byModel.set(entry.model, sum === undefined ? entry : addModelCosts(sum, entry));
  }
  return [...byModel.values()].sort((left, right) => right.total_usd - left.total_usd);
}

function addModelCosts(left: ModelCost, right: ModelCost): ModelCost {
  return {
    model: left.model,
    total_usd: withoutRoundingError(left.total_usd + right.total_usd),
    prompt_tokens: left.prompt_tokens + right.prompt_tokens,
    completion_tokens: left.completion_tokens + right.completion_tokens,
    unpriced_tokens: left.unpriced_tokens + right.unpriced_tokens,
    cache_read_tokens: left.cache_read_tokens + right.cache_read_tokens,
    cache_write_tokens: left.cache_write_tokens + right.cache_write_tokens,
    reasoning_tokens: left.reasoning_tokens + right.reasoning_tokens,
    cache_saved_usd: withoutRoundingError(left.cache_saved_usd + right.cache_saved_usd),
  };
}

export interface DenialSeries {
  /** Oldest first. */
  readonly days: readonly { readonly day: string; readonly total: number }[];
  /** Most frequent first. */
  readonly reasons: readonly DenialRow[];
  readonly total: number;
}

export interface DenialRow {
  readonly reason: DenyReason;
  readonly total: number;
  /** In the order of `days`. */
  readonly counts: readonly number[];
}

export function toDenialSeries(days: readonly Pick<DailyUsage, 'day' | 'denials'>[]): DenialSeries {
  const countsOf = new Map<DenyReason, number[]>();
  days.forEach(({ denials }, index) => {
    for (const { reason, count } of denials) {
      const counts = countsOf.get(reason) ?? days.map(() => 0);
      counts[index] = count;
      countsOf.set(reason, counts);
    }
  });
  const reasons = [...countsOf]
    .map(([reason, counts]) => ({ reason, counts, total: sum(counts) }))
    .sort((left, right) => right.total - left.total);
  return {
    days: days.map(({ day, denials }) => ({ day, total: countOf(denials) })),
    reasons,
    total: sum(reasons.map(({ total }) => total)),
  };
}

function countOf(denials: DailyUsage['denials']): number {
  return sum(denials.map(({ count }) => count));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export interface Denials {
  readonly total: number;
  readonly reasons: DailyUsage['denials'];
}

export function toDenials({ denials }: Pick<DailyUsage, 'denials'>): Denials {
  return {
    total: countOf(denials),
    reasons: [...denials].sort((left, right) => right.count - left.count),
  };
}
