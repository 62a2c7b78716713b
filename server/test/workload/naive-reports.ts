/** Everything that can be read of a workspace, recomputed from what happened in it. */

import { sum, toPico, toUsd } from './naive-money.js';
import type { NaiveDecision } from './naive-rules.js';
import { dayBefore, dayOf, iso } from './naive-time.js';
import {
  costOf,
  isoOrNull,
  MONTHLY_LIMITS,
  type NaiveRun,
  type NaiveStep,
  type NaiveWorkspace,
  outcomeOf,
  PLANS,
  savedBy,
  toApiLimits,
  toApiPrice,
  tokensOf,
} from './naive-workspace.js';

const IDLE_MS = 300_000;
const FEATURES = ['user_daily_budget', 'max_concurrent_runs', 'kill_switch'];
const PLAN_FEATURES: Readonly<Record<string, readonly string[]>> = {
  basic: [],
  pro: FEATURES.slice(0, 2),
  scale: FEATURES,
  enterprise: FEATURES,
};

export function runDetail(run: NaiveRun, now: number): unknown {
  const { step_count: _, deny_reason: __, denied_step_count: ___, ...item } = listItem(run);
  return {
    ...item,
    limits: toApiLimits(run.limits),
    held_usd: toUsd(sumHeld(run)),
    metadata: run.metadata,
    duration_ms: run.status === 'BLOCKED' ? 0 : (run.endedAt ?? now) - run.startedAt,
    steps: run.steps
      .map((step, position) => ({ step, position }))
      .sort((a, b) => a.step.sequence - b.step.sequence || a.position - b.position)
      .map(({ step }) => toApiStep(step)),
  };
}

/** The start and then the steps, in the order in which they were decided. */
export function runDecisions(run: NaiveRun): unknown {
  const explain = (stepId: string | null, decision: NaiveDecision, decidedAt: number) => ({
    subject: stepId === null ? 'run' : 'step',
    step_id: stepId,
    ...outcomeOf(decision),
    evaluated_rules: Object.fromEntries(decision.rules.map(({ rule, result }) => [rule, result])),
    rules: decision.rules,
    decided_at: iso(decidedAt),
  });
  return [
    explain(null, run.decision, run.startedAt),
    ...run.steps.map(({ id, decision, createdAt }) => explain(id, decision, createdAt)),
  ];
}

export function runPage(
  workspace: NaiveWorkspace,
  { query, now, onlyUser }: { query: URLSearchParams; now: number; onlyUser: string | null },
): unknown {
  const status = query.get('status');
  const user = query.get('user_id');
  const endReason = query.get('end_reason');
  const matching = workspace.runs
    .filter((run) => (status === null || run.status === status) && (user === null || run.user === user))
    .filter((run) => onlyUser === null || run.user === onlyUser)
    .filter((run) => endReason === null || run.endReason === endReason)
    .filter((run) => query.get('idle') === null || isSilent(run, now, IDLE_MS))
    .reverse();
  return pageOf(matching, query, listItem);
}

/** The last write renewed the lease. */
function isSilent({ status, leaseSeconds, leaseExpiresAt }: NaiveRun, now: number, ms: number): boolean {
  if (status !== 'RUNNING' || leaseSeconds === null || leaseExpiresAt === null) return false;
  return now - (leaseExpiresAt - leaseSeconds * 1000) >= ms;
}

export function userPage(workspace: NaiveWorkspace, query: URLSearchParams, now: number): unknown {
  const blocked = query.get('blocked');
  const search = query.get('search') || null;
  const ranked =
    query.get('sort') === 'spend' ? userCosts(workspace, now).map(({ user_id }) => user_id) : null;
  const matching = [...workspace.users]
    .map(([userId, user]) => ({ userId, ...user }))
    .filter(({ isBlocked }) => blocked === null || String(isBlocked) === blocked)
    .filter(({ userId }) => userId.startsWith(search ?? '') && ranked?.includes(userId) !== false)
    .sort((a, b) => {
      if (ranked !== null) return ranked.indexOf(a.userId) - ranked.indexOf(b.userId);
      if (search !== null) return byBytes(a.userId, b.userId);
      return (b.lastSeenAt ?? -1) - (a.lastSeenAt ?? -1) || byBytes(a.userId, b.userId);
    });
  return pageOf(matching, query, ({ userId }) => userBody(workspace, userId, now));
}

