/**
 * A month of a fictional company whose agents work for its staff and customers: runs, costs and denials. Every command goes
 * through the engine at its own time, so all counters are correct.
 */

import { searchCatalogue } from '../control/price-catalogue.js';
import type { Origin } from '../domain/audit.js';
import { DEFAULT_LEASE_SECONDS } from '../domain/lease.js';
import { type PicoUsd, toPicoUsd } from '../domain/money.js';
import { nextDayStart } from '../domain/period.js';
import type { ReportDetails, StepType } from '../domain/step.js';
import { newStepReport } from '../domain/step-report.js';
import type { WorkspaceSettings } from '../domain/workspace.js';
import type { Caller } from '../engine/command.js';
import type { Engine } from '../engine/engine.js';
import { hashOfDetails } from '../engine/step-fingerprint.js';
import type { Store } from '../store/store.js';
import type { SeededRandom } from './seeded-random.js';
import type { VirtualTimeline } from './virtual-timeline.js';

export const DEMO_DAYS = 30;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Times are multiples of this, so that events at the same time share a commit. */
const TICK_MS = 250;

const DAILY_BUDGET_USD = 10;
const USER_DAILY_BUDGET_USD = 2;
const MAX_CONCURRENT_RUNS = 6;

const RUNS_PER_WORKDAY = 26;
const RUNS_PER_WEEKEND_DAY = 9;
/** The minimum share of a day's runs, so that today is not empty just after midnight. */
const MIN_SHARE_OF_TODAY = 0.35;

const KILL_SWITCH_DAYS_AGO = 17;
/** A working day, whatever its weekday, on which the budget of the workspace is exceeded. */
const BUSY_DAYS_AGO = 11;
const BUSY_FACTOR = 3.5;
const BLOCK_DAYS_AGO = 8;
const NEW_MODEL_DAYS_AGO = 6;

const PRICED_MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-flash'];
/** How much of a prompt is read from the cache of the provider, after the first round. */
const CACHED_SHARE = 0.4;
const FAILURE = 'The tool answered with 503 Service Unavailable';
/** A model on the company's own machines that has no price yet. */
const UNPRICED_MODEL = 'llama-3.3-70b-onprem';

const BLOCKED_USER = 'scraper-7';
const HEAVY_USER = 'batch-importer';
const USERS = [
  'maria.keller',
  'tom.ito',
  'priya.nair',
  'jonas.weber',
  'acme-corp',
  'lena.fischer',
  'globex',
  'sam.okafor',
  'initech',
  'chloe.martin',
  'noah.lind',
  'umbrella-hr',
];

interface Agent {
  readonly name: string;
  readonly version: string;
  readonly models: readonly string[];
  readonly tools: readonly string[];
  readonly promptTokens: readonly [number, number];
  readonly completionTokens: readonly [number, number];
  readonly rounds: readonly [number, number];
  readonly task: string;
}

const AGENTS: readonly Agent[] = [
  {
    name: 'support-triage',
    version: '2.4.1',
    models: ['gpt-4o-mini', 'gpt-4o-mini', 'gpt-4o'],
    tools: ['search_tickets', 'get_customer', 'send_reply'],
    promptTokens: [2_400, 14_000],
    completionTokens: [180, 900],
    rounds: [1, 3],
    task: 'Answer the customer and set the priority of the ticket',
  },
  {
    name: 'research-assistant',
    version: '1.9.0',
    models: ['claude-sonnet-4-5', 'claude-sonnet-4-5', 'gemini-2.5-flash'],
    tools: ['web_search', 'read_page', 'take_notes'],
    promptTokens: [9_000, 58_000],
    completionTokens: [600, 3_400],
    rounds: [2, 4],
    task: 'Collect what competitors announced this week, with sources',
  },
  {
    name: 'invoice-extractor',
    version: '3.0.2',
    models: ['gemini-2.5-flash'],
    tools: ['read_document', 'check_vendor', 'book_invoice'],
    promptTokens: [4_000, 22_000],
    completionTokens: [250, 1_100],
    rounds: [1, 2],
    task: 'Read the invoice and prepare the booking',
  },
  {
    name: 'code-reviewer',
    version: '0.8.3',
    models: ['claude-sonnet-4-5', 'gpt-4o'],
    tools: ['get_diff', 'run_tests', 'post_comment'],
    promptTokens: [12_000, 46_000],
    completionTokens: [700, 2_600],
    rounds: [1, 3],
    task: 'Review the pull request and comment on what matters',
  },
];

