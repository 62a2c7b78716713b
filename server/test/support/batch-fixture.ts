/** Hand-written batches, for tests of a store. */

import { dayOf } from '../../src/domain/period.js';
import { NO_USAGE } from '../../src/domain/usage.js';
import type { BatchChanges, BatchFacts, BatchNeeds } from '../../src/store/store.js';

export const NO_COUNTS = { RUNNING: 0, COMPLETED: 0, FAILED: 0, BLOCKED: 0 };

export function noNeeds(workspaceId: string): BatchNeeds {
  return {
    workspaceId,
    apiKeyIds: new Set(),
    startingUserIds: new Set(['someone']),
    runIds: new Set(),
    steps: [],
    idempotencyKeyHashes: new Set(),
    models: new Set(),
    endingRunIds: new Set(),
  };
}

export function noChanges(facts: BatchFacts): BatchChanges {
  return {
    workspaceId: facts.workspace.id,
    day: dayOf(facts.now),
    newRuns: [],
    changedRuns: [],
    postponedRuns: [],
    nextDueAt: facts.nextDueAt,
    isNextDueChanged: false,
    newSteps: [],
    changedSteps: [],
    heldPicoUsd: 0n,
    otherDays: [],
    runCounts: NO_COUNTS,
    usage: NO_USAGE,
    startedRuns: 0,
    users: new Map(),
    models: new Map(),
    denials: new Map(),
    userModels: new Map(),
    userDenials: new Map(),
    modelCalls: new Map(),
    newIdempotencyRecords: [],
    newAuditEntries: [],
    renewedIdempotencyRecords: [],
  };
}