export function userBody(workspace: NaiveWorkspace, userId: string, now: number): object {
  const user = workspace.users.get(userId);
  const unpriced = workspace.reported(
    (step, run) => run.user === userId && step.reportedOn === dayOf(now) && step.cost === null,
  );
  return {
    user_id: userId,
    blocked: user?.isBlocked ?? false,
    run_count: workspace.runs.filter((run) => run.user === userId && run.status !== 'BLOCKED').length,
    spend_today_usd: toUsd(workspace.spendOn(dayOf(now), userId)),
    last_seen_at: user?.lastSeenAt == null ? null : iso(user.lastSeenAt),
    held_usd: toUsd(workspace.heldOf((run) => run.user === userId)),
    unpriced_tokens_today: Number(tokensOf(unpriced)),
    spend_30d_usd: toUsd(
      costOf(
        workspace.reported(
          (step, run) => run.user === userId && (step.reportedOn ?? '') >= dayBefore(now, 29),
        ),
      ),
    ),
    block_note: user?.note ?? null,
    blocked_at: isoOrNull(user?.blockedAt ?? null),
    blocked_by: user?.blockedBy ?? null,
  };
}

export function userDetail(
  workspace: NaiveWorkspace,
  userId: string,
  query: URLSearchParams,
  now: number,
): unknown {
  const days = daysOf(query, now);
  const steps = workspace.reported(
    (step, run) => run.user === userId && days.includes(step.reportedOn ?? ''),
  );
  const spend = (some: readonly NaiveStep[]) => ({
    total_usd: toUsd(costOf(some)),
    total_tokens: Number(tokensOf(some)),
    unpriced_tokens: Number(tokensOf(some.filter(({ cost }) => cost === null))),
  });
  return {
    ...userBody(workspace, userId, now),
    ...spend(steps),
    by_day: days.map((day) => ({
      day,
      ...spend(steps.filter(({ reportedOn }) => reportedOn === day)),
      run_count: workspace.runs.filter(
        (run) => run.user === userId && run.status !== 'BLOCKED' && run.startedOn === day,
      ).length,
    })),
    by_model: [...new Set(steps.flatMap(({ model }) => model ?? []))]
      .map((model) => ({ model, calls: steps.filter((step) => step.model === model) }))
      .sort((a, b) => byAmount(costOf(b.calls), costOf(a.calls)) || byBytes(a.model, b.model))
      .map(({ model, calls }) => ({
        model,
        total_usd: toUsd(costOf(calls)),
        ...tokenFields(calls),
        call_count: calls.length,
      })),
    denials: countReasons(
      workspace.runs.filter(({ user }) => user === userId),
      (day) => days.includes(day),
    ),
  };
}

export function modelDetail(
  workspace: NaiveWorkspace,
  model: string,
  query: URLSearchParams,
  now: number,
): unknown {
  const days = daysOf(query, now);
  const statistics = (isWantedDay: (day: string) => boolean) => {
    const {
      cost: _,
      model: __,
      ...used
    } = modelCosts(workspace, isWantedDay).find((entry) => entry.model === model) ?? {
      ...modelCost(model, []),
    };
    const calls = workspace.runs
      .flatMap(({ steps }) => steps)
      .filter((step) => step.model === model && step.report !== null && isWantedDay(step.reportedOn ?? ''));
    const failed = calls.filter(({ report }) => report?.status === 'FAILED').length;
    const durations = calls
      .flatMap(({ report }) => (report?.status === 'COMPLETED' ? (report.duration ?? []) : []))
      .sort((a, b) => a - b);
    return {
      ...used,
      completed_count: calls.length - failed,
      failed_count: failed,
      error_rate: calls.length === 0 ? null : failed / calls.length,
      p50_duration_ms: shownDuration(durations[Math.ceil(durations.length * 0.5) - 1]),
      p95_duration_ms: shownDuration(durations[Math.ceil(durations.length * 0.95) - 1]),
    };
  };
  return {
    model,
    ...statistics((day) => days.includes(day)),
    by_day: days.map((day) => ({ day, ...statistics((reportedOn) => reportedOn === day) })),
  };
}

