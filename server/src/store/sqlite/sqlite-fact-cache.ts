/**
 * The facts of a batch. What one batch read or wrote is cached for the next, since an agent asks about the same run, user and
 * model again and again: reading them each time was a quarter of the work. SQLite has one writer at a time and tells whether
 * another connection has written since; then everything is read again.
 */

import { type Day, dayOf, firstDayOfMonth } from '../../domain/period.js';
import type { ModelPrice } from '../../domain/price.js';
import { addRunCounts, type RunState } from '../../domain/run.js';
import type { StepState } from '../../domain/step.js';
import { addUsage } from '../../domain/usage.js';
import { picker } from '../columns.js';
import { runsToSettle } from '../due-runs.js';
import type { BatchChanges, BatchFacts, BatchNeeds, ModelUsageToday, UserFacts } from '../store.js';
import { RUN_STATE, STEP_STATE } from '../tables.js';
import {
  loadActiveKey,
  loadDueRuns,
  loadIdempotencyRecord,
  loadModel,
  loadOpenHolds,
  loadRun,
  loadStep,
  loadUser,
  loadWorkspace,
  type ModelFacts,
  UNKNOWN_USER,
  type WorkspaceFacts,
} from './sqlite-batch-facts.js';
import type { SqliteDatabase, SqliteValue } from './sqlite-database.js';

/** Past that the cache is emptied: at full load every few seconds, and reading the facts again takes a few milliseconds. */
const MAX_CACHED = 10_000;

const NO_HOLDS: BatchFacts['openHolds'] = new Map();

interface CachedWorkspace {
  facts: WorkspaceFacts;
  readonly activeKeys: Map<string, true>;
  readonly users: Map<string, UserFacts>;
  readonly models: Map<string, ModelFacts>;
  readonly runs: Map<string, RunState>;
  readonly steps: Map<string, StepState>;
}

