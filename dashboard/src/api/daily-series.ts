/** Derives the data of charts and notices from the daily usage. Pure. */

import type { Schemas } from './api-client.ts';

type DailyUsage = Schemas['DailyUsage'];

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
      const others = by_model
        .filter(({ model }) => !named.includes(model))
        .reduce((sum, entry) => sum + entry.total_usd, 0);
      return { day, totalUsd: total_usd, usdByModel: [...named.map(usdOf), ...(hasOthers ? [others] : [])] };
    }),
    totalUsd: days.reduce((sum, { total_usd }) => sum + total_usd, 0),
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
    tokens: days.reduce((sum, { unpriced_tokens }) => sum + unpriced_tokens, 0),
    models: [...byModel]
      .map(([model, tokens]) => ({ model, tokens }))
      .sort((left, right) => right.tokens - left.tokens),
  };
}

export interface Denials {
  readonly total: number;
  readonly reasons: DailyUsage['denials'];
}

export function toDenials({ denials }: Pick<DailyUsage, 'denials'>): Denials {
  return {
    total: denials.reduce((sum, { count }) => sum + count, 0),
    reasons: [...denials].sort((left, right) => right.count - left.count),
  };
}