/** The middle of a quarter of a doubling, from 8 ms to six days. */
function shownDuration(durationMs: number | undefined): number | null {
  if (durationMs === undefined) return null;
  if (durationMs < 8) return durationMs;
  let octave = 8;
  while (octave * 2 <= durationMs) octave *= 2;
  if (octave >= 2 ** 29) return 2 ** 29;
  const quarter = octave / 4;
  const lower = Math.floor(durationMs / quarter) * quarter;
  return Math.floor((lower + lower + quarter - 1) / 2);
}

function daysOf(query: URLSearchParams, now: number): string[] {
  const count = Number(query.get('days') ?? 30);
  return Array.from({ length: count }, (_, index) => dayBefore(now, count - 1 - index));
}

export function prices(workspace: NaiveWorkspace): unknown {
  return [...workspace.prices]
    .filter(([, { isActive }]) => isActive)
    .sort(([a], [b]) => byBytes(a, b))
    .map(([model, price]) => toApiPrice(model, price));
}

export function billing(workspace: NaiveWorkspace, now: number): unknown {
  const terms = (plan: string) => ({
    plan,
    monthly_run_limit: MONTHLY_LIMITS[plan] ?? null,
    features: PLAN_FEATURES[plan],
  });
  return {
    ...terms(workspace.plan),
    monthly_run_count: workspace.startedInMonth(now),
    max_concurrent_runs: workspace.maxConcurrentRuns,
    plans: PLANS.map((plan) => ({
      ...terms(plan),
      name: plan.charAt(0).toUpperCase() + plan.slice(1),
    })),
    plan_changes: 'self-service',
  };
}

export function usageSummary(workspace: NaiveWorkspace, now: number): unknown {
  const from = dayBefore(now, 29);
  return {
    today: breakdown(workspace, dayOf(now)),
    last_7_days: breakdown(workspace, dayBefore(now, 6)),
    last_30_days: breakdown(workspace, from),
    by_model: modelCosts(workspace, (day) => day >= from)
      .sort((a, b) => byAmount(b.cost, a.cost) || byBytes(a.model, b.model))
      .map(({ cost: _, unpriced_tokens: __, ...entry }) => entry),
    by_user: userCosts(workspace, now).map(({ user_id, cost, run_count }) => ({
      user_id,
      total_usd: toUsd(cost),
      run_count,
    })),
    monthly_run_count: workspace.startedInMonth(now),
    monthly_run_limit: MONTHLY_LIMITS[workspace.plan] ?? null,
    held_usd: toUsd(workspace.heldOf(() => true)),
  };
}

export function dailyUsage(workspace: NaiveWorkspace, query: URLSearchParams, now: number): unknown {
  const count = Number(query.get('days') ?? 30);
  return Array.from({ length: count }, (_, index) => {
    const day = dayBefore(now, count - 1 - index);
    const steps = workspace.reported((step) => step.reportedOn === day);
    return {
      day,
      ...breakdown(workspace, day, day),
      unpriced_tokens: Number(tokensOf(steps.filter(({ cost }) => cost === null))),
      by_model: modelCosts(workspace, (reportedOn) => reportedOn === day)
        .sort((a, b) => byBytes(a.model, b.model))
        .map(({ cost: _, ...entry }) => entry),
      denials: denialsOn(workspace, day),
    };
  });
}