export class SqliteFactCache {
  readonly #database: SqliteDatabase;
  readonly #workspaces = new Map<string, CachedWorkspace>();
  #size = 0;
  #day: Day | null = null;
  /** Changes when another connection has written. */
  #dataVersion: SqliteValue | undefined;
  /** Grows when this connection writes. */
  #ownChanges: SqliteValue | undefined;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Call it first in a transaction that has the write lock. */
  forgetOutdated(now: number): void {
    const day = dayOf(now);
    const dataVersion = this.#database.get('PRAGMA data_version')?.['data_version'];
    const isOutdated =
      day !== this.#day || dataVersion !== this.#dataVersion || this.#countOwnChanges() !== this.#ownChanges;
    if (isOutdated || this.#size > MAX_CACHED) this.forget();
    this.#day = day;
    this.#dataVersion = dataVersion;
  }

  forget(): void {
    this.#workspaces.clear();
    this.#size = 0;
  }

  load(needs: BatchNeeds, now: number): BatchFacts {
    const database = this.#database;
    const { workspaceId } = needs;
    const day = dayOf(now);
    const cached = this.#workspace(workspaceId, now);
    const activeKeys = this.#findAll(cached.activeKeys, needs.apiKeyIds, (id) =>
      loadActiveKey(database, workspaceId, id),
    );
    const runs = this.#findAll(cached.runs, needs.runIds, (id) => loadRun(database, workspaceId, id));
    const steps = new Map<string, StepState>();
    for (const { runId, stepId } of needs.steps) {
      const found = cached.steps.get(stepId);
      const step = found?.runId === runId ? found : loadStep(database, workspaceId, runId, stepId);
      if (step === undefined) continue;
      if (step !== found) this.#set(cached.steps, stepId, step);
      steps.set(stepId, step);
    }
    const userIds = new Set(needs.startingUserIds);
    for (const run of runs.values()) userIds.add(run.userId);
    const users = this.#findAll(
      cached.users,
      userIds,
      (id) => loadUser(database, workspaceId, id, day) ?? UNKNOWN_USER,
    );
    const prices = new Map<string, ModelPrice>();
    const modelUsageToday = new Map<string, ModelUsageToday>();
    const models = new Set(needs.models);
    for (const { model } of steps.values()) if (model !== null) models.add(model);
    for (const model of models) {
      const facts = this.#find(cached.models, model, () => loadModel(database, workspaceId, model, day));
      if (facts === undefined) continue;
      if (facts.price !== null) prices.set(model, facts.price);
      modelUsageToday.set(model, facts.today);
    }
    // Not cached: a key is rarely sent again.
    const idempotencyRecords = this.#findAll(null, needs.idempotencyKeyHashes, (hash) =>
      loadIdempotencyRecord(database, workspaceId, hash),
    );
    const dueRuns = isReached(cached.facts.nextDueAt, now) ? loadDueRuns(database, workspaceId, now) : null;
    const { endingRunIds } = needs;
    const settled = runsToSettle({ runs, endingRunIds, dueRuns }, now);
    const openHolds =
      settled.length === 0
        ? NO_HOLDS
        : new Map(settled.map(({ id }) => [id, loadOpenHolds(database, workspaceId, id)]));
    return {
      now,
      dueRuns,
      openHolds,
      activeApiKeyIds: new Set(activeKeys.keys()),
      users,
      runs,
      steps,
      prices,
      modelUsageToday,
      idempotencyRecords,
      ...cached.facts,
    };
  }

  /** Applies what the transaction has written; call `forget` if it is rolled back. */
  keep(written: readonly BatchChanges[]): void {
    for (const changes of written) this.#keepChanges(changes);
    this.#ownChanges = this.#countOwnChanges();
  }

  #workspace(workspaceId: string, now: number): CachedWorkspace {
    const found = this.#workspaces.get(workspaceId);
    if (found !== undefined) return found;
    const facts = loadWorkspace(this.#database, workspaceId, firstDayOfMonth(now), dayOf(now));
    if (facts === undefined) throw new Error(`Workspace ${workspaceId} does not exist`);
    const loaded: CachedWorkspace = {
      facts,
      activeKeys: new Map(),
      users: new Map(),
      models: new Map(),
      runs: new Map(),
      steps: new Map(),
    };
    this.#set(this.#workspaces, workspaceId, loaded);
    return loaded;
  }

  /** What is not cached is read when it is needed: runs and steps that are over rarely are. */
  #keepChanges(changes: BatchChanges): void {
    const cached = this.#workspaces.get(changes.workspaceId);
    if (cached === undefined) return;
    const { facts } = cached;
    cached.facts = {
      workspace: facts.workspace,
      runCounts: addRunCounts(facts.runCounts, changes.runCounts),
      nextDueAt: changes.nextDueAt,
      heldPicoUsd: facts.heldPicoUsd + changes.heldPicoUsd,
      monthlyRunCount: facts.monthlyRunCount + changes.startedRuns,
      usageToday: addUsage(facts.usageToday, changes.usage),
    };
    for (const run of changes.newRuns) this.#set(cached.runs, run.id, toRunState(run));
    for (const run of changes.changedRuns) {
      if (run.status === 'RUNNING') this.#set(cached.runs, run.id, run);
      else this.#delete(cached.runs, run.id);
    }
    for (const run of changes.postponedRuns) this.#set(cached.runs, run.id, run);
    for (const step of changes.newSteps) this.#set(cached.steps, step.id, toStepState(step));
    for (const step of changes.changedSteps) {
      if (step.status === 'ALLOWED') this.#set(cached.steps, step.id, toStepState(step));
      else this.#delete(cached.steps, step.id);
    }
    for (const [userId, { usage, heldPicoUsd }] of changes.users) {
      const user = cached.users.get(userId);
      if (user === undefined) continue;
      this.#set(cached.users, userId, {
        blocked: user.blocked,
        usageToday: addUsage(user.usageToday, usage),
        heldPicoUsd: user.heldPicoUsd + heldPicoUsd,
      });
    }
    for (const [model, { usage, parts }] of changes.models) {
      const facts = cached.models.get(model);
      if (facts === undefined) continue;
      const { price, today } = facts;
      const savedPicoUsd = today.savedPicoUsd + (parts?.cacheSavedPicoUsd ?? 0n);
      this.#set(cached.models, model, {
        price,
        today: { usage: addUsage(today.usage, usage), savedPicoUsd },
      });
    }
  }

  /** Those that exist. */
  #findAll<Facts>(
    cached: Map<string, Facts> | null,
    keys: Iterable<string>,
    load: (key: string) => Facts | undefined,
  ): Map<string, Facts> {
    const found = new Map<string, Facts>();
    for (const key of keys) {
      const facts = cached === null ? load(key) : this.#find(cached, key, () => load(key));
      if (facts !== undefined) found.set(key, facts);
    }
    return found;
  }

  #find<Facts>(cached: Map<string, Facts>, key: string, load: () => Facts | undefined): Facts | undefined {
    const found = cached.get(key);
    if (found !== undefined) return found;
    const loaded = load();
    if (loaded !== undefined) this.#set(cached, key, loaded);
    return loaded;
  }

  #set<Facts>(cached: Map<string, Facts>, key: string, facts: Facts): void {
    if (!cached.has(key)) this.#size += 1;
    cached.set(key, facts);
  }

  #delete(cached: Map<string, unknown>, key: string): void {
    if (cached.delete(key)) this.#size -= 1;
  }

  #countOwnChanges(): SqliteValue | undefined {
    return this.#database.get('SELECT total_changes() AS total_changes')?.['total_changes'];
  }
}

function isReached(time: number | null, now: number): boolean {
  return time !== null && time <= now;
}

/** Without what is large. */
const toRunState = picker(RUN_STATE);
const toStepState = picker(STEP_STATE);
