/**
 * Commits random batches of many workspaces on two connections, with random control-plane changes between them, and compares
 * the facts of every batch with those that the oracle reads. The seed determines everything.
 */

import { expect } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { AppError } from '../../src/domain/app-error.js';
import { nextDayStart } from '../../src/domain/period.js';
import type { Caller, Command } from '../../src/engine/command.js';
import { type CommandResult, commitBatch } from '../../src/engine/commit-batch.js';
import type { BatchFacts, BatchStore, Store } from '../../src/store/store.js';
import { noNeeds } from '../support/batch-fixture.js';
import { BY_TEST } from '../support/by-test.js';
import { newCreateStep, newDetails, newReport, newStartRun } from '../support/seed.js';
import {
  MANY_KEYS,
  MANY_PRICES,
  newPrice,
  newTestApiKey,
  type StoreFixture,
} from '../support/store-fixture.js';
import type { Oracle } from './fact-cache-oracle.js';

const ATTO_PER_MICRO = 10n ** 12n;
const USERS = ['ada', 'bob', 'zoë', '😀', "'; DROP TABLE runs; --"];
const MODELS = ['gpt', 'dear', 'often repriced', 'unpriced', null];
const WORKSPACES = 5;
const LATEST_RUNS = 8;
const MAX_BATCH_SIZE = 40;
/** The time by the position of a batch in its day: the last moment, the first of the next day, back once, and onwards. */
const DAY_LENGTH = 25;
const MIDNIGHT_AT = 20;

interface WorkloadRun {
  readonly id: string;
  readonly stepIds: string[];
}

interface WorkloadWorkspace {
  readonly id: string;
  /** Some of them revoked. */
  readonly apiKeyIds: string[];
  /** Those that were requested: not all of them were written. */
  readonly runs: WorkloadRun[];
}

export class Workload {
  readonly figures = {
    commands: 0,
    answered: 0,
    refused: 0,
    failed: 0,
    startedTwiceInBatch: 0,
    undisturbed: 0,
    outsideChanges: 0,
  };
  readonly #seed: number;
  readonly #random: SeededRandom;
  readonly #fixture: StoreFixture;
  readonly #stores: readonly Store[];
  readonly #oracle: Oracle;
  readonly #workspaces: WorkloadWorkspace[] = [];
  readonly #comparisons: { readonly cached: readonly BatchFacts[]; readonly fresh: readonly BatchFacts[] }[] =
    [];
  /** By workspace and run: the batch in which it was started. */
  readonly #startedIn = new Map<string, number>();
  #store: Store;
  #serial = 0;

  constructor(given: { seed: number; fixture: StoreFixture; stores: readonly Store[]; oracle: Oracle }) {
    this.#seed = given.seed;
    this.#random = new SeededRandom(given.seed);
    this.#fixture = given.fixture;
    this.#stores = given.stores;
    this.#oracle = given.oracle;
    this.#store = given.fixture.store;
  }

  async begin(): Promise<void> {
    for (let index = 0; index < WORKSPACES; index += 1) {
      const { workspace, apiKey } = await this.#fixture.newTenant();
      this.#workspaces.push({ id: workspace.id, apiKeyIds: [apiKey.id], runs: [] });
      await this.#changeSettings(this.#store, workspace.id);
    }
  }