export interface DemoMonthOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly timeline: VirtualTimeline;
  readonly random: SeededRandom;
  readonly caller: Caller;
  /** Of the changes of settings, prices and users. */
  readonly origin: Origin;
  readonly newId: () => string;
  /** The end of the month: now. */
  readonly end: number;
}

export class DemoMonth {
  readonly #options: DemoMonthOptions;

  constructor(options: DemoMonthOptions) {
    this.#options = options;
  }

  /** The start of the last day. */
  get #today(): number {
    return nextDayStart(this.#options.end) - DAY_MS;
  }

  async play(): Promise<void> {
    const { timeline, end } = this.#options;
    await this.#setUp();
    for (let daysAgo = DEMO_DAYS - 1; daysAgo >= 0; daysAgo -= 1) this.#planDay(daysAgo);
    this.#planIncidents();
    await timeline.playUntil(end);
    await this.#change({ runLeaseSeconds: DEFAULT_LEASE_SECONDS });
  }

  async #setUp(): Promise<void> {
    const { store, caller, origin, newId } = this.#options;
    await this.#change({
      dailyBudgetPicoUsd: usd(DAILY_BUDGET_USD),
      userDailyBudgetPicoUsd: usd(USER_DAILY_BUDGET_USD),
      maxConcurrentRuns: MAX_CONCURRENT_RUNS,
      // The service may be running: leases of the past would have ended long ago.
      runLeaseSeconds: null,
    });
    for (const model of PRICED_MODELS) {
      const [price] = await searchCatalogue(model, 1);
      if (price?.model !== model) throw new Error(`The catalogue has no price for ${model}`);
      const { inputAttoUsd, outputAttoUsd, cacheReadAttoUsd, cacheWriteAttoUsd } = price;
      const prices = {
        id: newId(),
        model,
        inputAttoUsd,
        outputAttoUsd,
        cacheReadAttoUsd,
        cacheWriteAttoUsd,
        isActive: true,
      };
      await store.prices.put(
        { workspaceId: caller.workspaceId, price: prices, maxPrices: PRICED_MODELS.length },
        origin,
      );
    }
  }

  #planDay(daysAgo: number): void {
    const { random, end } = this.#options;
    const start = this.#today - daysAgo * DAY_MS;
    const isBusy = daysAgo === BUSY_DAYS_AGO;
    const isWeekend = !isBusy && [0, 6].includes(new Date(start).getUTCDay());
    const isToday = daysAgo === 0;
    const elapsed = isToday ? end - start : DAY_MS;
    const growth = 0.75 + 0.5 * (1 - daysAgo / DEMO_DAYS);
    const usual = (isWeekend ? RUNS_PER_WEEKEND_DAY : RUNS_PER_WORKDAY) * growth * random.between(0.85, 1.15);
    const share = isToday ? Math.max(MIN_SHARE_OF_TODAY, elapsed / DAY_MS) : 1;
    const runs = Math.round(usual * share * (isBusy ? BUSY_FACTOR : 1));
    for (let index = 0; index < runs; index += 1) {
      const agent = random.pick(AGENTS);
      this.#planRun({
        at: start + elapsed * officeTime(random, isToday),
        agent,
        userId: random.pickEarly(USERS),
      });
    }
    if (!isWeekend || isToday) {
      const first = start + elapsed * random.between(0.2, 0.35);
      for (let index = 0; index < 9; index += 1) {
        this.#planRun({ at: first + index * elapsed * 0.05, agent: RESEARCH, userId: HEAVY_USER });
      }
    }
    const tries = daysAgo > BLOCK_DAYS_AGO + 4 ? 0 : daysAgo >= BLOCK_DAYS_AGO ? 5 : random.integer(2, 5);
    for (let index = 0; index < tries; index += 1) {
      const at = start + elapsed * random.between(0.05, 0.95);
      this.#planRun({ at, agent: RESEARCH, userId: BLOCKED_USER });
    }
  }

  #planIncidents(): void {
    const { timeline, store, caller, origin, random, end } = this.#options;
    const today = this.#today;

    const alarm = today - KILL_SWITCH_DAYS_AGO * DAY_MS + 14 * HOUR_MS;
    timeline.at(alarm, () => this.#change({ killSwitch: true }));
    timeline.at(alarm + 24 * MINUTE_MS, () => this.#change({ killSwitch: false }));
    for (let index = 0; index < 9; index += 1) {
      this.#planRun({
        at: alarm + (index - 1.5) * 3 * MINUTE_MS,
        agent: random.pick(AGENTS),
        userId: random.pick(USERS),
      });
    }

    const block = today - BLOCK_DAYS_AGO * DAY_MS + 23 * HOUR_MS;
    timeline.at(block, async () => {
      await store.users.setBlocked(
        { workspaceId: caller.workspaceId, userId: BLOCKED_USER, blocked: true },
        origin,
      );
    });

    // All users start at once, which exceeds the limit of concurrent runs.
    for (const at of [
      today - 20 * DAY_MS + 9 * HOUR_MS,
      today - 4 * DAY_MS + 13 * HOUR_MS,
      today + (end - today) / 2,
    ]) {
      for (const userId of USERS.slice(0, 9))
        this.#planRun({ at: at + random.between(0, 4) * SECOND_MS, agent: RESEARCH, userId });
    }

    // These runs are still running at the end of the month.
    for (const [index, secondsAgo] of [170, 75, 20].entries()) {
      this.#planRun({
        at: end - secondsAgo * SECOND_MS,
        agent: RESEARCH,
        userId: USERS[index] ?? HEAVY_USER,
        slow: true,
      });
    }
  }

  #planRun({ at, agent, userId, slow = false }: PlannedRun): void {
    const { timeline, engine, caller, newId, random, end } = this.#options;
    const start = tick(at);
    const isNewModel = start > end - NEW_MODEL_DAYS_AGO * DAY_MS;
    const steps = planSteps({ agent, random, slow, isNewModel });
    const fails = random.chance(0.06);
    const metadata = {
      agent: agent.name,
      version: agent.version,
      environment: random.chance(0.88) ? 'production' : 'staging',
      request: `req_${random.integer(100_000, 999_999)}`,
    };
    timeline.at(start, async () => {
      const runId = newId();
      const run = await engine.startRun(caller, { id: runId, userId, metadata: JSON.stringify(metadata) });
      if (run.status === 'RUNNING') {
        this.#planStep({ runId, steps, index: 0, at: start + tick(random.between(200, 900)), fails });
      }
    });
  }

  /**
   * Creates a step, reports its result, and plans the next step; the run ends after the last one. A report and the command
   * after it have the same time and share a commit, which halves the duration of the demo.
   */
  #planStep({ runId, steps, index, at, fails }: RunningPlan): void {
    const { timeline, engine, caller, newId, random } = this.#options;
    const step = steps[index];
    if (step === undefined) {
      this.#planEnd({ runId, at, fails });
      return;
    }
    timeline.at(at, async () => {
      const stepId = newId();
      const created = await engine.createStep(caller, {
        id: stepId,
        runId,
        type: step.type,
        sequence: index + 1,
        model: step.model,
        toolName: step.toolName,
        inputData: JSON.stringify(step.input),
      });
      if (created.status === 'BLOCKED') {
        // The agent gives up when a step is denied.
        this.#planEnd({ runId, at: at + TICK_MS, fails: true });
        return;
      }
      const failed = fails && index === steps.length - 2;
      timeline.at(at + step.durationMs, async () => {
        await engine.reportStep(caller, {
          runId,
          stepId,
          report: newStepReport({
            status: failed ? 'FAILED' : 'COMPLETED',
            durationMs: step.durationMs - random.integer(0, TICK_MS - 1),
            promptTokens: step.promptTokens,
            completionTokens: step.completionTokens,
            details: detailsOf(step, { failed }),
          }),
        });
      });
      const next = failed ? steps.length : index + 1;
      this.#planStep({
        runId,
        steps,
        index: next,
        at: at + step.durationMs,
        fails,
      });
    });
  }

  #planEnd({ runId, at, fails }: { runId: string; at: number; fails: boolean }): void {
    const { timeline, engine, caller } = this.#options;
    timeline.at(at, async () => {
      await engine.endRun(caller, { runId, status: fails ? 'FAILED' : 'COMPLETED' });
    });
  }

  async #change(settings: WorkspaceSettings): Promise<void> {
    const { store, caller, origin } = this.#options;
    await store.workspaces.change(caller.workspaceId, { kind: 'settings', settings }, origin);
  }
}

