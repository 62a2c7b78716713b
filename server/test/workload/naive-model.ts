/**
 * What the service should answer, written a second time in the plainest way: every figure is recounted from lists of what
 * happened, nothing is kept as a counter, and no code of the service is used. Slow, and easy to believe.
 */

export type Answer = { status: number; body: unknown };

interface ModelStep {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly model: string | null;
  readonly reason: string | null;
  readonly createdAt: number;
  report: {
    status: string;
    duration: number | null;
    prompt: number | null;
    completion: number | null;
  } | null;
  /** In units of 10⁻¹² USD. */
  cost: bigint | null;
  reportedAt: number | null;
}

interface ModelRun {
  readonly id: string;
  readonly user: string;
  readonly metadata: unknown;
  readonly startedAt: number;
  readonly reason: string | null;
  status: string;
  endedAt: number | null;
  readonly steps: ModelStep[];
}

export interface StepReport {
  readonly status: 'COMPLETED' | 'FAILED';
  readonly duration_ms?: number;
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
}

const MONTHLY: Record<string, number | null> = { basic: 1_000, pro: 50_000, scale: null, enterprise: null };
const UPGRADES: Record<string, string> = {
  'Kill switch': 'Scale or Enterprise',
  'Per-user daily budget': 'Pro or Scale',
  'Configurable concurrency': 'Pro or Scale',
};

export class NaiveModel {
  now = 0;
  plan = 'basic';
  killSwitch = false;
  /** Decimal text in USD, as sent. */
  dailyBudget: string | null = null;
  userDailyBudget: string | null = null;
  maxConcurrentRuns = 3;
  readonly blocked = new Set<string>();
  readonly seen = new Map<string, number>();
  readonly prices = new Map<string, { input: string; output: string; active: boolean }>();
  readonly runs: ModelRun[] = [];

  // ── Commands: each returns what the service should answer, and remembers what happened ─────────────────────────────

  startRun(id: string, user: string, metadata: unknown): Answer {
    const reason = this.#stepReason(user) ?? this.#startReason();
    const status = reason === null ? 'RUNNING' : 'BLOCKED';
    this.runs.push({ id, user, metadata, startedAt: this.now, reason, status, endedAt: null, steps: [] });
    this.seen.set(user, this.now);
    return { status: 201, body: { id, status, decision: decision(reason) } };
  }

  endRun(id: string, status: string): Answer {
    const run = this.runs.find((candidate) => candidate.id === id);
    if (run === undefined) return notFound('Run not found');
    if (run.status === 'BLOCKED') return refused(400, 'The run was blocked at its start and cannot be ended');
    if (run.status !== 'RUNNING' && run.status !== status) {
      return refused(400, `The run has already ended with status ${run.status}`);
    }
    if (run.status === 'RUNNING') {
      run.status = status;
      run.endedAt = this.now;
    }
    return { status: 200, body: { id, status, ended_at: iso(run.endedAt ?? 0) } };
  }

  createStep(
    id: string,
    runId: string,
    step: { type: string; sequence: number; model: string | null },
  ): Answer {
    const run = this.runs.find((candidate) => candidate.id === runId);
    if (run === undefined) return notFound('Run not found');
    const reason = run.status === 'RUNNING' ? this.#stepReason(run.user) : 'RUN_ALREADY_ENDED';
    run.steps.push({ ...step, id, reason, createdAt: this.now, report: null, cost: null, reportedAt: null });
    return {
      status: 201,
      body: { id, status: reason === null ? 'ALLOWED' : 'BLOCKED', decision: decision(reason) },
    };
  }

  updateStep(runId: string, stepId: string, report: StepReport): Answer {
    const run = this.runs.find((candidate) => candidate.id === runId);
    if (run === undefined) return notFound('Run not found');
    const step = run.steps.find((candidate) => candidate.id === stepId);
    if (step === undefined) return notFound('Step not found');
    if (step.reason !== null) return refused(400, 'The step was denied and cannot be updated');
    const anyTokens = report.prompt_tokens !== undefined || report.completion_tokens !== undefined;
    const wanted = {
      status: report.status,
      duration: report.duration_ms ?? null,
      prompt: anyTokens ? (report.prompt_tokens ?? 0) : null,
      completion: anyTokens ? (report.completion_tokens ?? 0) : null,
    };
    if (step.report !== null) {
      if (JSON.stringify(step.report) === JSON.stringify(wanted))
        return { status: 200, body: { id: stepId, status: wanted.status } };
      return refused(400, `The step was already updated with status ${step.report.status} and other values`);
    }
    step.report = wanted;
    step.reportedAt = this.now;
    const price = step.model === null ? undefined : this.prices.get(step.model);
    if (wanted.prompt !== null && wanted.completion !== null && price?.active === true) {
      step.cost = exactCost(wanted.prompt, price.input, wanted.completion, price.output);
    }
    return { status: 200, body: { id: stepId, status: wanted.status } };
  }

