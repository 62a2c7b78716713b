/** Reports spend and tokens from the daily roll-ups, the same counters that budgets are compared with. */

import { type Day, dayOf, firstDayOfLast, firstDayOfMonth, groupByDay, lastDays } from '../domain/period.js';
import { monthlyRunLimit } from '../domain/plan.js';
import type { DenyReason } from '../domain/rules.js';
import {
  NO_PARTS,
  NO_USAGE,
  subtractParts,
  subtractUsage,
  totalTokens,
  type Usage,
  type UsageParts,
} from '../domain/usage.js';
import type {
  DailyUsageRows,
  DayUsage,
  GuardrailEffectQuery,
  GuardrailEffects,
  ModelTotal,
  ModelUsage,
  Store,
  SummaryRows,
  UserUsage,
} from '../store/store.js';
import type { UserSpend } from './user-spend.js';

/** The days of a summary, including today. */
const SUMMARY_DAYS = 30;
/** Users in a summary, most expensive first. */
const MAX_USERS = 1_000;
/** Models in a summary, and models of each day. The others are reported as one sum. */
export const MAX_MODELS = 100;
export const MAX_MODELS_PER_DAY = 50;
/** Days that are read and sent together. Few, so that a report does not delay other requests. */
const DAYS_PER_CHUNK = 16;

export interface CostBreakdown {
  readonly costPicoUsd: bigint;
  readonly totalTokens: bigint;
  readonly runCount: number;
}

export interface UsageSummary {
  readonly today: CostBreakdown;
  readonly last7Days: CostBreakdown;
  readonly last30Days: CostBreakdown;
  readonly byModel: readonly ModelUsage[];
  readonly otherModels: ModelTotal;
  readonly byUser: readonly UserUsage[];
  readonly monthlyRunCount: number;
  readonly monthlyRunLimit: number | null;
  /** Open holds, which count against the budgets of today. */
  readonly heldPicoUsd: bigint;
}

export interface DailyUsage extends CostBreakdown {
  readonly day: Day;
  readonly unpricedTokens: bigint;
  readonly models: readonly ModelUsage[];
  readonly otherModels: ModelTotal;
  readonly denials: ReadonlyMap<DenyReason, number>;
}

export class UsageReport {
  readonly #store: Store;
  readonly #userSpend: UserSpend;

  constructor(store: Store, userSpend: UserSpend) {
    this.#store = store;
    this.#userSpend = userSpend;
  }

  async summary(workspaceId: string): Promise<UsageSummary> {
    const now = await this.#store.now();
    const today = dayOf(now);
    const range = { workspaceId, from: firstDayOfLast(SUMMARY_DAYS, now), to: today };
    let rows: SummaryRows | undefined;
    const byUser = await this.#userSpend.list(
      { workspaceId, now, days: SUMMARY_DAYS, limit: MAX_USERS },
      // Read together with the rest of the summary, so that totals and parts are consistent.
      async ({ from }, maxUsers) => {
        rows = await this.#store.usage.summary({
          range,
          usersFrom: from,
          maxUsers,
          maxModels: MAX_MODELS,
          now,
        });
        return rows.users;
      },
      ({ from, to, costPicoUsd }) => {
        const settled = rows?.days.filter(({ day }) => day >= from && day <= to) ?? [];
        return sumDays(settled).costPicoUsd === costPicoUsd;
      },
    );
    if (rows === undefined) throw new Error('The summary must be read with its users');
    const { days, models, modelTotal, monthlyRunCount, heldPicoUsd } = rows;
    const since = (first: string) => sumDays(days.filter(({ day }) => day >= first));
    return {
      today: since(today),
      last7Days: since(firstDayOfLast(7, now)),
      last30Days: since(range.from),
      byModel: models,
      otherModels: othersOf(modelTotal, models),
      byUser,
      monthlyRunCount,
      monthlyRunLimit: await this.#monthlyRunLimit(workspaceId),
      heldPicoUsd,
    };
  }

  /** What limits would have changed for the runs that started in the last `days` days, including today. */
  async guardrailEffects(
    query: Omit<GuardrailEffectQuery, 'since' | 'now'> & { readonly days: number },
  ): Promise<GuardrailEffects> {
    const { days, ...candidates } = query;
    const now = await this.#store.now();
    const since = Date.parse(firstDayOfLast(days, now));
    return this.#store.usage.guardrailEffects({ ...candidates, since, now });
  }

  /** Yields the last `count` days in chunks, oldest first, including today and days without usage. */
  async *daily(workspaceId: string, count: number): AsyncGenerator<DailyUsage[]> {
    const now = await this.#store.now();
    const days = lastDays(count, now);
    for (let first = 0; first < days.length; first += DAYS_PER_CHUNK) {
      const chunk = days.slice(first, first + DAYS_PER_CHUNK);
      const range = { workspaceId, from: chunk[0] ?? dayOf(now), to: chunk.at(-1) ?? dayOf(now) };
      yield toDailyUsage(chunk, await this.#store.usage.daily(range, { maxModels: MAX_MODELS_PER_DAY }));
    }
  }

  async monthlyRuns(
    workspaceId: string,
  ): Promise<{ monthlyRunCount: number; monthlyRunLimit: number | null }> {
    const now = await this.#store.now();
    const days = await this.#store.usage.listDays({
      workspaceId,
      from: firstDayOfMonth(now),
      to: dayOf(now),
    });
    return {
      monthlyRunCount: sumDays(days).runCount,
      monthlyRunLimit: await this.#monthlyRunLimit(workspaceId),
    };
  }

  async #monthlyRunLimit(workspaceId: string): Promise<number | null> {
    const workspace = await this.#store.workspaces.find(workspaceId);
    return workspace === null ? null : monthlyRunLimit(workspace.plan);
  }
}

function toDailyUsage(days: readonly Day[], rows: DailyUsageRows): DailyUsage[] {
  const usage = groupByDay(rows.days);
  const models = groupByDay(rows.models);
  const totals = new Map(rows.modelTotals.map((total) => [total.day, total]));
  const denials = groupByDay(rows.denials);
  return days.map((day) => {
    const ofDay = usage.get(day) ?? [];
    const modelsOfDay = models.get(day) ?? [];
    return {
      day,
      ...sumDays(ofDay),
      unpricedTokens: ofDay.reduce((sum, entry) => sum + entry.unpricedTokens, 0n),
      models: modelsOfDay,
      otherModels: othersOf(totals.get(day) ?? NO_MODELS, modelsOfDay),
      denials: new Map((denials.get(day) ?? []).map(({ reason, count }) => [reason, count])),
    };
  });
}

const NO_MODELS: ModelTotal = { ...NO_USAGE, ...NO_PARTS, modelCount: 0 };

/** The sum of the models that are not listed. */
function othersOf(total: ModelTotal, listed: readonly ModelUsage[]): ModelTotal {
  const rest = listed.reduce<Usage>(subtractUsage, total);
  const parts = listed.reduce<UsageParts>(subtractParts, total);
  return { ...rest, ...parts, modelCount: total.modelCount - listed.length };
}

function sumDays(days: readonly DayUsage[]): CostBreakdown {
  return days.reduce<CostBreakdown>(
    (sum, day) => ({
      costPicoUsd: sum.costPicoUsd + day.costPicoUsd,
      totalTokens: sum.totalTokens + totalTokens(day),
      runCount: sum.runCount + day.runCount,
    }),
    { costPicoUsd: 0n, totalTokens: 0n, runCount: 0 },
  );
}
