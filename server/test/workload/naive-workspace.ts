/**
 * A simple model of one workspace: every figure is recomputed from lists of what happened, without counters. Slow, and
 * easy to verify.
 */

import { isDeepStrictEqual } from 'node:util';
import { type Answer, created, type NaiveBody, ok, refused } from './naive-answer.js';
import { MAX_COUNTER, roundToPico, sum, toAtto, toPico, toUsd } from './naive-money.js';
import {
  decideLateStep,
  decideRun,
  decideStep,
  type NaiveDecision,
  type NaiveLimits,
  type RunProgress,
  type StepFacts,
} from './naive-rules.js';
import { dayOf, iso, monthOf } from './naive-time.js';

export interface NaiveStep {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly model: string | null;
  readonly toolName: string | null;
  readonly inputData: unknown;
  readonly decision: NaiveDecision;
  readonly createdAt: number;
  report: NaiveReport | null;
  /** In units of 10⁻¹² USD. */
  cost: bigint | null;
  costSource: string | null;
  /** Of a cost that comes from a price. */
  parts: NaiveCostParts | null;
  /** What it held when it was created. */
  readonly hold: bigint | null;
  isHeld: boolean;
  reportedOn: string | null;
}

export interface NaiveReport {
  readonly status: string;
  readonly duration: number | null;
  readonly prompt: number | null;
  readonly completion: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly reasoning: number | null;
  readonly costUsd: number | null;
  readonly output: unknown;
  readonly error: string | null;
  readonly isEstimated: boolean;
}

/** In units of 10⁻¹⁸ USD. */
export interface NaiveCostParts {
  readonly input: bigint;
  readonly cacheRead: bigint;
  readonly cacheWrite: bigint;
  readonly output: bigint;
  /** The prompt without a cache. */
  readonly promptAtInputPrice: bigint;
}

export interface NaiveUser {
  readonly isBlocked: boolean;
  readonly note: string | null;
  readonly blockedAt: number | null;
  readonly blockedBy: string | null;
  readonly lastSeenAt: number | null;
}

const NOT_BLOCKED: NaiveUser = {
  isBlocked: false,
  note: null,
  blockedAt: null,
  blockedBy: null,
  lastSeenAt: null,
};

export interface NaiveRun {
  readonly id: string;
  readonly user: string;
  readonly metadata: unknown;
  readonly startedAt: number;
  readonly startedOn: string;
  readonly decision: NaiveDecision;
  status: string;
  endedAt: number | null;
  endReason: string | null;
  readonly leaseSeconds: number | null;
  leaseExpiresAt: number | null;
  readonly limits: NaiveLimits;
  readonly steps: NaiveStep[];
}

export interface NaivePrice {
  readonly id: string;
  readonly inputUsd: number;
  readonly outputUsd: number;
  readonly cacheReadUsd: number | null;
  readonly cacheWriteUsd: number | null;
  readonly isActive: boolean;
}

export interface NaiveKey {
  id: string | null;
  readonly text: string;
  readonly prefix: string;
  readonly label: string | null;
  readonly scope: string;
  /** The end user whose runs it is limited to. */
  readonly user: string | null;
  /** An e-mail, or the name of a key. */
  readonly madeBy: string;
  isActive: boolean;
  readonly createdAt: number;
  lastUsedAt: number | null;
}

export const PLANS = ['basic', 'pro', 'scale', 'enterprise'];
export const MONTHLY_LIMITS: Readonly<Record<string, number | null>> = {
  basic: 1_000,
  pro: 50_000,
  scale: null,
  enterprise: null,
};
const UPGRADES: Readonly<Record<string, string>> = {
  'Kill switch': 'Scale or Enterprise',
  'Per-user daily budget': 'Pro or Scale',
  'Configurable concurrency': 'Pro or Scale',
};

