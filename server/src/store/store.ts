/**
 * Everything that is asked of a database, in terms of the domain. A store reads and writes; it never decides. Its clock is
 * authoritative, because several instances may share it.
 *
 * Every method may throw `AppError('unavailable')` when the database does not answer. Arguments are not validated here.
 */

import type { Role } from '../domain/access.js';
import type { Account } from '../domain/account.js';
import type { ApiKey } from '../domain/api-key.js';
import type { AuditAction, AuditEntry, Origin } from '../domain/audit.js';
import type { Decision } from '../domain/decision.js';
import type { IdempotencyRecord } from '../domain/idempotency.js';
import type { Invitation } from '../domain/member.js';
import type { Day } from '../domain/period.js';
import type { ModelPrice, TokenPrices } from '../domain/price.js';
import type { DenyReason } from '../domain/rules.js';
import type {
  EndReason,
  EndStatus,
  JsonText,
  Run,
  RunCounts,
  RunState,
  RunStatus,
  RunSummary,
} from '../domain/run.js';
import type { MetadataEntry } from '../domain/run-metadata.js';
import type { Step, StepState } from '../domain/step.js';
import type { Usage, UsageParts } from '../domain/usage.js';
import type { User } from '../domain/user.js';
import type { GuardedWorkspace, Workspace, WorkspaceChange } from '../domain/workspace.js';

export interface Store {
  /** The database, without credentials, for messages. */
  readonly location: string;
  readonly batches: BatchStore;
  readonly accounts: AccountStore;
  readonly audit: AuditStore;
  readonly members: MemberStore;
  readonly apiKeys: ApiKeyStore;
  readonly workspaces: WorkspaceStore;
  readonly prices: PriceStore;
  readonly users: UserStore;
  readonly changes: ChangeStore;
  readonly runs: RunStore;
  readonly search: SearchStore;
  readonly usage: UsageStore;
  readonly loginFailures: LoginFailureStore;
  readonly maintenance: MaintenanceStore;
  readonly copy: CopyStore;
  /** The store's clock in milliseconds since 1970. */
  now(): Promise<number>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The store cannot be opened for a reason that its operator can fix: the message is one line for them. */
export class OpenStoreError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OpenStoreError';
  }
}

// ── The data plane ─────────────────────────────────────────────────────────────────────────────────────────────────

export interface BatchStore {
  /**
   * One transaction: loads what the commands need, passes it to `decide`, writes what that returns, and resolves once the
   * commit is durable. `decide` is called once per attempt, again with fresh facts when the database demands a retry; the
   * last call counts. Each workspace occurs once; facts are in the order of the needs.
   */
  commit(
    needs: readonly BatchNeeds[],
    decide: (facts: readonly BatchFacts[]) => BatchChanges[],
    options?: BatchOptions,
  ): Promise<void>;
}

export interface BatchOptions {
  /** Whether to wait for workspaces that are locked elsewhere (default true). If not, they are left out. */
  readonly waits?: boolean;
}

/** What the commands of one workspace need. */
export interface BatchNeeds {
  readonly workspaceId: string;
  readonly apiKeyIds: ReadonlySet<string>;
  /** Users of the runs to start. */
  readonly startingUserIds: ReadonlySet<string>;
  readonly runIds: ReadonlySet<string>;
  readonly steps: readonly { readonly runId: string; readonly stepId: string }[];
  readonly idempotencyKeyHashes: ReadonlySet<string>;
  /** Models of model calls and of steps with an estimate. */
  readonly models: ReadonlySet<string>;
  /** Runs that may end: their open holds are settled. */
  readonly endingRunIds: ReadonlySet<string>;
}

/** Of a workspace in one batch, so that a batch is short however many leases end at once. */
export const MAX_DUE_RUNS = 100;
export const MAX_DUE_HOLDS = 1_000;

