/**
 * One batch: load, decide command by command, write, in one transaction. A command that throws while it is decided gets the
 * error as its result and changes nothing.
 */

import { AppError, forbidden, notFound } from '../domain/app-error.js';
import type { CreateStep } from '../domain/decide.js';
import type { BatchNeeds, BatchOptions, BatchStore } from '../store/store.js';
import type { Command } from './command.js';
import {
  type Reply,
  toEndReply,
  toHeartbeatReply,
  toReportReply,
  toRunReply,
  toStepReply,
  toStopReply,
} from './replies.js';
import { WorkingSet } from './working-set.js';

export type CommandResult = Success | Failure | Postponed;

export interface Success<Given = Reply> {
  readonly reply: Given;
  /** Whether this is the stored reply to an earlier request. */
  readonly isReplay: boolean;
}

export interface Failure {
  readonly error: unknown;
}

/** Another instance has locked the workspace, and the batch does not wait: nothing was decided. */
export interface Postponed {
  readonly isPostponed: true;
}

/**
 * The results in the order of the commands, once they are durable. Throws AppError when the store is unavailable: whether the
 * batch was committed is then unknown. After any other error the commands are retried one by one, so that one command cannot
 * fail others.
 */
export async function commitBatch(
  batches: BatchStore,
  commands: readonly Command[],
  options?: BatchOptions,
): Promise<CommandResult[]> {
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
): Promise<CommandResult[]> {
  const byWorkspace = groupByWorkspace(commands);
  // The store may retry: decisions of an earlier attempt were rolled back.
  let results = new Map<Command, CommandResult>();
  await batches.commit(
    [...byWorkspace].map(([workspaceId, group]) => toBatchNeeds(workspaceId, group)),
    (facts) => {
      results = new Map();
      return facts.map((workspaceFacts) => {
        const set = new WorkingSet(workspaceFacts);
        const group = byWorkspace.get(workspaceFacts.workspace.id) ?? [];
        for (const command of group) results.set(command, resultOf(set, command));
        return set.changes();
      });
    },
    options,
  );
  return commands.map((command) => results.get(command) ?? missingResult(options));
}

/** Only a batch that does not wait for locks may leave commands undecided. */
function missingResult({ waits = true }: BatchOptions = {}): CommandResult {
  return waits ? { error: new Error('The command was not decided') } : { isPostponed: true };
}

async function commitOneByOne(
  batches: BatchStore,
  commands: readonly Command[],
  options?: BatchOptions,
): Promise<CommandResult[]> {
  const results: CommandResult[] = [];
  for (const command of commands) {
    try {
      results.push(...(await commitBatch(batches, [command], options)));
    } catch (error) {
      // The store is unavailable: the rest fails at once.
      return commands.map((_, index) => results[index] ?? { error });
    }
  }
  return results;
}

function resultOf(set: WorkingSet, command: Command): CommandResult {
  try {
    set.requireActiveKey(command.caller.apiKeyId);
    requirePinnedUser(set, command);
    return decide(set, command);
  } catch (error) {
    return { error };
  }
}

/** To a key of one user, the runs of others do not exist. */
function requirePinnedUser(set: WorkingSet, { kind, caller, input }: Command): void {
  const { userId } = caller;
  if (userId == null || kind === 'expire-runs') return;
  if (kind === 'start-run') {
    if (input.userId !== userId) throw forbidden('This API key can start only runs of its own user');
  } else if (set.userOf(input.runId) !== userId) throw notFound('Run not found');
}

/** Only decisions are recorded: a refused request may be corrected and sent again. */
function decide(set: WorkingSet, command: Command): Success {
  const { idempotency } = command.caller;
  if (idempotency === undefined) return { reply: execute(set, command), isReplay: false };
  const replay = set.replayOf(idempotency);
  if (replay !== null) return { reply: JSON.parse(replay) as Reply, isReplay: true };
  const reply = execute(set, command);
  set.record(idempotency, JSON.stringify(reply));
  return { reply, isReplay: false };
}

function execute(set: WorkingSet, { kind, input }: Command): Reply {
  switch (kind) {
    case 'start-run':
      return toRunReply(set.startRun(input));
    case 'end-run':
      return toEndReply(...set.withReports(input, () => set.endRun(input)));
    case 'create-step':
      return toStepReply(...set.withReports(input, () => set.createStep(input)), input);
    case 'report-step':
      return toReportReply(set.reportStep(input));
    case 'heartbeat':
      return toHeartbeatReply(set.heartbeat(input));
    case 'stop-run':
      return toStopReply(set.stopRun(input));
    case 'expire-runs':
      return { hasMore: set.hasMoreDueRuns };
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

/** Whether a rule or the hold may depend on the price of the step's model. */
function dependsOnPrice({ type, estimate }: CreateStep): boolean {
  return type === 'MODEL_CALL' || estimate !== undefined;
}

function toBatchNeeds(workspaceId: string, commands: readonly Command[]): BatchNeeds {
  const apiKeyIds = new Set<string>();
  const startingUserIds = new Set<string>();
  const runIds = new Set<string>();
  const steps: { runId: string; stepId: string }[] = [];
  const idempotencyKeyHashes = new Set<string>();
  const models = new Set<string>();
  const endingRunIds = new Set<string>();
  for (const { kind, caller, input } of commands) {
    if (caller.apiKeyId !== null) apiKeyIds.add(caller.apiKeyId);
    if (caller.idempotency !== undefined) idempotencyKeyHashes.add(caller.idempotency.keyHash);
    if (kind === 'start-run') startingUserIds.add(input.userId);
    else if (kind !== 'expire-runs') runIds.add(input.runId);
    if (kind === 'end-run' || kind === 'stop-run') endingRunIds.add(input.runId);
    if (kind === 'create-step' && input.model !== null && dependsOnPrice(input)) models.add(input.model);
    if (kind === 'report-step') steps.push(input);
    if (kind === 'create-step' || kind === 'end-run') steps.push(...(input.reports ?? []));
  }
  return {
    workspaceId,
    apiKeyIds,
    startingUserIds,
    runIds,
    steps,
    idempotencyKeyHashes,
    models,
    endingRunIds,
  };
}
