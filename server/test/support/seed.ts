/**
 * Runs and steps for tests: the only place that lists their fields, and the way to create thousands of them without a request
 * for each. Seeds are decided by the same rules as requests, so that every counter is right; a denied seed throws.
 */

import { randomUUID } from 'node:crypto';
import { parseApiKey } from '../../src/auth/api-key-secret.js';
import { signInLimits } from '../../src/control/account-limits.js';
import type { CreateStep, StartRun } from '../../src/domain/decide.js';
import type { IdempotentRequest } from '../../src/domain/idempotency.js';
import type { EndStatus, Run, RunState } from '../../src/domain/run.js';
import type { ReportDetails, Step, StepReport, StepState } from '../../src/domain/step.js';
import { newStepReport } from '../../src/domain/step-report.js';
import { uuidV7 } from '../../src/domain/uuid.js';
import type { Command, MachineCaller } from '../../src/engine/command.js';
import { type CommandResult, commitBatch } from '../../src/engine/commit-batch.js';
import { bytesOf } from '../../src/engine/committer.js';
import { hashOfDetails } from '../../src/engine/step-fingerprint.js';
import { openStore } from '../../src/store/open-store.js';
import type { BatchStore, ListedStep, Store } from '../../src/store/store.js';
import type { TestClock } from './test-clock.js';

// ── One of each ────────────────────────────────────────────────────────────────────────────────────────────────────

const ALLOWED = { outcome: 'ALLOW', reason: null, evaluations: [] } as const;

/** Starts a run, by default of the user ada. */
export function newStartRun(given: Pick<StartRun, 'id'> & Partial<StartRun>): StartRun {
  return { userId: 'ada', metadata: null, ...given };
}

/** Creates a step, by default a call of the model gpt. */
export function newCreateStep(given: Pick<CreateStep, 'id' | 'runId'> & Partial<CreateStep>): CreateStep {
  return { type: 'MODEL_CALL', sequence: 1, model: 'gpt', toolName: null, inputData: null, ...given };
}

/** Reports a step, by default as completed, without duration and tokens. */
export function newReport(given: Partial<StepReport> = {}): StepReport {
  return newStepReport({
    status: 'COMPLETED',
    durationMs: null,
    promptTokens: null,
    completionTokens: null,
    ...given,
  });
}

/** What only some reports have; by default nothing. */
export function newDetails(given: Partial<ReportDetails> = {}): ReportDetails {
  const details = {
    cacheReadTokens: null,
    cacheWriteTokens: null,
    reasoningTokens: null,
    statedPicoUsd: null,
    isEstimated: false,
    error: null,
    outputData: null,
    ...given,
  };
  return { ...details, hash: given.hash ?? hashOfDetails(details, details.outputData) };
}

/** A run that has just started and has no steps. */
export function newRunState(given: Pick<RunState, 'id'> & Partial<RunState>): RunState {
  return {
    userId: 'ada',
    status: 'RUNNING',
    endedAt: null,
    endReason: null,
    leaseSeconds: null,
    leaseExpiresAt: null,
    dueAt: null,
    startedAt: 0,
    limits: null,
    recentSteps: null,
    stepCount: 0,
    deniedStepCount: 0,
    heldPicoUsd: 0n,
    openHolds: 0,
    totalTokens: 0n,
    totalCostPicoUsd: 0n,
    usageVersion: 0,
    ...given,
  };
}

/** The same with what is only written once. */
export function newRun(given: Pick<Run, 'id' | 'startedAt'> & Partial<Run>): Run {
  return { ...newRunState(given), position: 1, metadata: null, decision: ALLOWED, ...given };
}

/** A step that was allowed and is not reported. */
export function newStepState(given: Pick<StepState, 'id' | 'runId'> & Partial<StepState>): StepState {
  return {
    status: 'ALLOWED',
    model: 'gpt',
    durationMs: null,
    promptTokens: null,
    completionTokens: null,
    costPicoUsd: null,
    costSource: null,
    priceVersion: null,
    holdPicoUsd: null,
    heldPicoUsd: null,
    reportedAt: null,
    usageVersion: null,
    chargedVersion: null,
    reportHash: null,
    ...given,
  };
}

/** The same with what is only written once. */
export function newStep(given: Pick<Step, 'id' | 'runId' | 'createdAt'> & Partial<Step>): Step {
  return {
    ...newStepState(given),
    type: 'MODEL_CALL',
    sequence: 1,
    position: 1,
    toolName: null,
    inputData: null,
    costPicoUsd: null,
    decision: ALLOWED,
    ...given,
  };
}

/** The same as it is read. */
export function newListedStep(given: Parameters<typeof newStep>[0] & Partial<ListedStep>): ListedStep {
  const parts = { cacheReadTokens: null, cacheWriteTokens: null, reasoningTokens: null, prices: null };
  return { ...newStep(given), ...parts, error: null, outputData: null, ...given };
}

// ── Many at once ───────────────────────────────────────────────────────────────────────────────────────────────────