/** The runs whose leases are to be looked at, by the time at which they are due. */
export interface DueRuns {
  /** The first ones; at most MAX_DUE_RUNS. */
  readonly runs: readonly RunState[];
  /** Whether all runs that are due are in `runs`. */
  readonly isComplete: boolean;
  /** Expired runs that are not in `runs`. */
  readonly otherExpired: number;
  /** No run that is not in `runs` is due before; null when there is none. */
  readonly nextDueAt: number | null;
}

/** Everything that the decisions of one workspace depend on, as of `now`; what is absent does not exist. */
export interface BatchFacts {
  readonly now: number;
  readonly workspace: GuardedWorkspace;
  readonly activeApiKeyIds: ReadonlySet<string>;
  readonly runCounts: RunCounts;
  /** No running run is due before; null when none has a lease. */
  readonly nextDueAt: number | null;
  /** null when none is due. */
  readonly dueRuns: DueRuns | null;
  /** Runs of this calendar month that were allowed to start. */
  readonly monthlyRunCount: number;
  readonly usageToday: Usage;
  /** Open holds of the workspace. */
  readonly heldPicoUsd: bigint;
  /** The starting users and the users of the runs. */
  readonly users: ReadonlyMap<string, UserFacts>;
  readonly runs: ReadonlyMap<string, RunState>;
  readonly steps: ReadonlyMap<string, StepState>;
  /** Steps with open holds, by run, of runs that may end and of expired ones. */
  readonly openHolds: ReadonlyMap<string, readonly StepState[]>;
  /** By model, for the models of the steps, and those asked for. */
  readonly prices: ReadonlyMap<string, ModelPrice>;
  readonly modelUsageToday: ReadonlyMap<string, ModelUsageToday>;
  /** By the hash of their key; may include expired ones. */
  readonly idempotencyRecords: ReadonlyMap<string, IdempotencyRecord>;
}

export interface ModelUsageToday {
  readonly usage: Usage;
  /** What the cache saved. */
  readonly savedPicoUsd: bigint;
}

export interface UserFacts {
  readonly blocked: boolean;
  readonly usageToday: Usage;
  readonly heldPicoUsd: bigint;
}

/** What one batch writes for one workspace. Counters are increments. */
export interface BatchChanges {
  readonly workspaceId: string;
  readonly day: Day;
  readonly newRuns: readonly Run[];
  readonly changedRuns: readonly RunState[];
  /** Runs that were due and whose lease goes on: only `dueAt` changes. */
  readonly postponedRuns: readonly RunState[];
  readonly nextDueAt: number | null;
  readonly isNextDueChanged: boolean;
  readonly newSteps: readonly Step[];
  /** Reported, or charged. */
  readonly changedSteps: readonly StepState[];
  readonly runCounts: RunCounts;
  readonly usage: Usage;
  readonly startedRuns: number;
  readonly users: ReadonlyMap<string, UserChange>;
  readonly models: ReadonlyMap<string, ModelChange>;
  readonly denials: ReadonlyMap<DenyReason, number>;
  /** By user and model, as one text. */
  readonly userModels: ReadonlyMap<string, UserModelChange>;
  /** By user and reason, as one text. */
  readonly userDenials: ReadonlyMap<string, UserDenialChange>;
  /** By model, status and bucket, as one text. */
  readonly modelCalls: ReadonlyMap<string, ModelCallChange>;
  /** Open holds of the workspace. */
  readonly heldPicoUsd: bigint;
  /** What counts on other days than `day`: usage and calls only. */
  readonly otherDays: readonly BatchChanges[];
  /** Of keys that have no record. */
  readonly newIdempotencyRecords: readonly IdempotencyRecord[];
  /** In the order of their changes. */
  readonly newAuditEntries: readonly AuditEntry[];
  /** Replace records that have expired. */
  readonly renewedIdempotencyRecords: readonly IdempotencyRecord[];
}

export interface UserChange {
  readonly runCounts: RunCounts;
  readonly usage: Usage;
  readonly startedRuns: number;
  /** null: the user started no run. */
  readonly lastSeenAt: number | null;
  readonly heldPicoUsd: bigint;
}