export class NaiveWorkspace {
  readonly id: string;
  readonly slug: string;
  name: string;
  plan = 'basic';
  killSwitch = false;
  dailyBudgetUsd: number | null = null;
  userDailyBudgetUsd: number | null = null;
  maxConcurrentRuns = 3;
  runLeaseSeconds: number | null = 86_400;
  runLimits: NaiveLimits = {};
  repeatExemptTools: readonly string[] = [];
  requireHolds = false;
  denyUnpricedModels = false;
  readonly users = new Map<string, NaiveUser>();
  readonly prices = new Map<string, NaivePrice>();
  readonly runs: NaiveRun[] = [];
  readonly keys: NaiveKey[] = [];
  /** By Idempotency-Key. */
  readonly recorded = new Map<string, { request: string; answer: Answer; at: number }>();

  constructor(given: { id: string; slug: string; name: string }) {
    this.id = given.id;
    this.slug = given.slug;
    this.name = given.name;
  }

  // ── Commands ───────────────────────────────────────────────────────────────────────────────────────────────────────

  startRun(now: number, body: NaiveBody, newId: () => string): Answer {
    const id = newId();
    const user = body.user_id ?? '';
    const decision = decideRun({
      ...this.#facts(now, user, null),
      monthlyLimit: MONTHLY_LIMITS[this.plan] ?? null,
      startedThisMonth: this.startedInMonth(now),
      maxConcurrentRuns: this.maxConcurrentRuns,
      running: this.runs.filter(({ status }) => status === 'RUNNING').length,
    });
    const status = decision.reason === null ? 'RUNNING' : 'BLOCKED';
    const leaseSeconds = body.lease_seconds ?? this.runLeaseSeconds;
    const run: NaiveRun = {
      id,
      user,
      metadata: body.metadata ?? null,
      startedAt: now,
      startedOn: dayOf(now),
      decision,
      status,
      endedAt: null,
      endReason: null,
      leaseSeconds,
      leaseExpiresAt: null,
      limits: tightened(this.runLimits, body.limits ?? {}),
      steps: [],
    };
    renewLease(run, now);
    this.runs.push(run);
    this.users.set(user, { ...(this.users.get(user) ?? NOT_BLOCKED), lastSeenAt: now });
    const lease = body.lease_seconds == null ? {} : { lease_expires_at: isoOrNull(run.leaseExpiresAt) };
    return created({ id, status, decision: outcomeOf(decision), ...lease });
  }

  endRun(now: number, runId: string, body: NaiveBody): Answer {
    const run = this.findRun(runId);
    const status = body.status ?? '';
    if (run === undefined) return refused(404, 'Run not found');
    return this.#withReports(now, run, body, () => this.#endRun(now, run, status));
  }