export interface RunSeed extends Partial<Omit<StartRun, 'id'>> {
  readonly idempotency?: IdempotentRequest;
  readonly steps?: readonly StepSeed[];
  /** Absent: the run stays running. */
  readonly endStatus?: EndStatus;
}

export interface StepSeed extends Partial<Omit<CreateStep, 'id' | 'runId'>> {
  /** Absent: the step is not reported. */
  readonly report?: Partial<StepReport>;
}

export interface SeededRun {
  readonly id: string;
  readonly stepIds: readonly string[];
}

/** The store of the seeds, and their owner. */
export interface SeedTarget {
  readonly store: Store;
  readonly caller: MachineCaller;
}

/** The size of a batch of seeds; larger than that of the service, because no request waits for it. */
const MAX_BATCH = { commands: 1_000, bytes: 8 * 1024 * 1024 };

/** Repeats a seed. */
export function repeated<Seed>(count: number, seed: Seed): Seed[] {
  return Array.from({ length: count }, () => seed);
}

/** Starts the runs in order, creates their steps, reports them and ends the runs that have an end. */
export async function seedRuns(
  { store, caller }: SeedTarget,
  seeds: readonly RunSeed[],
): Promise<SeededRun[]> {
  const newId = idsUntil(await store.now(), countOf(seeds));
  const starts: Command[] = [];
  const steps: Command[] = [];
  const reports: Command[] = [];
  const ends: Command[] = [];
  const runs = seeds.map(({ idempotency, steps: stepSeeds = [], endStatus, ...start }) => {
    const runId = newId();
    const starter = { ...caller, idempotency };
    starts.push({ kind: 'start-run', caller: starter, input: newStartRun({ ...start, id: runId }) });
    const stepIds = stepSeeds.map(({ report, ...step }, index) => {
      const stepId = newId();
      const input = newCreateStep({ sequence: index + 1, ...step, id: stepId, runId });
      steps.push({ kind: 'create-step', caller, input });
      if (report !== undefined)
        reports.push({ kind: 'report-step', caller, input: { runId, stepId, report: newReport(report) } });
      return stepId;
    });
    if (endStatus !== undefined) ends.push({ kind: 'end-run', caller, input: { runId, status: endStatus } });
    return { id: runId, stepIds };
  });
  // A command finds only runs and steps of earlier batches.
  for (const commands of [starts, steps, reports, ends]) await commitAll(store.batches, commands);
  return runs;
}

/** Seeds the database of a running service, with an API key. */
export async function seedService<Result>(
  service: { readonly databaseUrl: string; readonly clock?: TestClock },
  apiKey: string,
  seed: (target: SeedTarget) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({
    databaseUrl: service.databaseUrl,
    poolMax: 2,
    timeoutMs: 10_000,
    clock: service.clock?.now,
  });
  try {
    return await seed({ store, caller: await callerOf(store, apiKey) });
  } finally {
    await store.close();
  }
}

/** Records failed sign-ins from a client address, each as if for a different e-mail. */
export async function seedFailedSignIns(
  store: Store,
  { address, count }: { address: string; count: number },
): Promise<void> {
  const now = await store.now();
  const subjects = Array.from({ length: count }, (_, index) =>
    signInLimits({ email: `seeded-${index}@example.com`, address }).map(({ subject }) => subject),
  );
  await store.loginFailures.record({ subjects: subjects.flat(), failedAt: now, forgetBefore: 0 });
}

async function callerOf(store: Store, apiKey: string): Promise<MachineCaller> {
  const found = await store.apiKeys.findByPrefix(parseApiKey(apiKey)?.prefix ?? '');
  if (found === null) throw new Error('There is no such API key');
  return { workspaceId: found.workspaceId, apiKeyId: found.id };
}

/** One millisecond after the other, as with agents: the steps of a run are in the order of their ids. */
function idsUntil(now: number, count: number): () => string {
  let next = now - count;
  return () => {
    next += 1;
    return uuidV7(next, randomUUID());
  };
}

function countOf(seeds: readonly RunSeed[]): number {
  return seeds.reduce((count, { steps = [] }) => count + 1 + steps.length, 0);
}

async function commitAll(batches: BatchStore, commands: readonly Command[]): Promise<void> {
  for (const batch of toBatches(commands))
    for (const outcome of await commitBatch(batches, batch)) requireAllowed(outcome);
}

function toBatches(commands: readonly Command[]): Command[][] {
  const batches: Command[][] = [];
  let bytes = 0;
  for (const command of commands) {
    const last = batches.at(-1);
    bytes += bytesOf(command);
    if (last !== undefined && last.length < MAX_BATCH.commands && bytes <= MAX_BATCH.bytes) {
      last.push(command);
    } else {
      batches.push([command]);
      bytes = bytesOf(command);
    }
  }
  return batches;
}

function requireAllowed(outcome: CommandResult): void {
  if ('error' in outcome) throw outcome.error;
  if ('isPostponed' in outcome) throw new Error('A seed was postponed');
  const { reply } = outcome;
  if ('decision' in reply && reply.decision.outcome === 'DENY')
    throw new Error(`A seed was denied: ${reply.decision.reason}`);
}