export interface ModelChange {
  readonly usage: Usage;
  /** null: nothing. */
  readonly parts: UsageParts | null;
  readonly reportedSteps: number;
}

export interface UserModelChange {
  readonly userId: string;
  readonly model: string;
  readonly usage: Usage;
  readonly reportedSteps: number;
}

export interface UserDenialChange {
  readonly userId: string;
  readonly reason: DenyReason;
  readonly denialCount: number;
}

/** Calls that were reported, whether they used anything or not. */
export interface ModelCallChange {
  readonly model: string;
  readonly status: EndStatus;
  /** Of their duration (domain/duration-buckets.ts). */
  readonly bucket: number;
  readonly callCount: number;
}

// ── The control plane ──────────────────────────────────────────────────────────────────────────────────────────────

export interface AccountStore {
  /** Creates the account with its workspace and first API key. False, and nothing is written, when the e-mail is taken. */
  register(
    registered: { account: Account; workspace: Workspace; apiKey: ApiKey },
    origin: Origin,
  ): Promise<boolean>;
  findByEmail(email: string): Promise<Account | null>;
  find(accountId: string): Promise<Account | null>;
  /** Sets the hash and increments the token version; null when the version is not the expected one. */
  changePassword(change: PasswordChange, origin: Origin): Promise<Account | null>;
  /** Increments the token version: every token of the account stops working. */
  endSessions(account: Account, origin: Origin): Promise<void>;
  /** Records that somebody has signed in; false if the account was removed or changed since it was read. */
  recordSignIn(account: Account, origin: Origin): Promise<boolean>;
}

export interface PasswordChange {
  /** As it was read before. */
  readonly account: Account;
  readonly passwordHash: string;
  readonly action: 'account.password_changed' | 'account.password_reset';
}

export interface ApiKeyStore {
  findByPrefix(prefix: string): Promise<ApiKey | null>;
  /** Newest first; of more than `limit` keys the active ones, and then the newest. */
  list(workspaceId: string, limit: number): Promise<ApiKey[]>;
  /** False, and nothing is written, when the workspace has `maxActive` active keys already. */
  insert(apiKey: ApiKey, bound: { maxActive: number }, origin: Origin): Promise<boolean>;
  /**
   * Inserts the key with the record of its creation. If there is a record with that Idempotency-Key since `since`,
   * nothing is written and that record is returned. `full`: as false for `insert`.
   */
  insertOnce(
    creation: { apiKey: ApiKey; record: IdempotencyRecord; since: number; maxActive: number },
    origin: Origin,
  ): Promise<IdempotencyRecord | 'inserted' | 'full'>;
  /** Whether there was such a key; revoking it again changes nothing. */
  revoke(key: { workspaceId: string; apiKeyId: string }, origin: Origin): Promise<boolean>;
  /** Revokes every key of the workspace and inserts this one, in one transaction. */
  replaceAll(apiKey: ApiKey, origin: Origin): Promise<void>;
  markUsed(key: { workspaceId: string; apiKeyId: string; usedAt: number }): Promise<void>;
}

export interface WorkspaceStore {
  find(workspaceId: string): Promise<Workspace | null>;
  findIdByEmailOrSlug(emailOrSlug: string): Promise<string | null>;
  /** Reads, changes and writes a workspace in one transaction. */
  change(workspaceId: string, change: WorkspaceChange, origin: Origin): Promise<Workspace>;
}

export interface PriceStore {
  /** Active prices by model, at most `limit`. */
  listActive(workspaceId: string, limit: number): Promise<ModelPrice[]>;
  /**
   * Creates or replaces the price of a model; an existing entry keeps its id, and gets a new version if an amount changes.
   * Null, and nothing is written, when it would be a new entry of a workspace that has `maxPrices` of them.
   */
  put(
    put: { workspaceId: string; price: NewPrice; maxPrices: number },
    origin: Origin,
  ): Promise<ModelPrice | null>;
}