  #endRun(now: number, run: NaiveRun, status: string): Answer {
    if (run.status === 'BLOCKED') return refused(400, 'The run was blocked at its start and cannot be ended');
    const isOpen = run.status === 'RUNNING' || run.endReason === 'LEASE_EXPIRED';
    if (!isOpen && run.status !== status)
      return refused(400, `The run has already ended with status ${run.status}`);
    if (isOpen) end(run, { status, at: now, reason: null });
    return ok({ id: run.id, status, ended_at: iso(run.endedAt ?? 0) });
  }

  stopRun(now: number, runId: string): Answer {
    const run = this.findRun(runId);
    if (run === undefined) return refused(404, 'Run not found');
    if (run.status === 'BLOCKED') return refused(400, 'The run was blocked at its start and cannot be ended');
    if (run.status !== 'RUNNING' && run.endReason !== 'STOPPED')
      return refused(400, `The run has already ended with status ${run.status}`);
    if (run.status === 'RUNNING') end(run, { status: 'FAILED', at: now, reason: 'STOPPED' });
    return ok({ id: run.id, status: 'FAILED', ended_at: iso(run.endedAt ?? 0), end_reason: 'STOPPED' });
  }

  heartbeat(now: number, runId: string): Answer {
    const run = this.findRun(runId);
    if (run === undefined) return refused(404, 'Run not found');
    renewLease(run, now);
    const facts = this.#facts(now, run.user, null);
    const progress = this.#progressOf(run, now, null, null);
    const decision = run.status === 'RUNNING' ? decideStep(facts, progress) : decideLateStep(facts);
    const { id, status } = run;
    return ok({ id, status, lease_expires_at: isoOrNull(run.leaseExpiresAt), decision: outcomeOf(decision) });
  }

  /** What happens by itself until now. */
  expireRuns(now: number): void {
    for (const run of this.runs) {
      const { status, leaseExpiresAt: at } = run;
      if (status !== 'RUNNING' || at === null || at > now) continue;
      end(run, { status: 'FAILED', at, reason: 'LEASE_EXPIRED' });
      run.leaseExpiresAt = at;
    }
  }

  createStep(now: number, runId: string, body: NaiveBody, newId: () => string): Answer {
    const run = this.findRun(runId);
    if (run === undefined) return refused(404, 'Run not found');
    return this.#withReports(now, run, body, () => this.#createStep(now, run, body, newId));
  }

  /** The reports and then the rest: all of it, or nothing. */
  #withReports(now: number, run: NaiveRun, { reports }: NaiveBody, rest: () => Answer): Answer {
    if (reports === undefined) return rest();
    const before = { ...run, steps: run.steps.map((step) => ({ ...step })) };
    const takeBack = (answer: Answer) => {
      Object.assign(run, { ...before, steps: run.steps });
      for (const [index, step] of before.steps.entries()) Object.assign(run.steps[index] ?? {}, step);
      return answer;
    };
    const reported: unknown[] = [];
    for (const [index, { step_id: stepId, ...report }] of reports.entries()) {
      const answer = this.updateStep(now, { runId: run.id, stepId }, report);
      const { detail } = answer.body as { detail?: string };
      if (answer.status !== 200) return takeBack(refused(answer.status, `body/reports/${index}: ${detail}`));
      reported.push(answer.body);
    }
    const answer = rest();
    if (answer.status >= 300) return takeBack(answer);
    return { ...answer, body: { ...(answer.body as object), reported } };
  }

  #createStep(now: number, run: NaiveRun, body: NaiveBody, newId: () => string): Answer {
    const hold = this.#holdOf(body);
    const facts = this.#facts(now, run.user, hold);
    const all = facts.spendToday + facts.held + (hold ?? 0n);
    if (hold !== null && hold > MAX_COUNTER)
      return refused(422, 'The cost of this step is larger than can be represented');
    const ofRun = costOf(run.steps) + this.heldOf((other) => other === run) + (hold ?? 0n);
    if (hold !== null && (all > MAX_COUNTER || ofRun > MAX_COUNTER))
      return refused(422, 'The amount is larger than can be represented');
    const id = newId();
    const progress = this.#progressOf(run, now, body, hold);
    const decision = run.status === 'RUNNING' ? decideStep(facts, progress) : decideLateStep(facts);
    renewLease(run, now);
    run.steps.push({
      id,
      type: body.type ?? '',
      sequence: body.sequence ?? 0,
      model: body.model ?? null,
      toolName: body.tool_name ?? null,
      inputData: body.input_data ?? null,
      decision,
      createdAt: now,
      report: null,
      cost: null,
      costSource: null,
      parts: null,
      hold: decision.reason === null ? hold : null,
      isHeld: decision.reason === null && hold !== null,
      reportedOn: null,
    });
    const status = decision.reason === null ? 'ALLOWED' : 'BLOCKED';
    const answer = { id, status, decision: outcomeOf(decision) };
    const hasEstimate = body.estimated_cost_usd != null || body.estimated_prompt_tokens != null;
    if (!hasEstimate) return created(answer);
    return created({
      ...answer,
      hold_usd: usdOrNull(hold),
      remaining_usd: usdOrNull(this.#remaining(now, run)),
    });
  }

  updateStep(now: number, { runId, stepId }: { runId: string; stepId: string }, body: NaiveBody): Answer {
    const run = this.findRun(runId);
    if (run === undefined) return refused(404, 'Run not found');
    const step = run.steps.find(({ id }) => id === stepId);
    if (step === undefined) return refused(404, 'Step not found');
    if (step.decision.reason !== null) return refused(400, 'The step was denied and cannot be updated');
    const report = toReport(body);
    const answer = ok({ id: stepId, status: report.status });
    if (step.report !== null) {
      if (isDeepStrictEqual(step.report, report)) return answer;
      return refused(400, `The step was already updated with status ${step.report.status} and other values`);
    }
    const { cost, source, parts } = this.#settled(step, report);
    const problem = this.#overflow({ run, step, model: step.model, day: dayOf(now), report, cost, parts });
    if (problem !== null) return refused(422, problem);
    renewLease(run, now);
    step.report = report;
    step.cost = cost;
    step.costSource = source;
    step.parts = parts;
    step.isHeld = false;
    step.reportedOn ??= dayOf(now);
    return answer;
  }

  setPrice(model: string, body: NaiveBody, newId: () => string): Answer {
    const price = {
      id: this.prices.get(model)?.id ?? newId(),
      inputUsd: body.input_cost_per_token ?? 0,
      outputUsd: body.output_cost_per_token ?? 0,
      cacheReadUsd: body.cache_read_cost_per_token ?? null,
      cacheWriteUsd: body.cache_write_cost_per_token ?? null,
      isActive: body.is_active ?? true,
    };
    this.prices.set(model, price);
    return ok(toApiPrice(model, price));
  }

  changeSettings(body: NaiveBody): Answer {
    const isBasic = this.plan === 'basic';
    if (body.user_daily_budget_usd != null && isBasic) return this.#planRefusal('Per-user daily budget');
    if (body.max_concurrent_runs != null && isBasic) return this.#planRefusal('Configurable concurrency');
    if (body.name != null) this.name = body.name;
    if (body.daily_budget_usd !== undefined) this.dailyBudgetUsd = body.daily_budget_usd;
    if (body.user_daily_budget_usd !== undefined) this.userDailyBudgetUsd = body.user_daily_budget_usd;
    if (body.max_concurrent_runs != null) this.maxConcurrentRuns = body.max_concurrent_runs;
    if (body.require_holds !== undefined) this.requireHolds = body.require_holds;
    if (body.deny_unpriced_models !== undefined) this.denyUnpricedModels = body.deny_unpriced_models;
    if (body.run_lease_seconds !== undefined) this.runLeaseSeconds = body.run_lease_seconds;
    const { repeat_exempt_tools, ...limits } = body.run_limits ?? {};
    this.runLimits = { ...this.runLimits, ...limits };
    this.repeatExemptTools = repeat_exempt_tools ?? this.repeatExemptTools;
    return ok(this.toApi());
  }

  setKillSwitch(isActive: boolean): Answer {
    if (isActive && !['scale', 'enterprise'].includes(this.plan)) return this.#planRefusal('Kill switch');
    this.killSwitch = isActive;
    return ok(this.toApi());
  }

  setPlan(plan: string): void {
    this.plan = plan;
    if (plan === 'basic' || plan === 'pro') this.killSwitch = false;
    if (plan === 'basic') {
      this.userDailyBudgetUsd = null;
      this.maxConcurrentRuns = 3;
    }
  }

  setBlocked(
    user: string,
    block: { isBlocked: boolean; note?: string | null; by: string; at: number },
  ): void {
    const { isBlocked, note, by, at } = block;
    const before = this.users.get(user);
    if (!isBlocked) {
      if (before !== undefined) this.users.set(user, { ...NOT_BLOCKED, lastSeenAt: before.lastSeenAt });
      return;
    }
    const newNote = note === undefined ? (before?.note ?? null) : note;
    if (before?.isBlocked === true && newNote === before.note) return;
    const lastSeenAt = before?.lastSeenAt ?? null;
    this.users.set(user, { isBlocked, note: newNote, blockedAt: at, blockedBy: by, lastSeenAt });
  }

  // ── Recounting ─────────────────────────────────────────────────────────────────────────────────────────────────────

  findRun(id: string): NaiveRun | undefined {
    return this.runs.find((run) => run.id === id);
  }

  /** Steps that are counted, with their runs: reported with tokens, or charged. */
  reported(isWanted: (step: NaiveStep, run: NaiveRun) => boolean): NaiveStep[] {
    const found: NaiveStep[] = [];
    for (const run of this.runs)
      for (const step of run.steps)
        if ((step.report?.prompt != null || step.cost !== null) && isWanted(step, run)) found.push(step);
    return found;
  }

  startedInMonth(now: number): number {
    const month = monthOf(now);
    return this.runs.filter(({ status, startedOn }) => status !== 'BLOCKED' && startedOn.startsWith(month))
      .length;
  }

  spendOn(day: string, user?: string): bigint {
    return costOf(
      this.reported((step, run) => step.reportedOn === day && (user === undefined || run.user === user)),
    );
  }

  toApi(): unknown {
    return {
      id: this.id,
      name: this.name,
      slug: this.slug,
      kill_switch: this.killSwitch,
      daily_budget_usd: this.dailyBudgetUsd,
      user_daily_budget_usd: this.userDailyBudgetUsd,
      max_concurrent_runs: this.maxConcurrentRuns,
      run_lease_seconds: this.runLeaseSeconds,
      require_holds: this.requireHolds,
      deny_unpriced_models: this.denyUnpricedModels,
      run_limits: { ...toApiLimits(this.runLimits), repeat_exempt_tools: this.repeatExemptTools },
    };
  }

  heldOf(isWanted: (run: NaiveRun) => boolean): bigint {
    const steps = this.runs.filter(isWanted).flatMap((run) => run.steps);
    return sum(steps.map(({ isHeld, hold }) => (isHeld ? (hold ?? 0n) : 0n)));
  }

  #holdOf(body: NaiveBody): bigint | null {
    if (body.estimated_cost_usd != null) return toPico(body.estimated_cost_usd);
    if (body.estimated_prompt_tokens == null) return null;
    const tokens = { prompt: body.estimated_prompt_tokens, completion: body.max_completion_tokens ?? 0 };
    const parts = this.#partsOf(body.model ?? null, { ...tokens, cacheRead: null, cacheWrite: null });
    return parts === null ? null : toCost(parts);
  }

  /** The least that is left. */
  #remaining(now: number, run: NaiveRun): bigint | null {
    const left: bigint[] = [];
    const add = (limitUsd: number | null | undefined, taken: bigint) => {
      if (limitUsd != null) left.push(toPico(limitUsd) - taken);
    };
    const { spendToday, userSpendToday, held, userHeld } = this.#facts(now, run.user, null);
    add(this.dailyBudgetUsd, spendToday + held);
    add(this.userDailyBudgetUsd, userSpendToday + userHeld);
    add(run.limits.max_cost_usd, costOf(run.steps) + this.heldOf((other) => other === run));
    left.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const [least] = left;
    if (least === undefined) return null;
    return least < 0n ? 0n : least;
  }

  /** What the report states, or the price; without tokens a completed step costs what it held. */
  #settled(
    step: NaiveStep,
    report: NaiveReport,
  ): Pick<NaiveStep, 'cost' | 'parts'> & { source: string | null } {
    if (report.costUsd !== null) return { cost: toPico(report.costUsd), source: 'reported', parts: null };
    if (report.prompt === null && step.hold !== null && report.status === 'COMPLETED')
      return { cost: step.hold, source: 'estimated', parts: null };
    const parts = this.#partsOf(step.model, report);
    if (parts !== null)
      return { cost: toCost(parts), source: report.isEstimated ? 'estimated' : 'price', parts };
    const held = report.prompt === null ? null : step.hold;
    return { cost: held, source: held === null ? null : 'estimated', parts: null };
  }

  #facts(now: number, user: string, hold: bigint | null): StepFacts {
    return {
      now,
      killSwitch: this.killSwitch,
      isBlocked: this.users.get(user)?.isBlocked ?? false,
      dailyBudgetUsd: this.dailyBudgetUsd,
      spendToday: this.spendOn(dayOf(now)),
      userDailyBudgetUsd: this.userDailyBudgetUsd,
      userSpendToday: this.spendOn(dayOf(now), user),
      held: this.heldOf(() => true),
      userHeld: this.heldOf((run) => run.user === user),
      hold,
    };
  }

  #progressOf(run: NaiveRun, now: number, step: NaiveBody | null, hold: bigint | null): RunProgress {
    const isExempt = this.repeatExemptTools.includes(step?.tool_name ?? '');
    const isRepeat = (other: NaiveStep) =>
      other.type === step?.type &&
      other.model === (step.model ?? null) &&
      other.toolName === (step.tool_name ?? null) &&
      isDeepStrictEqual(other.inputData, step.input_data);
    return {
      limits: run.limits,
      held: this.heldOf((other) => other === run),
      hold,
      isHoldMissing:
        this.requireHolds && step?.type === 'MODEL_CALL'
          ? hold === null || this.prices.get(step.model ?? '')?.isActive !== true
          : null,
      isUnpriced:
        this.denyUnpricedModels && step?.type === 'MODEL_CALL'
          ? this.prices.get(step.model ?? '')?.isActive !== true
          : null,
      cost: costOf(run.steps),
      allowedSteps: run.steps.filter(({ decision }) => decision.reason === null).length,
      seconds: (now - run.startedAt) / 1000,
      repeats: step?.input_data == null || isExempt ? 0 : run.steps.slice(-20).filter(isRepeat).length,
    };
  }

  #partsOf(
    model: string | null,
    tokens: Pick<NaiveReport, 'prompt' | 'completion' | 'cacheRead' | 'cacheWrite'>,
  ): NaiveCostParts | null {
    const price = model === null ? undefined : this.prices.get(model);
    if (tokens.prompt === null || tokens.completion === null || price?.isActive !== true) return null;
    const prompt = BigInt(tokens.prompt);
    const [read, written] = [BigInt(tokens.cacheRead ?? 0), BigInt(tokens.cacheWrite ?? 0)];
    return {
      input: toAtto(prompt - read - written, price.inputUsd),
      cacheRead: toAtto(read, price.cacheReadUsd ?? price.inputUsd),
      cacheWrite: toAtto(written, price.cacheWriteUsd ?? price.inputUsd),
      output: toAtto(BigInt(tokens.completion), price.outputUsd),
      promptAtInputPrice: toAtto(prompt, price.inputUsd),
    };
  }

  /** The refusal of a report that would overflow a counter; null if none overflows. */
  #overflow(given: {
    run: NaiveRun;
    step: NaiveStep;
    model: string | null;
    day: string;
    report: NaiveReport;
    cost: bigint | null;
    parts: NaiveCostParts | null;
  }): string | null {
    const { run, step, model, day, report, cost, parts } = given;
    if (report.prompt === null && report.costUsd === null) return null;
    const tooLarge = 'The cost of this step is larger than can be represented';
    if ((cost ?? 0n) > MAX_COUNTER) return tooLarge;
    const hasParts = report.cacheRead !== null || report.cacheWrite !== null || report.reasoning !== null;
    const isCacheUsed = parts !== null && savedIn(parts) !== 0n;
    if (isCacheUsed && roundToPico(parts.promptAtInputPrice + parts.output) > MAX_COUNTER) return tooLarge;
    const today = this.reported((step) => step.reportedOn === day);
    const ofUser = this.reported((step, { user }) => step.reportedOn === day && user === run.user);
    const ofModel = model === null ? [] : today.filter((step) => step.model === model);
    // The hold and the charge of the step itself are replaced.
    const own = step.isHeld ? (step.hold ?? 0n) : 0n;
    const held = (isWanted: (other: NaiveRun) => boolean) => this.heldOf(isWanted) - own;
    for (const [all, open] of [
      [run.steps, held((other) => other === run)],
      [today, held(() => true)],
      [ofUser, held(({ user }) => user === run.user)],
      [ofModel, 0n],
    ] as const) {
      const counted = all.filter((other) => other !== step);
      if (costOf(counted) + open + (cost ?? 0n) > MAX_COUNTER)
        return 'The spend counted with this step is larger than can be represented';
      if (tokensOf(counted) + tokensOfReport(report) > MAX_COUNTER)
        return 'The tokens counted with this step are more than can be represented';
    }
    const saved = savedBy(ofModel.filter((other) => other !== step)) + (parts === null ? 0n : savedIn(parts));
    if (hasParts && model !== null && (saved > MAX_COUNTER || saved < -MAX_COUNTER))
      return 'The savings counted with this step are larger than can be represented';
    return null;
  }

  #planRefusal(feature: string): Answer {
    return refused(
      403,
      `${feature} is not available on the ${this.plan} plan. Upgrade to ${UPGRADES[feature]}.`,
    );
  }
}

