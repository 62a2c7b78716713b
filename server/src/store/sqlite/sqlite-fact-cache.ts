/**
 * The facts of a batch. What one batch read or wrote is kept for the next, since an agent asks about the same run, user and
 * model again and again: reading them anew was a quarter of the work. SQLite has one writer at a time and tells whether
 * anybody else has written since; then everything is read again.
 */

import type { IdempotencyRecord } from '../../domain/idempotency.js';
import { type Day, dayOf } from '../../domain/period.js';
import type { ModelPrice } from '../../domain/price.js';
import { addRunCounts, type RunState } from '../../domain/run.js';
import type { StepState } from '../../domain/step.js';
import { addUsage, type Usage } from '../../domain/usage.js';
import { picker } from '../columns.js';
import type { BatchChanges, BatchFacts, BatchNeeds, UserFacts } from '../store.js';
import { RUN_STATE, STEP_STATE } from '../tables.js';
import {
  findIdempotencyRecord,
  isActiveKey,
  loadModel,
  loadRun,
  loadStep,
  loadUser,
  loadWorkspace,
  type ModelFacts,
  type WorkspaceFacts,
} from './sqlite-batch-facts.js';
import type { SqliteDatabase, SqliteValue } from './sqlite-database.js';

/** Then all are forgotten: at full load that is every few seconds, and reading them again takes a few milliseconds. */
const MAX_KEPT = 10_000;

interface CachedWorkspace {
  facts: WorkspaceFacts;
  readonly apiKeys: Map<string, boolean>;
  readonly users: Map<string, UserFacts>;
  readonly models: Map<string, ModelFacts>;
  readonly runs: Map<string, RunState>;
  readonly steps: Map<string, StepState>;
}