export type NewPrice = Omit<ModelPrice, 'version'>;

/** Users that a prefix finds, so that the work of a search is bounded. */
export const MAX_USERS_EXAMINED = 10_000;

export interface UserStore {
  /** Most recently seen first; with a prefix, the first MAX_USERS_EXAMINED that it finds, in the order of their ids. */
  list(query: UserQuery): Promise<Page<User>>;
  /** Those of these users that exist, in any order. */
  listNamed(query: { workspaceId: string; userIds: readonly string[] }): Promise<User[]>;
  /** Those of these users that are blocked. */
  findBlocked(query: { workspaceId: string; userIds: readonly string[] }): Promise<string[]>;
  /** null: nothing is stored of such a user. */
  find(user: { workspaceId: string; userId: string }): Promise<User | null>;
  setBlocked(user: BlockChange, origin: Origin): Promise<User>;
}

export interface BlockChange {
  readonly workspaceId: string;
  readonly userId: string;
  readonly blocked: boolean;
  /** Why; undefined: a user who is blocked keeps the note. */
  readonly note?: string | null | undefined;
}

export interface MemberStore {
  /** In the order in which they joined. */
  list(workspaceId: string): Promise<Account[]>;
  /** The member with the new role; null when there is no such member. The last owner cannot be changed: this throws. */
  changeRole(
    change: { workspaceId: string; accountId: string; role: Role },
    origin: Origin,
  ): Promise<Account | null>;
  /** Whether there was such a member. The last owner cannot be removed: this throws. */
  remove(member: { workspaceId: string; accountId: string }, origin: Origin): Promise<boolean>;
  /** Those that have not expired, oldest first. */
  listInvitations(workspaceId: string, now: number): Promise<Invitation[]>;
  findInvitation(tokenHash: string): Promise<Invitation | null>;
  /**
   * Replaces an earlier invitation of the same e-mail. `member`: it is a member already; `full`: there are `maxMembers` members
   * and invitations. Invitations that have expired are deleted.
   */
  invite(
    given: { invitation: Invitation; maxMembers: number },
    origin: Origin,
  ): Promise<'invited' | 'member' | 'full'>;
  /** Whether there was such an invitation. */
  revokeInvitation(key: { workspaceId: string; invitationId: string }, origin: Origin): Promise<boolean>;
  /** Uses the invitation and creates the account. `taken`: the e-mail has an account; nothing is written then. */
  join(
    given: { account: Account; tokenHash: string },
    origin: Origin,
  ): Promise<'joined' | 'invalid' | 'taken'>;
}

/** Tells that a workspace has changed, and not what: for those who show it. */
export interface ChangeStore {
  /** In any order; at most MAX_MARKED_WORKSPACES. Absent: there is no such workspace. */
  readMarks(workspaceIds: readonly string[]): Promise<WorkspaceMarks[]>;
}

/** So that a statement is short. */
export const MAX_MARKED_WORKSPACES = 100;

/** Marks are compared, and have no order. */
export interface WorkspaceMarks {
  readonly workspaceId: string;
  /** Another one after each commit that changed runs, and maybe after others; null: only this process changes runs. */
  readonly runs: string | null;
  /** Another one after each change of the control plane. */
  readonly settings: string;
}

/** Append-only. */
export interface AuditStore {
  /** Newest first. */
  list(query: AuditQuery): Promise<Page<AuditEntry>>;
  /** Deletes entries from before a time, `limit` at most; returns how many. */
  deleteBefore(query: { before: number; limit: number }): Promise<number>;
}

/** null: any. */
export interface AuditQuery extends PageQuery {
  readonly workspaceId: string;
  readonly action: AuditAction | null;
  readonly actorId: string | null;
  readonly from: number | null;
  readonly to: number | null;
  /** Older entries are neither counted nor on a page: they are found with `to`. */
  readonly countUpTo: number;
}

export interface UserQuery extends PageQuery {
  readonly workspaceId: string;
  readonly blocked: boolean | null;
  readonly prefix?: string | undefined;
}

