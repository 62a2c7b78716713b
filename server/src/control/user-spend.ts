/**
 * What each user has spent in the last days. Days that are over do not change any more, so what they add up to is cached:
 * every open dashboard asks again and again, and with many users adding up a month takes long.
 */

import { type Day, dayOf, firstDayOfLast } from '../domain/period.js';
import { mostExpensiveFirst } from '../domain/usage.js';
import type { UsageRange, UsageStore, UserUsage } from '../store/store.js';

/** After midnight: a batch that was decided before it may still be on its way. */
const SETTLING_MS = 3_600_000;
/** What is kept is read again after this time: a day that is over may have been restored from a backup. */
const KEPT_MS = 3_600_000;
/** With more users than this the database adds up all days each time: here it would hold up the requests of others. */
const MAX_USERS_OF_WORKSPACE = 2_000;
/** Users and workspaces, all together; less than ten megabytes. */
const MAX_KEPT = 50_000;

export interface UserSpendQuery {
  readonly workspaceId: string;
  readonly now: number;
  /** Today included; more than two. */
  readonly days: number;
  readonly limit: number;
}

/** The users of a range of days, most expensive first, at most `limit`. */
export type ReadUsers = (range: UsageRange, limit: number) => Promise<readonly UserUsage[]>;

/** By user, most expensive first; null when there are too many. */
type SpendByUser = ReadonlyMap<string, UserUsage> | null;

interface SettledSpend {
  readonly from: Day;
  readonly to: Day;
  readonly readAt: number;
  readonly users: SpendByUser;
}

export class UserSpend {
  readonly #usage: UsageStore;
  /** By workspace; the one that was read longest ago comes first. */
  readonly #settled = new Map<string, SettledSpend>();
  #kept = 0;

  constructor(usage: UsageStore) {
    this.#usage = usage;
  }

  /**
   * Most expensive first. `readUsers` reads the days that still change, or all of them: what it read last is what the list
   * is made of.
   */
  async list(
    query: UserSpendQuery,
    readUsers: ReadUsers = (range, limit) => this.#usage.listUsers(range, limit),
  ): Promise<readonly UserUsage[]> {
    const { workspaceId, now, days, limit } = query;
    const settled = await this.#settledSpend(query);
    const changing = { workspaceId, from: dayOf(now - SETTLING_MS), to: dayOf(now) };
    const recent = settled === null ? null : await this.#read(changing, readUsers);
    return settled === null || recent === null
      ? readUsers({ ...changing, from: firstDayOfLast(days, now) }, limit)
      : mostExpensiveOf({ settled, recent, limit });
  }

  /** Of the days that are over. */
  async #settledSpend({ workspaceId, now, days }: UserSpendQuery): Promise<SpendByUser> {
    const from = firstDayOfLast(days, now);
    const to = firstDayOfLast(2, now - SETTLING_MS);
    const kept = this.#settled.get(workspaceId);
    if (kept?.from === from && kept.to === to && isFresh(kept, now)) return kept.users;
    const users = await this.#read({ workspaceId, from, to }, (range, limit) =>
      this.#usage.listUsers(range, limit),
    );
    this.#keep(workspaceId, { from, to, readAt: now, users });
    return users;
  }

  async #read(range: UsageRange, readUsers: ReadUsers): Promise<SpendByUser> {
    const users = await readUsers(range, MAX_USERS_OF_WORKSPACE + 1);
    return users.length > MAX_USERS_OF_WORKSPACE ? null : new Map(users.map((user) => [user.userId, user]));
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
  return (users?.size ?? 0) + 1;
}

function isFresh({ readAt }: SettledSpend, now: number): boolean {
  return readAt <= now && now < readAt + KEPT_MS;
}

/** Users without recent usage keep their settled rank, so of those the first ones are enough. */
function mostExpensiveOf(given: {
  settled: ReadonlyMap<string, UserUsage>;
  recent: ReadonlyMap<string, UserUsage>;
  limit: number;
}): UserUsage[] {
  const { settled, recent, limit } = given;
  const candidates = Array.from(recent.values(), (user) => addUserUsage(user, settled.get(user.userId)));
  const enough = candidates.length + limit;
  for (const user of settled.values()) {
    if (candidates.length === enough) break;
    if (!recent.has(user.userId)) candidates.push(user);
  }
  return mostExpensiveFirst(candidates, ({ userId }) => userId).slice(0, limit);
}

function addUserUsage(left: UserUsage, right: UserUsage | undefined): UserUsage {
  if (right === undefined) return left;
  return {
    userId: left.userId,
    costPicoUsd: left.costPicoUsd + right.costPicoUsd,
    runCount: left.runCount + right.runCount,
  };
}
