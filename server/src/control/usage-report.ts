/** Spend and tokens from the daily roll-ups: the same figures the budgets are checked against. */

import type { DenyReason } from '../domain/decision.js';
import { type Day, dayOf, firstDayOfLast, firstDayOfMonth, lastDays } from '../domain/period.js';
import { monthlyRunLimit } from '../domain/plan.js';
import { totalTokens } from '../domain/usage.js';
import type { DayUsage, ModelUsage, Store, UserUsage } from '../store/store.js';
import { UserSpend } from './user-spend.js';

/** What a summary is about, today included. */
const SUMMARY_DAYS = 30;
/** Users listed by a summary, most expensive first. */
const MAX_USERS = 1_000;

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
  readonly byUser: readonly UserUsage[];
  readonly monthlyRunCount: number;
  readonly monthlyRunLimit: number | null;
}

export interface DailyUsage extends CostBreakdown {
  readonly day: Day;
  readonly unpricedTokens: bigint;
  readonly models: readonly ModelUsage[];
  readonly denials: ReadonlyMap<DenyReason, number>;
}

export class UsageReport {
  readonly #store: Store;
  readonly #userSpend: UserSpend;

  constructor(store: Store) {
    this.#store = store;
    this.#userSpend = new UserSpend(store.usage);
  }

  async summary(workspaceId: string): Promise<UsageSummary> {
    const now = await this.#store.now();
    const today = dayOf(now);
    const range = { workspaceId, from: firstDayOfLast(SUMMARY_DAYS, now), to: today };
    const [days, byModel, byUser, month] = await Promise.all([
      this.#store.usage.listDays(range),
      this.#store.usage.listModels(range),
      this.#userSpend.list({ workspaceId, now, days: SUMMARY_DAYS, limit: MAX_USERS }),
      this.monthlyRuns(workspaceId),
    ]);
    const since = (first: string) => sumDays(days.filter(({ day }) => day >= first));
    return {
      today: since(today),
      last7Days: since(firstDayOfLast(7, now)),
      last30Days: since(range.from),
      byModel,
      byUser,
      ...month,
    };
  }

  /** The last `count` days including today, oldest first, those without usage included. */
  async daily(workspaceId: string, count: number): Promise<DailyUsage[]> {
    const now = await this.#store.now();
    const days = lastDays(count, now);
    const range = { workspaceId, from: days[0] ?? dayOf(now), to: dayOf(now) };
    const [usage, models, denials] = await Promise.all([
      this.#store.usage.listDays(range),
      this.#store.usage.listModelDays(range),
      this.#store.usage.listDenials(range),
    ]);
    return days.map((day) => {
      const ofDay = usage.filter((entry) => entry.day === day);
      return {
        day,
        ...sumDays(ofDay),
        unpricedTokens: ofDay.reduce((sum, entry) => sum + entry.unpricedTokens, 0n),
        models: models.filter((entry) => entry.day === day),
        denials: new Map(
          denials.filter((entry) => entry.day === day).map(({ reason, count }) => [reason, count]),
        ),
      };
    });
  }

  async monthlyRuns(
    workspaceId: string,
  ): Promise<{ monthlyRunCount: number; monthlyRunLimit: number | null }> {
    const now = await this.#store.now();
    const workspace = await this.#store.workspaces.find(workspaceId);
    const days = await this.#store.usage.listDays({
      workspaceId,
      from: firstDayOfMonth(now),
      to: dayOf(now),
    });
    return {
      monthlyRunCount: sumDays(days).runCount,
      monthlyRunLimit: workspace === null ? null : monthlyRunLimit(workspace.plan),
    };
  }
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