export interface PageQuery {
  readonly offset: number;
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: Item[];
  /** All items that match, on all pages. */
  readonly total: number;
}

// ── Reports ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Runs that a filter without a counter is applied to, so that its work is bounded. */
export const MAX_RUNS_EXAMINED = 10_000;
export const MAX_STEPS_EXAMINED = 10_000;

export interface RunStore {
  /** Newest first. */
  list(query: RunQuery): Promise<Page<RunSummary>>;
  /** Where the runs are that started in the given time; without one, all runs. */
  findPositions(query: { workspaceId: string } & Pick<RunFilter, 'from' | 'to'>): Promise<PositionRange>;
  /**
   * The newest of these positions that match, newest first, after at most `limit` runs that an index finds have been examined;
   * `next` is the newest position that remains, null if none does.
   */
  listNext(
    query: RunFilter & { workspaceId: string; positions: PositionRange; limit: number },
  ): Promise<{ runs: RunSummary[]; next: number | null }>;
  find(key: RunKey): Promise<Run | null>;
  /** The run that was started last with this entry of its metadata, as of the last write. */
  findNewestWith(
    query: { workspaceId: string } & MetadataEntry,
  ): Promise<Pick<RunState, 'id' | 'userId' | 'status' | 'leaseExpiresAt'> | null>;
  /**
   * The next steps of a run in order of sequence, then creation, as the run was when it was read: steps created since are
   * left out, and steps reported since are shown without their report. No snapshot is held between pages.
   */
  listSteps(query: StepPageQuery): Promise<StepPage>;
  /** The next decisions about the steps of a run, in the order in which they were made. */
  listDecisions(query: DecisionPageQuery): Promise<DecisionPage>;
  /** Whether the steps of a run, as it was read, are in the order of their ids: then pages are read by the primary key. */
  findStepOrder(query: RunKey & { stepCount: number }): Promise<StepOrder>;
  /** Active runs in all workspaces. */
  countActive(): Promise<number>;
  /** Whether a lease has to be looked at. */
  hasDueRuns(workspaceId: string): Promise<boolean>;
  /** Workspaces with runs that are due at a time, those that have waited longest first. */
  listDueWorkspaces(query: { now: number; limit: number }): Promise<string[]>;
}

/** Finds what an operator has a part of. Everything is found by a key. */
export interface SearchStore {
  findRuns(query: {
    workspaceId: string;
    /** Both included. */
    ids: { readonly first: string; readonly last: string };
    limit: number;
  }): Promise<RunSummary[]>;
  /** The id of the run with this step, if it is one of the MAX_RUNS_EXAMINED that had started last when the step was made. */
  findRunOfStep(step: { workspaceId: string; stepId: string }): Promise<string | null>;
  /** In the order of their ids. */
  findUsers(query: { workspaceId: string; prefix: string; limit: number }): Promise<string[]>;
}

export interface RunKey {
  readonly workspaceId: string;
  readonly runId: string;
}

export interface StepPageQuery extends RunKey {
  /** The run as it was read. */
  readonly asOf: Pick<Run, 'stepCount' | 'usageVersion'>;
  /** The last step of the page before. */
  readonly after: StepCursor | null;
  readonly limit: number;
  /** Payloads of a page together; one step is always returned. */
  readonly maxBytes: number;
  /** As `findStepOrder` says of sequences. Without it each page reads all steps of the run, without their payloads. */
  readonly isInOrderOfIds: boolean;
}

export interface DecisionPageQuery extends RunKey {
  readonly stepCount: number;
  readonly after: StepCursor | null;
  readonly limit: number;
  /** As `findStepOrder` says of positions. */
  readonly isInOrderOfIds: boolean;
}

export interface DecisionPage {
  readonly decisions: readonly StepDecision[];
  readonly next: StepCursor | null;
}

/** Agents create steps one after the other, and ids begin with the time: usually both are true. */
export interface StepOrder {
  readonly isBySequence: boolean;
  readonly isByPosition: boolean;
}