export class SqliteFactCache {
  readonly #database: SqliteDatabase;
  readonly #workspaces = new Map<string, CachedWorkspace>();
  #kept = 0;
  #day: Day | null = null;
  /** Changes when another connection has written. */
  #dataVersion: SqliteValue | undefined;
  /** Grows when this connection writes. */
  #ownChanges: SqliteValue | undefined;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** To be called first in a transaction that holds the write lock. */
  forgetOutdated(now: number): void {
    const day = dayOf(now);
    const dataVersion = this.#database.get('PRAGMA data_version')?.['data_version'];
    const isOutdated =
      day !== this.#day || dataVersion !== this.#dataVersion || this.#countOwnChanges() !== this.#ownChanges;
    if (isOutdated || this.#kept > MAX_KEPT) this.forget();
    this.#day = day;
    this.#dataVersion = dataVersion;
  }

  forget(): void {
    this.#workspaces.clear();
    this.#kept = 0;
  }

  load(needs: BatchNeeds, now: number): BatchFacts {
    const { workspaceId } = needs;
    const day = dayOf(now);
    const known = this.#workspace(workspaceId, now);
    const activeApiKeyIds = new Set<string>();
    for (const id of needs.apiKeyIds) {
      if (this.#find(known.apiKeys, id, () => isActiveKey(this.#database, { workspaceId, apiKeyId: id })))
        activeApiKeyIds.add(id);
    }
    const runs = this.#runs(known, needs);
    const steps = this.#steps(known, needs);
    const userIds = new Set(needs.startingUserIds);
    for (const run of runs.values()) userIds.add(run.userId);
    const users = new Map<string, UserFacts>();
    for (const userId of userIds) {
      const load = () => loadUser(this.#database, { workspaceId, userId, day });
      users.set(userId, this.#find(known.users, userId, load));
    }
    const prices = new Map<string, ModelPrice>();
    const modelUsageToday = new Map<string, Usage>();
    for (const { model } of steps.values()) {
      if (model === null) continue;
      const load = () => loadModel(this.#database, { workspaceId, model, day });
      const { price, usageToday } = this.#find(known.models, model, load);
      if (price !== null) prices.set(model, price);
      modelUsageToday.set(model, usageToday);
    }
    return {
      now,
      ...known.facts,
      activeApiKeyIds,
      users,
      runs,
      steps,
      prices,
      modelUsageToday,
      idempotencyRecords: this.#idempotencyRecords(needs),
    };
  }

  /** What the transaction has written, which is undone together with it. */
  keep(written: readonly BatchChanges[]): void {
    for (const changes of written) this.#keepChanges(changes);
    this.#ownChanges = this.#countOwnChanges();
  }

  #workspace(workspaceId: string, now: number): CachedWorkspace {
    return this.#find(this.#workspaces, workspaceId, () => ({
      facts: loadWorkspace(this.#database, { workspaceId, now }),
      apiKeys: new Map(),
      users: new Map(),
      models: new Map(),
      runs: new Map(),
      steps: new Map(),
    }));
  }

  #runs(known: CachedWorkspace, { workspaceId, runIds }: BatchNeeds): Map<string, RunState> {
    const runs = new Map<string, RunState>();
    for (const runId of runIds) {
      const kept = known.runs.get(runId);
      const run = kept ?? loadRun(this.#database, { workspaceId, runId });
      if (run === undefined) continue;
      if (run !== kept) this.#set(known.runs, runId, run);
      runs.set(runId, run);
    }
    return runs;
  }

  #steps(known: CachedWorkspace, { workspaceId, steps: keys }: BatchNeeds): Map<string, StepState> {
    const steps = new Map<string, StepState>();
    for (const { runId, stepId } of keys) {
      const kept = known.steps.get(stepId);
      const step = kept?.runId === runId ? kept : loadStep(this.#database, { workspaceId, runId, stepId });
      if (step === undefined) continue;
      if (step !== kept) this.#set(known.steps, stepId, step);
      steps.set(stepId, step);
    }
    return steps;
  }

  #idempotencyRecords({ workspaceId, idempotencyKeyHashes }: BatchNeeds): Map<string, IdempotencyRecord> {
    const records = new Map<string, IdempotencyRecord>();
    for (const keyHash of idempotencyKeyHashes) {
      const record = findIdempotencyRecord(this.#database, { workspaceId, keyHash });
      if (record !== undefined) records.set(keyHash, record);
    }
    return records;
  }

  #keepChanges(changes: BatchChanges): void {
    const known = this.#workspaces.get(changes.workspaceId);
    if (known === undefined) return;
    const { facts } = known;
    known.facts = {
      workspace: facts.workspace,
      runCounts: addRunCounts(facts.runCounts, changes.runCounts),
      monthlyRunCount: facts.monthlyRunCount + changes.startedRuns,
      usageToday: addUsage(facts.usageToday, changes.usage),
    };
    for (const run of changes.newRuns) this.#set(known.runs, run.id, toRunState(run));
    for (const run of changes.changedRuns) this.#set(known.runs, run.id, run);
    for (const step of changes.newSteps) this.#set(known.steps, step.id, toStepState(step));
    for (const step of changes.reportedSteps) this.#set(known.steps, step.id, toStepState(step));
    for (const [userId, { usage }] of changes.users) this.#addUsage(known.users, userId, usage);
    for (const [model, { usage }] of changes.models) this.#addUsage(known.models, model, usage);
  }

  /** Of what is not known nothing is kept: it is read when it is needed. */
  #addUsage<Facts extends { readonly usageToday: Usage }>(
    known: Map<string, Facts>,
    key: string,
    usage: Usage,
  ): void {
    const facts = known.get(key);
    if (facts !== undefined)
      this.#set(known, key, { ...facts, usageToday: addUsage(facts.usageToday, usage) });
  }

  #find<Facts>(known: Map<string, Facts>, key: string, load: () => Facts): Facts {
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const loaded = load();
    this.#set(known, key, loaded);
    return loaded;
  }

  #set<Facts>(known: Map<string, Facts>, key: string, facts: Facts): void {
    if (!known.has(key)) this.#kept += 1;
    known.set(key, facts);
  }

  #countOwnChanges(): SqliteValue | undefined {
    return this.#database.get('SELECT total_changes() AS total_changes')?.['total_changes'];
  }
}

/** Without what is large. */
const toRunState = picker(RUN_STATE);
const toStepState = picker(STEP_STATE);