  async commitNext(batch: number): Promise<void> {
    const { clock } = this.#fixture;
    const isNewDay = this.#moveClock(batch % DAY_LENGTH);
    const isDisturbed = await this.#disturb();
    if (!isNewDay && !isDisturbed) this.figures.undisturbed += 1;
    const size = this.#random.integer(1, MAX_BATCH_SIZE);
    const commands = Array.from({ length: size }, () => this.#command(this.#random.pick(this.#workspaces)));
    const outcomes = await commitBatch(this.#comparing(this.#store.batches), commands);
    const place = `TEST_SEED=${this.#seed}, batch ${batch} at ${new Date(clock.now()).toISOString()}`;
    for (const { cached, fresh } of this.#comparisons.splice(0)) expect(cached, place).toStrictEqual(fresh);
    this.figures.commands += size;
    for (const [index, outcome] of outcomes.entries()) {
      this.#count(outcome);
      const command = commands[index];
      if (command?.kind !== 'start-run') continue;
      const run = `${command.caller.workspaceId} ${command.input.id}`;
      this.#expectOneStart({ run, batch, outcome, place });
    }
  }

  #count(outcome: CommandResult): void {
    if ('reply' in outcome) this.figures.answered += 1;
    else if ('error' in outcome && outcome.error instanceof AppError) this.figures.refused += 1;
    else {
      // A run with an existing id.
      expect(outcome).toHaveProperty('error.message', expect.stringContaining('UNIQUE'));
      this.figures.failed += 1;
    }
  }

  /** The first run with an id is written, and every other one fails, even in the same batch. */
  #expectOneStart(given: { run: string; batch: number; outcome: CommandResult; place: string }): void {
    const { run, batch, outcome, place } = given;
    const startedIn = this.#startedIn.get(run);
    if ('reply' in outcome && !outcome.isReplay) {
      expect(startedIn, `${place}, ${run}`).toBeUndefined();
      this.#startedIn.set(run, batch);
    } else if ('error' in outcome && !(outcome.error instanceof AppError)) {
      expect(startedIn, `${place}, ${run}`).toBeDefined();
      if (startedIn === batch) this.figures.startedTwiceInBatch += 1;
    }
  }

  /** Compared later: an error thrown in a batch would become the outcome of its commands. */
  #comparing(batches: BatchStore): BatchStore {
    return {
      commit: async (needs, decide) => {
        const fresh = await this.#oracle.readAll(needs);
        await batches.commit(needs, (cached) => {
          this.#comparisons.push({ cached, fresh });
          return decide(cached);
        });
      },
    };
  }

  /** Whether a new day has begun. */
  #moveClock(place: number): boolean {
    const { clock } = this.#fixture;
    if (place === MIDNIGHT_AT) clock.advance(nextDayStart(clock.now()) - clock.now() - 1);
    else if (place === MIDNIGHT_AT + 1 || place === MIDNIGHT_AT + 3) clock.advance(1);
    else if (place === MIDNIGHT_AT + 2) clock.advance(-1);
    else if (this.#random.chance(0.5)) clock.advance(this.#random.integer(1, 60_000));
    return place > MIDNIGHT_AT && place <= MIDNIGHT_AT + 3;
  }

  /** Whether the cache of the next batch may be outdated. */
  async #disturb(): Promise<boolean> {
    let isDisturbed = false;
    if (this.#random.chance(0.1)) {
      this.#store = this.#random.pick(this.#stores);
      isDisturbed = true;
    }
    if (this.#random.chance(0.1)) await this.#read(this.#random.pick(this.#stores));
    if (this.#random.chance(0.03)) {
      await this.#failBatch();
      isDisturbed = true;
    }
    while (this.#random.chance(0.25)) {
      await this.#changeOutside(this.#random.pick(this.#stores), this.#random.pick(this.#workspaces));
      this.figures.outsideChanges += 1;
      isDisturbed = true;
    }
    return isDisturbed;
  }