/** No workspace of a workload has so many runs or steps that the service would not look at all of them. */
export function guardrailEffects(workspace: NaiveWorkspace, query: URLSearchParams, now: number): unknown {
  const from = dayBefore(now, Number(query.get('days') ?? 7) - 1);
  const runs = workspace.runs.filter(({ status, startedOn }) => status !== 'BLOCKED' && startedOn >= from);
  const allowed = ({ steps }: NaiveRun) => steps.filter(({ decision }) => decision.reason === null);
  const calls = runs.flatMap(allowed).filter(({ type }) => type === 'MODEL_CALL');
  const ifAsked = (parameter: string, reaches: (run: NaiveRun, limit: number) => boolean) => {
    const limit = query.get(parameter);
    return limit === null ? null : runs.filter((run) => reaches(run, Number(limit))).length;
  };
  return {
    runs: runs.length,
    has_more_runs: false,
    runs_at_max_cost: ifAsked('max_cost_usd', ({ steps }, usd) => costOf(steps) >= toPico(usd)),
    runs_over_max_steps: ifAsked('max_steps', (run, count) => allowed(run).length > count),
    runs_at_max_duration: ifAsked(
      'max_duration_seconds',
      ({ startedAt, endedAt }, seconds) => (endedAt ?? now) - startedAt >= seconds * 1000,
    ),
    expired_runs: runs.filter(({ endReason }) => endReason === 'LEASE_EXPIRED').length,
    silent_runs: ifAsked('run_lease_seconds', (run, seconds) => isSilent(run, now, seconds * 1000)),
    model_calls: calls.length,
    model_calls_without_hold: calls.filter(({ hold }) => hold === null).length,
    has_more_steps: false,
  };
}

/** Users with runs or usage in thirty days. */
function userCosts(workspace: NaiveWorkspace, now: number) {
  const from = dayBefore(now, 29);
  return [...new Set(workspace.runs.map(({ user }) => user))]
    .map((user) => {
      const steps = workspace.reported((step, run) => run.user === user && (step.reportedOn ?? '') >= from);
      const runs = workspace.runs.filter(
        (run) => run.user === user && run.status !== 'BLOCKED' && run.startedOn >= from,
      );
      return { user_id: user, cost: costOf(steps), run_count: runs.length, tokens: tokensOf(steps) };
    })
    .filter(({ run_count, tokens, cost }) => run_count > 0 || tokens > 0n || cost > 0n)
    .sort((a, b) => byAmount(b.cost, a.cost) || byBytes(a.user_id, b.user_id));
}

function breakdown(workspace: NaiveWorkspace, from: string, to = '9999'): object {
  const steps = workspace.reported(
    ({ reportedOn }) => (reportedOn ?? '') >= from && (reportedOn ?? '') <= to,
  );
  const runs = workspace.runs.filter(
    ({ status, startedOn }) => status !== 'BLOCKED' && startedOn >= from && startedOn <= to,
  );
  return { total_usd: toUsd(costOf(steps)), total_tokens: Number(tokensOf(steps)), run_count: runs.length };
}

function modelCosts(workspace: NaiveWorkspace, isWantedDay: (day: string) => boolean) {
  const steps = workspace.reported(
    ({ model, reportedOn }) => model !== null && isWantedDay(reportedOn ?? ''),
  );
  const models = [...new Set(steps.map(({ model }) => model ?? ''))];
  return models.map((model) =>
    modelCost(
      model,
      steps.filter((step) => step.model === model),
    ),
  );
}

function modelCost(model: string, steps: readonly NaiveStep[]) {
  return {
    model,
    cost: costOf(steps),
    total_usd: toUsd(costOf(steps)),
    ...tokenFields(steps),
    cache_read_tokens: Number(sum(steps.map(({ report }) => BigInt(report?.cacheRead ?? 0)))),
    cache_write_tokens: Number(sum(steps.map(({ report }) => BigInt(report?.cacheWrite ?? 0)))),
    reasoning_tokens: Number(sum(steps.map(({ report }) => BigInt(report?.reasoning ?? 0)))),
    cache_saved_usd: toUsd(savedBy(steps)),
  };
}

