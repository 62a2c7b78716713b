/**
 * What each user has spent in the last days. Days that are over do not change any more, so what they add up to is kept: every
 * open dashboard asks again and again, and with many users adding up a month takes long.
 */

import { type Day, dayOf, firstDayOfLast } from '../domain/period.js';
import { mostExpensiveFirst } from '../domain/usage.js';
import type { UsageStore, UserUsage } from '../store/store.js';

/** Today and yesterday, which a batch that was decided before midnight may still write to. */
const CHANGING_DAYS = 2;
/** What is kept is read again after this time, in case that somebody set a clock back and changed a day that was over. */
const KEPT_MS = 3_600_000;
/** Users and workspaces, all together; some ten megabytes. */
const MAX_KEPT = 100_000;

interface SettledSpend {
  readonly from: Day;
  readonly to: Day;
  readonly readAt: number;
  readonly users: ReadonlyMap<string, UserUsage>;
}

export class UserSpend {
  readonly #usage: UsageStore;
  /** By workspace; the one that was read longest ago comes first. */
  readonly #settled = new Map<string, SettledSpend>();
  #kept = 0;

  constructor(usage: UsageStore) {
    this.#usage = usage;
  }

  /** Of the last `days` days including today, most expensive first. */
  async list(query: { workspaceId: string; now: number; days: number; limit: number }): Promise<UserUsage[]> {
    const { workspaceId, now, days, limit } = query;
    const changing = { workspaceId, from: firstDayOfLast(CHANGING_DAYS, now), to: dayOf(now) };
    const [settled, recent] = await Promise.all([
      this.#readSettled({ workspaceId, now, days }),
      this.#usage.listUsers(changing),
    ]);
    return mostExpensiveFirst(added(settled, recent), ({ userId }) => userId).slice(0, limit);
  }

  async #readSettled(query: {
    workspaceId: string;
    now: number;
    days: number;
  }): Promise<ReadonlyMap<string, UserUsage>> {
    const { workspaceId, now, days } = query;
    const from = firstDayOfLast(days, now);
    const to = firstDayOfLast(CHANGING_DAYS + 1, now);
    const kept = this.#settled.get(workspaceId);
    if (kept?.from === from && kept.to === to && isFresh(kept, now)) return kept.users;
    const found = await this.#usage.listUsers({ workspaceId, from, to });
    const users = new Map(found.map((user) => [user.userId, user]));
    this.#keep(workspaceId, { from, to, readAt: now, users });
    return users;
  }

  #keep(workspaceId: string, spend: SettledSpend): void {
    this.#forget(workspaceId);
    this.#settled.set(workspaceId, spend);
    this.#kept += sizeOf(spend);
    for (const oldest of this.#settled.keys()) {
      if (this.#kept <= MAX_KEPT) return;
      this.#forget(oldest);
    }
  }

  #forget(workspaceId: string): void {
    const spend = this.#settled.get(workspaceId);
    if (spend === undefined) return;
    this.#settled.delete(workspaceId);
    this.#kept -= sizeOf(spend);
  }
}

function sizeOf({ users }: SettledSpend): number {
  return users.size + 1;
}

function isFresh({ readAt }: SettledSpend, now: number): boolean {
  return readAt <= now && now < readAt + KEPT_MS;
}

function added(settled: ReadonlyMap<string, UserUsage>, recent: readonly UserUsage[]): UserUsage[] {
  const users = new Map(settled);
  for (const user of recent) {
    const before = users.get(user.userId);
    users.set(user.userId, before === undefined ? user : addUserUsage(before, user));
  }
  return [...users.values()];
}

function addUserUsage(left: UserUsage, right: UserUsage): UserUsage {
  return {
    userId: left.userId,
    costPicoUsd: left.costPicoUsd + right.costPicoUsd,
    runCount: left.runCount + right.runCount,
  };
}