/** The smaller of both. */
function tightened(left: NaiveLimits, right: NaiveLimits): NaiveLimits {
  const all = toApiLimits(left);
  for (const [name, limit] of Object.entries(right))
    if (limit != null)
      all[name as keyof NaiveLimits] = Math.min(limit, all[name as keyof NaiveLimits] ?? limit);
  return all;
}

export function toApiLimits(limits: NaiveLimits): Record<keyof NaiveLimits, number | null> {
  return {
    max_cost_usd: limits.max_cost_usd ?? null,
    max_steps: limits.max_steps ?? null,
    max_duration_seconds: limits.max_duration_seconds ?? null,
    max_repeats: limits.max_repeats ?? null,
  };
}

function renewLease(run: NaiveRun, now: number): void {
  if (run.status === 'RUNNING' && run.leaseSeconds !== null)
    run.leaseExpiresAt = now + run.leaseSeconds * 1000;
}

/** Open holds are charged. */
function end(
  run: NaiveRun,
  { status, at, reason }: { status: string; at: number; reason: string | null },
): void {
  run.status = status;
  run.endedAt = at;
  run.endReason = reason;
  run.leaseExpiresAt = null;
  for (const step of run.steps) {
    if (!step.isHeld) continue;
    step.isHeld = false;
    step.cost = step.hold;
    step.costSource = 'estimated';
    step.reportedOn = dayOf(at);
  }
}