function tokenFields(steps: readonly NaiveStep[]) {
  return {
    prompt_tokens: Number(sum(steps.map(({ report }) => BigInt(report?.prompt ?? 0)))),
    completion_tokens: Number(sum(steps.map(({ report }) => BigInt(report?.completion ?? 0)))),
    unpriced_tokens: Number(tokensOf(steps.filter(({ cost }) => cost === null))),
  };
}

function denialsOn(workspace: NaiveWorkspace, day: string): unknown {
  return countReasons(workspace.runs, (other) => other === day);
}

function countReasons(runs: readonly NaiveRun[], isWantedDay: (day: string) => boolean): unknown {
  const reasons = runs
    .flatMap((run) => [
      ...(isWantedDay(run.startedOn) ? [run.decision.reason] : []),
      ...run.steps
        .filter(({ createdAt }) => isWantedDay(dayOf(createdAt)))
        .map(({ decision }) => decision.reason),
    ])
    .filter((reason) => reason !== null);
  return [...new Set(reasons)]
    .sort(byBytes)
    .map((reason) => ({ reason, count: reasons.filter((other) => other === reason).length }));
}

function listItem(run: NaiveRun) {
  return {
    id: run.id,
    user_id: run.user,
    status: run.status,
    started_at: iso(run.startedAt),
    ended_at: isoOrNull(run.endedAt),
    step_count: run.steps.length,
    total_tokens: Number(tokensOf(run.steps)),
    total_cost_usd: toUsd(costOf(run.steps)),
    end_reason: run.endReason,
    lease_expires_at: isoOrNull(run.leaseExpiresAt),
    deny_reason: run.decision.reason,
    denied_step_count: run.steps.filter(({ decision }) => decision.reason !== null).length,
  };
}

const sumHeld = ({ steps }: NaiveRun) =>
  steps.reduce((total, { isHeld, hold }) => total + (isHeld ? (hold ?? 0n) : 0n), 0n);

function toApiStep(step: NaiveStep): unknown {
  return {
    id: step.id,
    type: step.type,
    status: step.decision.reason !== null ? 'BLOCKED' : (step.report?.status ?? 'ALLOWED'),
    sequence: step.sequence,
    model: step.model,
    tool_name: step.toolName,
    prompt_tokens: step.report?.prompt ?? null,
    completion_tokens: step.report?.completion ?? null,
    cost_usd: step.cost === null ? null : toUsd(step.cost),
    duration_ms: step.report?.duration ?? null,
    input_data: step.inputData,
    output_data: step.report?.output ?? null,
    decision: outcomeOf(step.decision),
    created_at: iso(step.createdAt),
    hold_usd: step.hold === null ? null : toUsd(step.hold),
    cost_source: step.costSource,
    cache_read_tokens: step.report?.cacheRead ?? null,
    cache_write_tokens: step.report?.cacheWrite ?? null,
    reasoning_tokens: step.report?.reasoning ?? null,
    cost_parts:
      step.parts === null
        ? null
        : {
            input_usd: toUsd(step.parts.input, 18),
            cache_read_usd: toUsd(step.parts.cacheRead, 18),
            cache_write_usd: toUsd(step.parts.cacheWrite, 18),
            output_usd: toUsd(step.parts.output, 18),
          },
    error: step.report?.error ?? null,
  };
}

function pageOf<Item>(
  matching: readonly Item[],
  query: URLSearchParams,
  toApi: (item: Item) => unknown,
): unknown {
  const page = Number(query.get('page') ?? 1);
  const perPage = Number(query.get('per_page') ?? 50);
  const items = matching.slice((page - 1) * perPage, page * perPage).map(toApi);
  return { items, total: matching.length, page, per_page: perPage };
}

/** Names are in the order of their UTF-8 bytes on every store. */
const byBytes = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

const byAmount = (left: bigint, right: bigint) => (left < right ? -1 : left > right ? 1 : 0);