/** Payloads are bytes where the store can read them so. */
export interface ListedStep extends Omit<Step, 'inputData' | 'details'> {
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly error: string | null;
  /** What the tokens were priced with; null: the cost does not come from a price, or is of an earlier version. */
  readonly prices: TokenPrices | null;
  readonly inputData: JsonText | Uint8Array | null;
  readonly outputData: JsonText | Uint8Array | null;
}

export interface StepCursor {
  readonly id: string;
  readonly sequence: number;
  readonly position: number;
}

export interface StepPage {
  readonly steps: readonly ListedStep[];
  /** null: there are no more. */
  readonly next: StepCursor | null;
}

export interface StepDecision {
  readonly stepId: string;
  readonly decision: Decision;
  readonly decidedAt: number;
}

export interface RunQuery extends PageQuery, RunFilter {
  readonly workspaceId: string;
}

export interface RunFilter {
  readonly status: RunStatus | null;
  readonly userId: string | null;
  /** Started at this moment or later. */
  readonly from?: number | undefined;
  /** Started before this moment. */
  readonly to?: number | undefined;
  // Filters without a counter: they are applied to at most MAX_RUNS_EXAMINED runs that an index finds.
  readonly endReason?: EndReason | undefined;
  /** Only running runs with a lease whose last write is as long ago. */
  readonly idleMs?: number | undefined;
  /** Denied for this reason when it started, or one of its steps was. */
  readonly denyReason?: DenyReason | undefined;
  readonly hasDeniedSteps?: boolean | undefined;
  readonly metadata?: MetadataEntry | undefined;
}

/** Both included; empty if the newest is less than the oldest. */
export interface PositionRange {
  readonly oldest: number;
  readonly newest: number;
}

export interface UsageStore {
  /** Everything a report by day shows, as of one moment. */
  daily(range: UsageRange, bound: { maxModels: number }): Promise<DailyUsageRows>;
  /** Everything a summary shows, as of one moment. */
  summary(query: SummaryQuery): Promise<SummaryRows>;
  /** What limits would have changed for the newest MAX_RUNS_EXAMINED runs, as far as they started since a time. */
  guardrailEffects(query: GuardrailEffectQuery): Promise<GuardrailEffects>;
  /** The days from `from` to `to` inclusive that have any usage, oldest first. */
  listDays(range: UsageRange): Promise<DayUsage[]>;
  /** Most expensive first, then by name; at most `limit`. */
  listUsers(range: UsageRange, limit: number): Promise<UserUsage[]>;
  /** Everything that a report about a user shows, as of one moment. */
  ofUser(query: UserUsageQuery): Promise<UserUsageRows>;
  /** Everything that a report about a model shows, as of one moment. */
  ofModel(query: ModelUsageQuery): Promise<ModelUsageRows>;
}

export interface UserUsageQuery {
  readonly workspaceId: string;
  readonly userId: string;
  readonly days: readonly Day[];
  readonly maxModels: number;
}

/** Usage of a user, with the calls that were counted. */
export interface UserCalls extends Usage {
  readonly callCount: number;
}

export interface UserUsageRows {
  /** Those that have any usage, oldest first. */
  readonly days: readonly DayUsage[];
  /** Most expensive first, then by name. */
  readonly models: readonly (UserCalls & { readonly model: string })[];
  readonly modelTotal: UserCalls & { readonly modelCount: number };
  /** By reason. */
  readonly denials: readonly { readonly reason: DenyReason; readonly count: number }[];
}

export interface ModelUsageQuery {
  readonly workspaceId: string;
  readonly model: string;
  readonly days: readonly Day[];
}

/** Calls that ended on a day, by how they ended and the bucket of their duration. */
export interface ModelCalls {
  readonly day: Day;
  readonly status: EndStatus;
  readonly bucket: number;
  readonly callCount: number;
}

