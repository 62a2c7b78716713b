/**
 * One batch: loaded, decided command by command and written in one transaction. What a command throws while being decided
 * is its own outcome and changes nothing.
 */

import { AppError } from '../domain/app-error.js';
import type { BatchNeeds, BatchOptions, BatchStore } from '../store/store.js';
import type { Command } from './command.js';
import { type Reply, toEndReply, toReportReply, toRunReply, toStepReply } from './replies.js';
import { WorkingSet } from './working-set.js';

export type Outcome = Answer | Failure | Postponed;

export interface Answer<Given = Reply> {
  readonly reply: Given;
  /** Whether it was given before and only repeated. */
  readonly isReplay: boolean;
}

export interface Failure {
  readonly error: unknown;
}

/** Another instance holds the workspace, and the batch was not to wait: nothing was decided. */
export interface Postponed {
  readonly isPostponed: true;
}

/**
 * The outcome of each command, in their order, once all of it is durable. Throws AppError when the store is away: then
 * nothing is known to have happened. Anything else that the store throws is tried again one by one, so that one command
 * cannot fail others.
 */
export async function commitBatch(
  batches: BatchStore,
  commands: readonly Command[],
  options?: BatchOptions,
): Promise<Outcome[]> {
  try {
    return await commitTogether(batches, commands, options);
  } catch (error) {
    if (error instanceof AppError) throw error;
    return commands.length === 1 ? [{ error }] : commitOneByOne(batches, commands, options);
  }
}

async function commitTogether(
  batches: BatchStore,
  commands: readonly Command[],
  options?: BatchOptions,
): Promise<Outcome[]> {
  const byWorkspace = groupByWorkspace(commands);
  // Each attempt begins anew: what an earlier one decided was undone.
  let outcomes = new Map<Command, Outcome>();
  await batches.commit(
    [...byWorkspace].map(([workspaceId, group]) => toBatchNeeds(workspaceId, group)),
    (facts) => {
      outcomes = new Map();
      return facts.map((workspaceFacts) => {
        const set = new WorkingSet(workspaceFacts);
        const group = byWorkspace.get(workspaceFacts.workspace.id) ?? [];
        for (const command of group) outcomes.set(command, outcomeOf(set, command));
        return set.changes();
      });
    },
    options,
  );
  return commands.map((command) => outcomes.get(command) ?? missingOutcome(options));
}

/** Only a batch that does not wait for its workspaces may leave a command without a decision. */
function missingOutcome({ waits = true }: BatchOptions = {}): Outcome {
  return waits ? { error: new Error('The command was not decided') } : { isPostponed: true };
}

async function commitOneByOne(
  batches: BatchStore,
  commands: readonly Command[],
  options?: BatchOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const command of commands) {
    try {
      outcomes.push(...(await commitBatch(batches, [command], options)));
    } catch (error) {
      // The store is away: the rest does not wait for it in turn.
      return commands.map((_, index) => outcomes[index] ?? { error });
    }
  }
  return outcomes;
}

function outcomeOf(set: WorkingSet, command: Command): Outcome {
  try {
    set.requireActiveKey(command.caller.apiKeyId);
    return answer(set, command);
  } catch (error) {
    return { error };
  }
}

/** Only what was decided is remembered: a refused request may be corrected and sent again. */
function answer(set: WorkingSet, command: Command): Answer {
  const { idempotency } = command.caller;
  if (idempotency === undefined) return { reply: execute(set, command), isReplay: false };
  const replay = set.replayOf(idempotency);
  if (replay !== null) return { reply: JSON.parse(replay) as Reply, isReplay: true };
  const reply = execute(set, command);
  set.remember(idempotency, JSON.stringify(reply));
  return { reply, isReplay: false };
}

function execute(set: WorkingSet, { kind, order }: Command): Reply {
  switch (kind) {
    case 'start-run':
      return toRunReply(set.startRun(order));
    case 'end-run':
      return toEndReply(set.endRun(order));
    case 'create-step':
      return toStepReply(set.createStep(order));
    case 'update-step':
      return toReportReply(set.updateStep(order));
  }
}

function groupByWorkspace(commands: readonly Command[]): Map<string, Command[]> {
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    const group = groups.get(command.caller.workspaceId);
    if (group === undefined) groups.set(command.caller.workspaceId, [command]);
    else group.push(command);
  }
  return groups;
}

function toBatchNeeds(workspaceId: string, commands: readonly Command[]): BatchNeeds {
  const apiKeyIds = new Set<string>();
  const startingUserIds = new Set<string>();
  const runIds = new Set<string>();
  const steps: { runId: string; stepId: string }[] = [];
  const idempotencyKeyHashes = new Set<string>();
  for (const { kind, caller, order } of commands) {
    apiKeyIds.add(caller.apiKeyId);
    if (caller.idempotency !== undefined) idempotencyKeyHashes.add(caller.idempotency.keyHash);
    if (kind === 'start-run') startingUserIds.add(order.userId);
    else runIds.add(order.runId);
    if (kind === 'update-step') steps.push({ runId: order.runId, stepId: order.stepId });
  }
  return { workspaceId, apiKeyIds, startingUserIds, runIds, steps, idempotencyKeyHashes };
}