interface PlannedRun {
  readonly at: number;
  readonly agent: Agent;
  readonly userId: string;
  /** Takes long enough to be still running at the end of the month. */
  readonly slow?: boolean;
}

interface RunningPlan {
  readonly runId: string;
  readonly steps: readonly PlannedStep[];
  readonly index: number;
  readonly at: number;
  readonly fails: boolean;
}

function detailsOf({ cachedTokens }: PlannedStep, { failed }: { failed: boolean }): ReportDetails | null {
  if (cachedTokens === 0 && !failed) return null;
  const details = {
    cacheReadTokens: cachedTokens === 0 ? null : cachedTokens,
    cacheWriteTokens: null,
    reasoningTokens: null,
    statedPicoUsd: null,
    isEstimated: false,
    error: failed ? FAILURE : null,
    outputData: null,
  };
  return { ...details, hash: hashOfDetails(details, null) };
}

interface PlannedStep {
  readonly type: StepType;
  readonly model: string | null;
  readonly toolName: string | null;
  readonly durationMs: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Of the prompt tokens; 0 for other steps. */
  readonly cachedTokens: number;
  readonly input: object;
}

function planSteps(given: {
  agent: Agent;
  random: SeededRandom;
  slow: boolean;
  isNewModel: boolean;
}): PlannedStep[] {
  const { agent, random, slow, isNewModel } = given;
  const without = {
    model: null,
    toolName: null,
    promptTokens: null,
    completionTokens: null,
    cachedTokens: 0,
  };
  const rounds = random.integer(...agent.rounds) + (slow ? 2 : 0);
  const pace = slow ? 9 : 1;
  const steps: PlannedStep[] = [
    { ...without, type: 'INPUT', durationMs: TICK_MS, input: { task: agent.task } },
  ];
  for (let round = 0; round < rounds; round += 1) {
    const model = isNewModel && random.chance(0.12) ? UNPRICED_MODEL : random.pick(agent.models);
    const promptTokens = random.integer(...agent.promptTokens);
    const completionTokens = random.integer(...agent.completionTokens);
    steps.push({
      ...without,
      type: 'MODEL_CALL',
      model,
      durationMs: pace * tick(700 + completionTokens * random.between(2, 5)),
      promptTokens,
      completionTokens,
      // What the rounds before have sent, too.
      cachedTokens: round === 0 ? 0 : Math.floor(promptTokens * CACHED_SHARE),
      input: { messages: 3 + round * 2, temperature: 0.2, system: `You are ${agent.name}.` },
    });
    if (round === rounds - 1) break;
    const toolName = random.pick(agent.tools);
    steps.push({
      ...without,
      type: 'TOOL_CALL',
      toolName,
      durationMs: pace * tick(random.between(300, 3_800)),
      input: { tool: toolName, arguments: { query: agent.task.split(' ').slice(0, 4).join(' '), limit: 10 } },
    });
  }
  if (!slow) steps.push({ ...without, type: 'OUTPUT', durationMs: TICK_MS, input: { format: 'markdown' } });
  return steps;
}

const RESEARCH: Agent = AGENTS[1] ?? fail();

function fail(): never {
  throw new Error('The constants of the demo are invalid');
}

/** A time as a share of the day, mostly between 8:00 and 18:00. For today, a share of the time that has passed. */
function officeTime(random: SeededRandom, isToday: boolean): number {
  if (isToday || random.chance(0.2)) return random.between(0.001, 0.985);
  return random.between(8 / 24, 18 / 24);
}

function tick(ms: number): number {
  return Math.max(TICK_MS, Math.round(ms / TICK_MS) * TICK_MS);
}

function usd(amount: number): PicoUsd {
  return toPicoUsd(amount) ?? fail();
}