export interface ModelUsageRows {
  /** Those that have any usage, oldest first. */
  readonly days: readonly ModelDay[];
  /** Oldest day first. */
  readonly calls: readonly ModelCalls[];
}

/** Usage of one model. */
export interface ModelDay extends Usage, UsageParts {
  readonly day: Day;
}

export interface DailyUsageRows {
  /** Those that have any usage, oldest first. */
  readonly days: readonly DayUsage[];
  /** The most expensive models of each day, oldest day first, then by name. */
  readonly models: readonly ModelDayUsage[];
  /** All models of each day together. */
  readonly modelTotals: readonly (ModelTotal & { readonly day: Day })[];
  /** Oldest day first, then by reason. */
  readonly denials: readonly DenialCount[];
}

export interface SummaryQuery {
  readonly range: UsageRange;
  /** The first day of the users' usage. */
  readonly usersFrom: Day;
  readonly maxModels: number;
  readonly maxUsers: number;
  readonly now: number;
}

export interface SummaryRows {
  readonly days: readonly DayUsage[];
  /** Of the calendar month. */
  readonly monthlyRunCount: number;
  readonly heldPicoUsd: bigint;
  /** Most expensive first, then by name. */
  readonly models: readonly ModelUsage[];
  readonly modelTotal: ModelTotal;
  /** Most expensive first, then by name. */
  readonly users: readonly UserUsage[];
}

/** null: not asked for. */
export interface GuardrailEffectQuery {
  readonly workspaceId: string;
  readonly since: number;
  readonly now: number;
  readonly maxCostPicoUsd: bigint | null;
  readonly maxSteps: number | null;
  readonly maxDurationSeconds: number | null;
  readonly leaseSeconds: number | null;
}

/** Counts of runs that were allowed to start; 0 for what was not asked for. */
export interface GuardrailEffects {
  readonly runs: number;
  /** Whether there are older runs since that time. */
  readonly hasMoreRuns: boolean;
  /** Their next step would have been denied. */
  readonly runsAtMaxCost: number;
  /** One of their steps would have been denied. */
  readonly runsOverMaxSteps: number;
  readonly runsAtMaxDuration: number;
  readonly expiredRuns: number;
  /** Running, and without a write for as long as the lease. */
  readonly silentRuns: number;
  /** Allowed ones, of the newest runs that have MAX_STEPS_EXAMINED steps together at most. */
  readonly modelCalls: number;
  readonly modelCallsWithoutHold: number;
  readonly hasMoreSteps: boolean;
}

/** All models together. */
export interface ModelTotal extends Usage, UsageParts {
  readonly modelCount: number;
}

export interface UsageRange {
  readonly workspaceId: string;
  readonly from: Day;
  readonly to: Day;
}

export interface DayUsage extends Usage {
  readonly day: Day;
  readonly runCount: number;
}

export interface ModelUsage extends Usage, UsageParts {
  readonly model: string;
}

export interface ModelDayUsage extends ModelUsage {
  readonly day: Day;
}

export interface DenialCount {
  readonly day: Day;
  readonly reason: DenyReason;
  readonly count: number;
}

export interface UserUsage {
  readonly userId: string;
  readonly costPicoUsd: bigint;
  readonly runCount: number;
}

// ── Sign-in and maintenance ────────────────────────────────────────────────────────────────────────────────────────

/** Per recorded failure, so that deletion is bounded. */
export const MAX_FAILURES_FORGOTTEN = 100;

/** Failed sign-ins and other rate-limited events, by subject. */
export interface LoginFailureStore {
  /** The newest `limit` failures of a subject since a time, newest first. */
  listRecent(query: { subject: string; since: number; limit: number }): Promise<number[]>;
  /** Records one failure per subject and deletes failures before `forgetBefore`, MAX_FAILURES_FORGOTTEN at most. */
  record(failure: { subjects: readonly string[]; failedAt: number; forgetBefore: number }): Promise<void>;
}