  setKillSwitch(active: boolean): string | null {
    if (active && !['scale', 'enterprise'].includes(this.plan)) return this.#planRefusal('Kill switch');
    this.killSwitch = active;
    return null;
  }

  setBudgets(given: { daily?: string | null; user?: string | null; concurrent?: number }): string | null {
    if (given.user != null && this.plan === 'basic') return this.#planRefusal('Per-user daily budget');
    if (given.concurrent !== undefined && this.plan === 'basic')
      return this.#planRefusal('Configurable concurrency');
    if (given.daily !== undefined) this.dailyBudget = given.daily;
    if (given.user !== undefined) this.userDailyBudget = given.user;
    if (given.concurrent !== undefined) this.maxConcurrentRuns = given.concurrent;
    return null;
  }

  setPlan(plan: string): void {
    this.plan = plan;
    if (plan === 'basic' || plan === 'pro') this.killSwitch = false;
    if (plan === 'basic') {
      this.userDailyBudget = null;
      this.maxConcurrentRuns = 3;
    }
  }

  // ── Readings ───────────────────────────────────────────────────────────────────────────────────────────────────────

  runDetail(id: string): unknown {
    const run = this.runs.find((candidate) => candidate.id === id);
    if (run === undefined) throw new Error('The model has no such run');
    const steps = run.steps
      .map((step, position) => ({ step, position }))
      .sort((a, b) => a.step.sequence - b.step.sequence || a.position - b.position)
      .map(({ step }) => ({
        id: step.id,
        type: step.type,
        status: step.reason !== null ? 'BLOCKED' : (step.report?.status ?? 'ALLOWED'),
        sequence: step.sequence,
        model: step.model,
        tool_name: null,
        prompt_tokens: step.report?.prompt ?? null,
        completion_tokens: step.report?.completion ?? null,
        cost_usd: step.cost === null ? null : usd(step.cost),
        duration_ms: step.report?.duration ?? null,
        input_data: null,
        output_data: null,
        decision: decision(step.reason),
        created_at: iso(step.createdAt),
      }));
    return {
      id,
      user_id: run.user,
      status: run.status,
      metadata: run.metadata,
      started_at: iso(run.startedAt),
      ended_at: run.endedAt === null ? null : iso(run.endedAt),
      total_tokens: tokensOf(run.steps),
      total_cost_usd: usd(costOf(run.steps)),
      duration_ms: run.status === 'BLOCKED' ? 0 : (run.endedAt ?? this.now) - run.startedAt,
      steps,
    };
  }

  runPage(filter: { status?: string; user?: string }, page: number, perPage: number): unknown {
    const matching = this.runs
      .filter((run) => filter.status === undefined || run.status === filter.status)
      .filter((run) => filter.user === undefined || run.user === filter.user)
      .reverse();
    const items = matching.slice((page - 1) * perPage, page * perPage).map((run) => ({
      id: run.id,
      user_id: run.user,
      status: run.status,
      started_at: iso(run.startedAt),
      ended_at: run.endedAt === null ? null : iso(run.endedAt),
      step_count: run.steps.length,
      total_tokens: tokensOf(run.steps),
      total_cost_usd: usd(costOf(run.steps)),
    }));
    return { items, total: matching.length, page, per_page: perPage };
  }

