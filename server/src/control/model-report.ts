/** Reports about one model, day by day: what it used, how often it failed and how long it took. */

import { type DurationCounts, NO_BUCKET, percentileMs } from '../domain/duration-buckets.js';
import { type Day, groupByDay, lastDays } from '../domain/period.js';
import { addParts, addUsage, NO_PARTS, NO_USAGE, type Usage, type UsageParts } from '../domain/usage.js';
import type { ModelCalls, ModelDay, Store } from '../store/store.js';

/** Days that are read together. Few, so that a report does not delay other requests: a day has some hundred counts. */
const DAYS_PER_READ = 31;

export interface CallStatistics {
  readonly completedCalls: number;
  readonly failedCalls: number;
  /** Of completed calls with a duration; null without one. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
}

export type ModelStatistics = Usage & UsageParts & CallStatistics;

export interface ModelDetail {
  readonly total: ModelStatistics;
  /** All days, oldest first. */
  readonly days: readonly (ModelStatistics & { readonly day: Day })[];
}

export class ModelReport {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The last `count` days, including today. A model is a name: one that was never called has used nothing. */
  async detail(given: { workspaceId: string; model: string; count: number }): Promise<ModelDetail> {
    const { workspaceId, model, count } = given;
    const days = lastDays(count, await this.#store.now());
    const usage: ModelDay[] = [];
    const calls: ModelCalls[] = [];
    for (let first = 0; first < days.length; first += DAYS_PER_READ) {
      const part = days.slice(first, first + DAYS_PER_READ);
      const rows = await this.#store.usage.ofModel({ workspaceId, model, days: part });
      usage.push(...rows.days);
      calls.push(...rows.calls);
    }
    const usageByDay = new Map(usage.map((entry) => [entry.day, entry]));
    const callsByDay = groupByDay(calls);
    return {
      total: { ...sumOf(usage), ...statisticsOf(calls) },
      days: days.map((day) => ({
        ...(usageByDay.get(day) ?? { ...NO_USAGE, ...NO_PARTS }),
        ...statisticsOf(callsByDay.get(day) ?? []),
        day,
      })),
    };
  }
}

function sumOf(days: readonly ModelDay[]): Usage & UsageParts {
  return {
    ...days.reduce<Usage>(addUsage, NO_USAGE),
    ...days.reduce<UsageParts>(addParts, NO_PARTS),
  };
}

/** A call that failed at once would make a model look fast: durations are those of completed calls. */
function statisticsOf(calls: readonly ModelCalls[]): CallStatistics {
  let completedCalls = 0;
  let failedCalls = 0;
  const durations = new Map<number, number>();
  for (const { status, bucket, callCount } of calls) {
    if (status === 'FAILED') {
      failedCalls += callCount;
      continue;
    }
    completedCalls += callCount;
    if (bucket !== NO_BUCKET) durations.set(bucket, (durations.get(bucket) ?? 0) + callCount);
  }
  const counts: DurationCounts = durations;
  return {
    completedCalls,
    failedCalls,
    medianMs: percentileMs(counts, 0.5),
    p95Ms: percentileMs(counts, 0.95),
  };
}