export interface MaintenanceStore {
  /** The secret with this name; stores the candidate when there is none. */
  keepSecret(name: string, candidate: string): Promise<string>;
  /** Deletes records that were created before a time, `limit` at most; returns how many. */
  deleteIdempotencyRecords(query: { before: number; limit: number }): Promise<number>;
  /** Recomputes every counter from the runs and steps, and every cost from its price, and returns each one that differs. */
  verify(): Promise<VerifyReport>;
  /** Writes a consistent copy of the whole store to a new file. */
  backup(file: string): Promise<void>;
}

/** Copies everything from one store to another of any kind. */
export interface CopyStore {
  countRows(table: string): Promise<number>;
  /** The next rows in the order of the table's key, after the given one. */
  readRows(table: string, page: { after: CopyRow | null; limit: number }): Promise<CopyRow[]>;
  /** All rows or none. */
  writeRows(table: string, rows: readonly CopyRow[]): Promise<void>;
}

/** By column name; independent of the driver. */
export type CopyRow = Readonly<Record<string, null | string | bigint | boolean>>;

export interface VerifyReport {
  readonly counted: Readonly<Record<string, number>>;
  readonly differences: readonly CounterDifference[];
}

export interface CounterDifference {
  /** The counter's table and key. */
  readonly counter: string;
  readonly stored: string;
  readonly recomputed: string;
}

// ── What each method costs ─────────────────────────────────────────────────────────────────────────────────────────

/**
 * - `lookup`: a few rows by key. Its cost does not depend on the amount of data.
 * - `report`: grows with the data of a workspace. Limited, and served to workspaces in turn.
 * - `write`: a transaction. Limited, and served to workspaces in turn.
 */
export type MethodKind = 'lookup' | 'report' | 'write';

export type StoreGroups = Omit<Store, 'location' | 'batches' | 'now' | 'ping' | 'close'>;
export type GroupName = keyof StoreGroups;

/** The compiler requires an entry for every method. */
export const METHOD_KINDS: {
  readonly [Group in GroupName]: { readonly [Method in keyof StoreGroups[Group]]: MethodKind };
} = {
  accounts: {
    register: 'write',
    findByEmail: 'lookup',
    find: 'lookup',
    changePassword: 'write',
    endSessions: 'write',
    recordSignIn: 'write',
  },
  members: {
    list: 'report',
    changeRole: 'write',
    remove: 'write',
    listInvitations: 'report',
    findInvitation: 'lookup',
    invite: 'write',
    revokeInvitation: 'write',
    join: 'write',
  },
  apiKeys: {
    findByPrefix: 'lookup',
    list: 'report',
    insert: 'write',
    insertOnce: 'write',
    revoke: 'write',
    replaceAll: 'write',
    markUsed: 'write',
  },
  workspaces: { find: 'lookup', findIdByEmailOrSlug: 'lookup', change: 'write' },
  prices: { listActive: 'report', put: 'write' },
  users: { list: 'report', listNamed: 'report', findBlocked: 'report', find: 'lookup', setBlocked: 'write' },
  changes: { readMarks: 'lookup' },
  runs: {
    list: 'report',
    findPositions: 'report',
    listNext: 'report',
    find: 'report',
    findNewestWith: 'lookup',
    listSteps: 'report',
    listDecisions: 'report',
    findStepOrder: 'report',
    countActive: 'report',
    hasDueRuns: 'lookup',
    listDueWorkspaces: 'report',
  },
  search: { findRuns: 'report', findRunOfStep: 'report', findUsers: 'report' },
  usage: {
    daily: 'report',
    summary: 'report',
    guardrailEffects: 'report',
    listDays: 'report',
    listUsers: 'report',
    ofUser: 'report',
    ofModel: 'report',
  },
  audit: { list: 'report', deleteBefore: 'write' },
  loginFailures: { listRecent: 'lookup', record: 'write' },
  maintenance: { keepSecret: 'write', deleteIdempotencyRecords: 'write', verify: 'report', backup: 'report' },
  copy: { countRows: 'report', readRows: 'report', writeRows: 'write' },
};