  async #read(store: Store): Promise<void> {
    const { id: workspaceId } = this.#random.pick(this.#workspaces);
    await store.users.list({ workspaceId, blocked: null, offset: 0, limit: 10 });
    await store.prices.listActive(workspaceId, 1_000);
  }

  async #failBatch(): Promise<void> {
    const needs = this.#workspaces.map(({ id }) => ({ ...noNeeds(id), startingUserIds: new Set(USERS) }));
    const failed = this.#store.batches.commit(needs, () => {
      throw new Error('decided badly');
    });
    await expect(failed).rejects.toThrow('decided badly');
  }

  // ── Outside of batches ───────────────────────────────────────────────────────────────────────────────────────────

  async #changeOutside(store: Store, workspace: WorkloadWorkspace): Promise<void> {
    const { id: workspaceId } = workspace;
    const random = this.#random;
    const changes: readonly (() => Promise<unknown>)[] = [
      () =>
        store.users.setBlocked(
          { workspaceId, userId: random.pick(USERS), blocked: random.chance(0.4) },
          BY_TEST,
        ),
      () => this.#putPrice(store, workspaceId),
      () => this.#changeSettings(store, workspaceId),
      () => this.#replaceKeys(store, workspace),
      () =>
        store.apiKeys.markUsed({
          workspaceId,
          apiKeyId: random.pick(workspace.apiKeyIds),
          usedAt: this.#now,
        }),
      () => store.maintenance.deleteIdempotencyRecords({ before: this.#now, limit: random.integer(1, 20) }),
    ];
    await random.pick(changes)();
  }

  async #putPrice(store: Store, workspaceId: string): Promise<void> {
    const model = this.#random.pick(['gpt', 'dear', 'often repriced', 'often repriced']);
    const inputAttoUsd =
      BigInt(this.#random.integer(0, 5)) * (model === 'dear' ? 10n ** 15n : ATTO_PER_MICRO);
    const price = newPrice({ id: this.#newName('price'), model, inputAttoUsd });
    const cacheReadAttoUsd = this.#random.pick([null, 0n, inputAttoUsd * 2n]);
    const isActive = this.#random.chance(0.8);
    await store.prices.put(
      { workspaceId, price: { ...price, cacheReadAttoUsd, isActive }, ...MANY_PRICES },
      BY_TEST,
    );
  }

  async #changeSettings(store: Store, workspaceId: string): Promise<void> {
    const random = this.#random;
    await store.workspaces.change(
      workspaceId,
      {
        kind: 'settings',
        settings: {
          killSwitch: random.chance(0.1),
          dailyBudgetPicoUsd: random.pick([null, null, 10n ** 8n, 10n ** 12n]),
          userDailyBudgetPicoUsd: random.pick([null, null, 10n ** 7n, 10n ** 11n]),
          maxConcurrentRuns: random.pick([10, 5_000, 5_000, 5_000]),
          denyUnpricedModels: random.chance(0.1),
        },
      },
      BY_TEST,
    );
  }

  /** Revokes one key or all, and always leaves an active one. */
  async #replaceKeys(store: Store, { id: workspaceId, apiKeyIds }: WorkloadWorkspace): Promise<void> {
    const apiKey = newTestApiKey({ newId: () => this.#newName('key'), now: this.#now, workspaceId });
    if (this.#random.chance(0.3)) await store.apiKeys.replaceAll(apiKey, BY_TEST);
    else {
      await store.apiKeys.revoke({ workspaceId, apiKeyId: this.#random.pick(apiKeyIds) }, BY_TEST);
      await store.apiKeys.insert(apiKey, MANY_KEYS, BY_TEST);
    }
    // The newest is used most.
    apiKeyIds.unshift(apiKey.id);
    apiKeyIds.splice(4);
  }

  // ── In batches ───────────────────────────────────────────────────────────────────────────────────────────────────

  #command(workspace: WorkloadWorkspace): Command {
    const caller = this.#caller(workspace);
    const roll = this.#random.next();
    if (roll < 0.12) return this.#startRun(workspace, caller);
    if (roll < 0.5) return this.#createStep(workspace, caller);
    if (roll < 0.9) return this.#updateStep(workspace, caller);
    if (roll < 0.93) return { kind: 'heartbeat', caller, input: { runId: this.#pickRun(workspace).id } };
    if (roll < 0.94) {
      const input = { runId: this.#pickRun(workspace).id, entryId: this.#newName('entry'), origin: BY_TEST };
      return { kind: 'stop-run', caller, input };
    }
    if (roll < 0.95) return { kind: 'expire-runs', caller, input: null };
    const status = this.#random.pick(['COMPLETED', 'FAILED'] as const);
    return { kind: 'end-run', caller, input: { runId: this.#pickRun(workspace).id, status } };
  }

  #caller({ id: workspaceId, apiKeyIds }: WorkloadWorkspace): Caller {
    const apiKeyId = this.#random.chance(0.9) ? (apiKeyIds[0] ?? '') : this.#random.pick(apiKeyIds);
    if (this.#random.chance(0.9)) return { workspaceId, apiKeyId };
    const keyHash = `key ${this.#random.integer(1, 30)} of ${workspaceId}`;
    return {
      workspaceId,
      apiKeyId,
      idempotency: { keyHash, requestHash: this.#random.pick(['one', 'one', 'two']) },
    };
  }

  #startRun(workspace: WorkloadWorkspace, caller: Caller): Command {
    const id = this.#random.chance(0.06) ? this.#repeatedRunId(workspace) : this.#newRunId(workspace);
    const leaseSeconds = this.#random.pick([undefined, 10, 60, 100]);
    const limits = this.#random.pick([
      undefined,
      { maxSteps: 3, maxRepeats: 2 },
      { maxCostPicoUsd: 10n ** 9n },
    ]);
    const input = newStartRun({ id, userId: this.#random.pick(USERS), metadata: '{}', leaseSeconds, limits });
    return { kind: 'start-run', caller, input };
  }

  /** Other workspaces have runs with the same ids. */
  #newRunId({ runs }: WorkloadWorkspace): string {
    const id = `run ${runs.length + 1}`;
    runs.push({ id, stepIds: [] });
    return id;
  }

  /** Mostly the latest, which may be in the same batch. */
  #repeatedRunId(workspace: WorkloadWorkspace): string {
    const { runs } = workspace;
    const repeated = this.#random.chance(0.7) ? runs.at(-1) : runs[this.#random.integer(0, runs.length - 1)];
    return repeated?.id ?? this.#newRunId(workspace);
  }

  #createStep(workspace: WorkloadWorkspace, caller: Caller): Command {
    const run = this.#pickRun(workspace);
    const repeated = this.#random.chance(0.02) ? this.#pickRun(workspace).stepIds[0] : undefined;
    const id = repeated ?? this.#newName('step');
    run.stepIds.push(id);
    const model = this.#random.pick(MODELS);
    const estimate = this.#random.pick([
      undefined,
      { costPicoUsd: 10n ** 9n },
      { promptTokens: 10, completionTokens: 20 },
    ]);
    return {
      kind: 'create-step',
      caller,
      input: newCreateStep({ id, runId: run.id, model, inputData: '{}', estimate }),
    };
  }

  #updateStep(workspace: WorkloadWorkspace, caller: Caller): Command {
    const run = this.#pickRun(workspace);
    const runId = this.#random.chance(0.95) ? run.id : this.#pickRun(workspace).id;
    const stepId = run.stepIds.length === 0 ? 'no step' : this.#random.pick(run.stepIds.slice(-4));
    const report = newReport({
      status: this.#random.pick(['COMPLETED', 'FAILED']),
      durationMs: this.#random.pick([null, 5]),
      promptTokens: this.#random.pick([null, 0, 10, 1_000]),
      completionTokens: this.#random.pick([null, 0, 20, 2_000]),
    });
    const details = this.#random.pick([
      null,
      newDetails({ statedPicoUsd: 10n ** 9n, outputData: '{}' }),
      newDetails({ cacheReadTokens: Math.min(10, report.promptTokens ?? 0) }),
    ]);
    return {
      kind: 'report-step',
      caller,
      input: { runId, stepId, report: newReport({ ...report, details }) },
    };
  }

  /** Mostly one of the latest; it may be in the same batch, belong to another workspace, or not exist. */
  #pickRun({ runs }: WorkloadWorkspace): WorkloadRun {
    const latest = runs.slice(-LATEST_RUNS);
    if (latest.length > 0 && this.#random.chance(0.95)) return this.#random.pick(latest);
    return this.#random.pick(this.#workspaces).runs.at(-1) ?? { id: 'no run', stepIds: [] };
  }

  #newName(kind: string): string {
    this.#serial += 1;
    return `${kind} ${this.#serial}`;
  }

  get #now(): number {
    return this.#fixture.clock.now();
  }
}