  usageSummary(): unknown {
    const models = new Set(this.#reported().flatMap(({ step }) => step.model ?? []));
    const users = new Set(this.runs.map(({ user }) => user));
    const inMonth = (run: ModelRun) =>
      run.status !== 'BLOCKED' && iso(run.startedAt).slice(0, 7) === iso(this.now).slice(0, 7);
    return {
      today: this.#breakdown(1),
      last_7_days: this.#breakdown(7),
      last_30_days: this.#breakdown(30),
      by_model: [...models]
        .map((model) => {
          const steps = this.#reported().filter(
            ({ step }) => step.model === model && this.#within(30, step.reportedAt),
          );
          return {
            model,
            cost: costOf(steps.map(({ step }) => step)),
            prompt_tokens: sum(steps.map(({ step }) => step.report?.prompt ?? 0)),
            completion_tokens: sum(steps.map(({ step }) => step.report?.completion ?? 0)),
            count: steps.length,
          };
        })
        .filter(({ count }) => count > 0)
        .sort((a, b) => compare(b.cost, a.cost) || compare(a.model, b.model))
        .map(({ model, cost, prompt_tokens, completion_tokens }) => ({
          model,
          total_usd: usd(cost),
          prompt_tokens,
          completion_tokens,
        })),
      by_user: [...users]
        .map((user) => {
          const steps = this.#reported().filter(
            ({ run, step }) => run.user === user && this.#within(30, step.reportedAt),
          );
          const runs = this.runs.filter(
            (run) => run.user === user && run.status !== 'BLOCKED' && this.#within(30, run.startedAt),
          );
          const tokens = tokensOf(steps.map(({ step }) => step));
          return {
            user_id: user,
            cost: costOf(steps.map(({ step }) => step)),
            run_count: runs.length,
            tokens,
          };
        })
        .filter(({ run_count, tokens }) => run_count > 0 || tokens > 0)
        .sort((a, b) => compare(b.cost, a.cost) || compare(a.user_id, b.user_id))
        .map(({ user_id, cost, run_count }) => ({ user_id, total_usd: usd(cost), run_count })),
      monthly_run_count: this.runs.filter(inMonth).length,
      monthly_run_limit: MONTHLY[this.plan] ?? null,
    };
  }

  user(userId: string): unknown {
    const lastSeen = this.seen.get(userId);
    return {
      user_id: userId,
      blocked: this.blocked.has(userId),
      run_count: this.runs.filter((run) => run.user === userId && run.status !== 'BLOCKED').length,
      spend_today_usd: usd(this.#spendToday(userId)),
      last_seen_at: lastSeen === undefined ? null : iso(lastSeen),
    };
  }

  // ── Recounting ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #stepReason(user: string): string | null {
    if (this.killSwitch) return 'KILL_SWITCH_ACTIVE';
    if (this.blocked.has(user)) return 'USER_BLOCKED';
    if (this.dailyBudget !== null && this.#spendToday() >= pico(this.dailyBudget))
      return 'WORKSPACE_DAILY_BUDGET_EXCEEDED';
    if (this.userDailyBudget !== null && this.#spendToday(user) >= pico(this.userDailyBudget))
      return 'USER_DAILY_BUDGET_EXCEEDED';
    return null;
  }

  #startReason(): string | null {
    const month = iso(this.now).slice(0, 7);
    const started = this.runs.filter(
      (run) => run.status !== 'BLOCKED' && iso(run.startedAt).slice(0, 7) === month,
    ).length;
    const limit = MONTHLY[this.plan] ?? null;
    if (limit !== null && started >= limit) return 'MONTHLY_RUN_LIMIT_EXCEEDED';
    const running = this.runs.filter((run) => run.status === 'RUNNING').length;
    return running >= this.maxConcurrentRuns ? 'MAX_CONCURRENT_RUNS_EXCEEDED' : null;
  }

  #spendToday(user?: string): bigint {
    const steps = this.#reported()
      .filter(({ run }) => user === undefined || run.user === user)
      .filter(({ step }) => this.#within(1, step.reportedAt));
    return costOf(steps.map(({ step }) => step));
  }

  #breakdown(days: number): unknown {
    const steps = this.#reported()
      .map(({ step }) => step)
      .filter((step) => this.#within(days, step.reportedAt));
    const runs = this.runs.filter((run) => run.status !== 'BLOCKED' && this.#within(days, run.startedAt));
    return { total_usd: usd(costOf(steps)), total_tokens: tokensOf(steps), run_count: runs.length };
  }

  #reported(): { run: ModelRun; step: ModelStep }[] {
    return this.runs
      .flatMap((run) => run.steps.map((step) => ({ run, step })))
      .filter(({ step }) => step.report?.prompt != null);
  }

  /** Whether a time is on one of the last `days` UTC days including today. */
  #within(days: number, time: number | null): boolean {
    if (time === null) return false;
    const midnight = Date.parse(`${iso(this.now).slice(0, 10)}T00:00:00.000Z`);
    return time >= midnight - (days - 1) * 86_400_000 && time < midnight + 86_400_000;
  }

  #planRefusal(feature: string): string {
    return `${feature} is not available on the ${this.plan} plan. Upgrade to ${UPGRADES[feature]}.`;
  }
}

function decision(reason: string | null): unknown {
  return { outcome: reason === null ? 'ALLOW' : 'DENY', reason };
}

function refused(status: number, detail: string): Answer {
  return { status, body: { detail } };
}

const notFound = (detail: string) => refused(404, detail);

const iso = (time: number) => new Date(time).toISOString();

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const tokensOf = (steps: readonly ModelStep[]) =>
  sum(steps.map(({ report }) => (report?.prompt ?? 0) + (report?.completion ?? 0)));

const costOf = (steps: readonly ModelStep[]) => steps.reduce((total, { cost }) => total + (cost ?? 0n), 0n);

/** Decimal text in USD → 10⁻¹² USD. */
const pico = (text: string) => scaled(text, 12);

function scaled(text: string, places: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}

function exactCost(prompt: number, input: string, completion: number, output: string): bigint {
  const atto = BigInt(prompt) * scaled(input, 18) + BigInt(completion) * scaled(output, 18);
  const down = atto / 1_000_000n;
  const rest = atto % 1_000_000n;
  const up = rest > 500_000n || (rest === 500_000n && down % 2n === 1n);
  return up ? down + 1n : down;
}

/** The JSON number of an amount, by way of its decimal text. */
function usd(amount: bigint): number {
  const digits = amount.toString().padStart(13, '0');
  return Number(`${digits.slice(0, -12)}.${digits.slice(-12)}`);
}

function compare<Value extends bigint | string>(left: Value, right: Value): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
