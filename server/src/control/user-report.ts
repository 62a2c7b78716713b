/** Reports about users: in the order of their spend, and one of them day by day. */

import { type Day, dayOf, firstDayOfLast, lastDays } from '../domain/period.js';
import { NO_USAGE, subtractUsage, type Usage } from '../domain/usage.js';
import { RECENT_DAYS, type User, unknownUser } from '../domain/user.js';
import type { DayUsage, Page, Store, UserCalls, UserQuery, UserUsageRows } from '../store/store.js';
import type { UserSpend } from './user-spend.js';

/** Users in the order of their spend: enough to find who spends most, and a list that can be made for each request. */
export const MAX_RANKED_USERS = 1_000;
/** Models of a user, most expensive first. The others are reported as one sum. */
export const MAX_MODELS_OF_USER = 100;

export interface UserDetail {
  readonly user: User;
  /** All days, oldest first. */
  readonly days: readonly DayUsage[];
  readonly models: UserUsageRows['models'];
  readonly otherModels: UserUsageRows['modelTotal'];
  readonly denials: UserUsageRows['denials'];
}

export class UserReport {
  readonly #store: Store;
  readonly #userSpend: UserSpend;

  constructor(store: Store, userSpend: UserSpend) {
    this.#store = store;
    this.#userSpend = userSpend;
  }

  /** Users by what they spent in the last 30 days, most expensive first. The query selects among the first MAX_RANKED_USERS. */
  async listBySpend(query: UserQuery): Promise<Page<User>> {
    const { workspaceId, blocked, prefix = '', offset, limit } = query;
    const ranked = (await this.#rank(workspaceId)).filter((userId) => userId.startsWith(prefix));
    const userIds = blocked === null ? ranked : await this.#selectBlocked(workspaceId, ranked, blocked);
    const page = userIds.slice(offset, offset + limit);
    if (page.length === 0) return { items: [], total: userIds.length };
    const users = await this.#store.users.listNamed({ workspaceId, userIds: page });
    const byId = new Map(users.map((user) => [user.userId, user]));
    return { items: page.map((userId) => byId.get(userId) ?? unknownUser(userId)), total: userIds.length };
  }

  /** The last `count` days, including today. A user is a name: one that was never seen has used nothing. */
  async detail(given: { workspaceId: string; userId: string; count: number }): Promise<UserDetail> {
    const { workspaceId, userId, count } = given;
    const days = lastDays(count, await this.#store.now());
    const user = await this.#store.users.find({ workspaceId, userId });
    const query = { workspaceId, userId, days, maxModels: MAX_MODELS_OF_USER };
    const rows = await this.#store.usage.ofUser(query);
    return {
      user: user ?? unknownUser(userId),
      days: everyDay(days, rows.days),
      models: rows.models,
      otherModels: othersOf(rows),
      denials: rows.denials,
    };
  }

  async #rank(workspaceId: string): Promise<string[]> {
    const now = await this.#store.now();
    const range = { workspaceId, from: firstDayOfLast(RECENT_DAYS, now), to: dayOf(now) };
    const days = await this.#store.usage.listDays(range);
    const users = await this.#userSpend.list(
      { workspaceId, now, days: RECENT_DAYS, limit: MAX_RANKED_USERS },
      undefined,
      ({ from, to, costPicoUsd }) => {
        const settled = days.filter(({ day }) => day >= from && day <= to);
        return settled.reduce((sum, day) => sum + day.costPicoUsd, 0n) === costPicoUsd;
      },
    );
    return users.map(({ userId }) => userId);
  }

  async #selectBlocked(workspaceId: string, userIds: readonly string[], blocked: boolean): Promise<string[]> {
    if (userIds.length === 0) return [];
    const found = new Set(await this.#store.users.findBlocked({ workspaceId, userIds }));
    return userIds.filter((userId) => found.has(userId) === blocked);
  }
}

function everyDay(days: readonly Day[], used: readonly DayUsage[]): DayUsage[] {
  const byDay = new Map(used.map((usage) => [usage.day, usage]));
  return days.map((day) => byDay.get(day) ?? { day, runCount: 0, ...NO_USAGE });
}

/** The sum of the models that are not listed. */
function othersOf({ models, modelTotal }: UserUsageRows): UserUsageRows['modelTotal'] {
  const usage = models.reduce<Usage>(subtractUsage, modelTotal);
  const callCount = models.reduce(
    (rest: number, model: UserCalls) => rest - model.callCount,
    modelTotal.callCount,
  );
  return { ...usage, callCount, modelCount: modelTotal.modelCount - models.length };
}