const usdOrNull = (amount: bigint | null) => (amount === null ? null : toUsd(amount));

export const isoOrNull = (time: number | null) => (time === null ? null : iso(time));

export const outcomeOf = ({ reason }: NaiveDecision) => ({
  outcome: reason === null ? 'ALLOW' : 'DENY',
  reason,
});

export const toApiPrice = (model: string, price: NaivePrice) => ({
  id: price.id,
  model,
  input_cost_per_token: price.inputUsd,
  output_cost_per_token: price.outputUsd,
  is_active: price.isActive,
  cache_read_cost_per_token: price.cacheReadUsd,
  cache_write_cost_per_token: price.cacheWriteUsd,
});

const toCost = ({ input, cacheRead, cacheWrite, output }: NaiveCostParts) =>
  roundToPico(input + cacheRead + cacheWrite + output);

const savedIn = (parts: NaiveCostParts) =>
  roundToPico(parts.promptAtInputPrice + parts.output) - toCost(parts);

/** What the cache saved: the cost without it, less the cost. */
export const savedBy = (steps: readonly NaiveStep[]) =>
  sum(steps.map(({ parts }) => (parts === null ? 0n : savedIn(parts))));

export const costOf = (steps: readonly NaiveStep[]) => sum(steps.map(({ cost }) => cost ?? 0n));

export const tokensOf = (steps: readonly NaiveStep[]) =>
  sum(steps.map(({ report }) => (report === null ? 0n : tokensOfReport(report))));

const tokensOfReport = ({ prompt, completion }: NaiveReport) => BigInt(prompt ?? 0) + BigInt(completion ?? 0);

/** One count given: the others are 0. */
function toReport(body: NaiveBody): NaiveReport {
  const hasTokens =
    body.prompt_tokens != null ||
    body.completion_tokens != null ||
    body.cache_read_tokens != null ||
    body.cache_write_tokens != null ||
    body.reasoning_tokens != null;
  return {
    status: body.status ?? '',
    duration: body.duration_ms ?? null,
    prompt: hasTokens ? (body.prompt_tokens ?? 0) : null,
    completion: hasTokens ? (body.completion_tokens ?? 0) : null,
    cacheRead: body.cache_read_tokens ?? null,
    cacheWrite: body.cache_write_tokens ?? null,
    reasoning: body.reasoning_tokens ?? null,
    costUsd: body.cost_usd ?? null,
    output: body.output_data ?? null,
    error: body.error ?? null,
    isEstimated: body.estimated ?? false,
  };
}
