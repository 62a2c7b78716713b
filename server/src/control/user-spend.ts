/**
 * The spend of each user over the last days. Past days rarely change, so their sum is cached: every open dashboard polls this
 * report, and summing a month of many users is slow.
 */

import { type Day, dayOf, firstDayOfLast } from '../domain/period.js';
import { mostExpensiveFirst } from '../domain/usage.js';
import type { UsageRange, UsageStore, UserUsage } from '../store/store.js';

/** A day settles this long after midnight: a batch that was decided before midnight may commit after it. */
const SETTLING_MS = 3_600_000;
/** Cached sums expire, because a restored backup can change past days. */
const CACHE_TTL_MS = 3_600_000;
/** With more users than this, the database sums all days each time: summing here would delay other requests. */
const MAX_USERS_OF_WORKSPACE = 2_000;
/** Users and workspaces in the cache together; less than ten megabytes. */
const MAX_CACHE_SIZE = 50_000;

export interface UserSpendQuery {
  readonly workspaceId: string;
  readonly now: number;
  /** Including today; more than two. */
  readonly days: number;
  readonly limit: number;
}

/** Reads the users of a range of days, most expensive first, at most `limit`. */
export type ReadUsers = (range: UsageRange, limit: number) => Promise<readonly UserUsage[]>;

/** Whether the days from `from` to `to` together cost so much: a late report may change a day that is over. */
export type IsCurrent = (settled: { from: Day; to: Day; costPicoUsd: bigint }) => boolean;

/** By user, most expensive first; null when there are too many users. */
type SpendByUser = ReadonlyMap<string, UserUsage> | null;

interface SettledSpend {
  readonly from: Day;
  readonly to: Day;
  readonly readAt: number;
  readonly users: SpendByUser;
}

export class UserSpend {
  readonly #usage: UsageStore;
  /** By workspace, oldest entry first. */
  readonly #settled = new Map<string, SettledSpend>();
  #cacheSize = 0;

  constructor(usage: UsageStore) {
    this.#usage = usage;
  }

  /**
   * Lists users, most expensive first. `readUsers` reads the days that still change or, when there are too many users, all
   * days; the list is built from its last result.
   */
  async list(
    query: UserSpendQuery,
    readUsers: ReadUsers = (range, limit) => this.#usage.listUsers(range, limit),
    isCurrent: IsCurrent = () => true,
  ): Promise<readonly UserUsage[]> {
    const { workspaceId, now, days, limit } = query;
    const { users: settled, from, to } = await this.#settledSpend(query);
    const changing = { workspaceId, from: dayOf(now - SETTLING_MS), to: dayOf(now) };
    const recent = settled === null ? null : await this.#read(changing, readUsers);
    if (settled !== null && recent !== null && isCurrent({ from, to, costPicoUsd: costOf(settled) }))
      return mostExpensiveOf({ settled, recent, limit });
    if (settled !== null && recent !== null) this.#evict(workspaceId);
    return readUsers({ ...changing, from: firstDayOfLast(days, now) }, limit);
  }

  /** The spend of the settled days. */
  async #settledSpend({ workspaceId, now, days }: UserSpendQuery): Promise<SettledSpend> {
    const from = firstDayOfLast(days, now);
    const to = firstDayOfLast(2, now - SETTLING_MS);
    const cached = this.#settled.get(workspaceId);
    if (cached?.from === from && cached.to === to && isFresh(cached, now)) return cached;
    const users = await this.#read({ workspaceId, from, to }, (range, limit) =>
      this.#usage.listUsers(range, limit),
    );
    const settled = { from, to, readAt: now, users };
    this.#cache(workspaceId, settled);
    return settled;
  }

  async #read(range: UsageRange, readUsers: ReadUsers): Promise<SpendByUser> {
    const users = await readUsers(range, MAX_USERS_OF_WORKSPACE + 1);
    return users.length > MAX_USERS_OF_WORKSPACE ? null : new Map(users.map((user) => [user.userId, user]));
  }

  #cache(workspaceId: string, spend: SettledSpend): void {
    this.#evict(workspaceId);
    this.#settled.set(workspaceId, spend);
    this.#cacheSize += sizeOf(spend);
    for (const oldest of this.#settled.keys()) {
      if (this.#cacheSize <= MAX_CACHE_SIZE) return;
      this.#evict(oldest);
    }
  }

  #evict(workspaceId: string): void {
    const spend = this.#settled.get(workspaceId);
    if (spend === undefined) return;
    this.#settled.delete(workspaceId);
    this.#cacheSize -= sizeOf(spend);
  }
}

function costOf(users: ReadonlyMap<string, UserUsage>): bigint {
  let total = 0n;
  for (const { costPicoUsd } of users.values()) total += costPicoUsd;
  return total;
}

function sizeOf({ users }: SettledSpend): number {
  return (users?.size ?? 0) + 1;
}

function isFresh({ readAt }: SettledSpend, now: number): boolean {
  return readAt <= now && now < readAt + CACHE_TTL_MS;
}

/** Users without recent usage keep their settled rank, so only the first `limit` of them are candidates. */
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
