/** The client: guarded runs on top, the whole API as resources below. */

import type { EndStatus } from './api-types.js';
import { denialOf } from './denial.js';
import { ConfigurationError, type GuardUnavailable, RunDenied } from './errors.js';
import { GuardedRun, type RunContext } from './guarded-run.js';
import { Availability, type OnUnavailable } from './internal/availability.js';
import { readEnvironment } from './internal/environment.js';
import { Transport, type TransportOptions } from './internal/transport.js';
import { Keys } from './resources/keys.js';
import { Prices } from './resources/prices.js';
import { Runs } from './resources/runs.js';
import { Usage } from './resources/usage.js';
import { Users } from './resources/users.js';
import { WorkspaceSettings } from './resources/workspace-settings.js';

const DEFAULT_BASE_URL = 'http://127.0.0.1:8000';
const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_RETRIES = 2;

export interface GuardedRunsOptions {
  /** `GUARDED_RUNS_URL`, else the service on this machine. */
  readonly baseUrl?: string | undefined;
  /** `GUARDED_RUNS_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** How long one attempt of one request may take. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is tried again, at most. */
  readonly maxRetries?: number | undefined;
  /**
   * What to do when the guard cannot decide. `'deny'` (the default) throws `GuardUnavailable`: no guard, no agent.
   * `'allow'` lets the agent work unguarded and unrecorded, and says so.
   */
  readonly onUnavailable?: OnUnavailable | undefined;
  /** Called once per outage when work goes on unguarded. The default writes a warning to the console. */
  readonly onUnguarded?: ((error: GuardUnavailable) => void) | undefined;
  /**
   * Called when what a step used, or the end of a run, could not be reported, retries included: its cost is missing from
   * the budgets. Your call's answer is returned all the same. The default writes a warning to the console.
   */
  readonly onReportError?: ((error: unknown) => void) | undefined;
  readonly fetch?: typeof fetch | undefined;
}

export interface StartOptions {
  /** The end user for whom the agent runs. */
  readonly userId: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Gives up asking for permission. */
  readonly signal?: AbortSignal | undefined;
}

export class GuardedRuns {
  readonly runs: Runs;
  readonly usage: Usage;
  readonly workspace: WorkspaceSettings;
  readonly prices: Prices;
  readonly users: Users;
  readonly keys: Keys;
  readonly #context: RunContext;

  constructor(options: GuardedRunsOptions = {}) {
    const transport = new Transport(toTransportOptions(options));
    this.runs = new Runs(transport);
    this.usage = new Usage(transport);
    this.workspace = new WorkspaceSettings(transport);
    this.prices = new Prices(transport);
    this.users = new Users(transport);
    this.keys = new Keys(transport);
    const { onUnavailable = 'deny', onUnguarded = warnUnguarded, onReportError = warnReport } = options;
    const availability = new Availability({ onUnavailable, onUnguarded });
    this.#context = { runs: this.runs, availability, onReportError };
  }

  /**
   * Starts a run, passes it to the function and ends it: COMPLETED, or FAILED when the function throws, which is
   * rethrown. Throws `RunDenied` without calling the function.
   */
  async run<Result>(
    options: StartOptions,
    agent: (run: GuardedRun) => Result | PromiseLike<Result>,
  ): Promise<Result> {
    const run = await this.start(options);
    let status: EndStatus = 'FAILED';
    try {
      const result = await agent(run);
      status = 'COMPLETED';
      return result;
    } finally {
      await run.end(status).catch(this.#context.onReportError);
    }
  }

  /** Starts a run that the caller ends, with `end` or by `await using`. Throws `RunDenied`. */
  async start({ userId, metadata, signal }: StartOptions): Promise<GuardedRun> {
    const { availability } = this.#context;
    const body = { user_id: userId, ...(metadata === undefined ? {} : { metadata }) };
    const started = await availability.orWithout(() => this.runs.start(body, { signal }));
    const reason = started === null ? null : denialOf(started.decision);
    if (started !== null && reason !== null) throw new RunDenied({ reason, runId: started.id });
    return new GuardedRun({ id: started?.id ?? null, userId, context: this.#context });
  }
}

function toTransportOptions(options: GuardedRunsOptions): TransportOptions {
  return {
    baseUrl: toBaseUrl(options.baseUrl ?? readEnvironment('GUARDED_RUNS_URL') ?? DEFAULT_BASE_URL),
    apiKey: toApiKey(options.apiKey ?? readEnvironment('GUARDED_RUNS_API_KEY')),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxRetries: options.maxRetries ?? DEFAULT_MAX_RETRIES,
    // Looked up at each call, since some runtimes refuse a fetch that is torn from its global.
    fetch: options.fetch ?? ((...given: Parameters<typeof fetch>) => fetch(...given)),
  };
}

/** A mistake in the configuration must not look like a guard that is down. */
function toBaseUrl(text: string): string {
  const baseUrl = text.trim().replace(/\/+$/, '');
  if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new ConfigurationError(`The baseUrl is not an http or https URL: ${text}`);
  }
  return baseUrl;
}

function toApiKey(text: string | undefined): string {
  const apiKey = text?.trim() ?? '';
  if (apiKey === '') throw new ConfigurationError('Give an apiKey, or set GUARDED_RUNS_API_KEY');
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new ConfigurationError('The apiKey has characters that no key has');
  return apiKey;
}

function warnUnguarded(error: GuardUnavailable): void {
  console.warn(`Guarded Runs: going on unguarded, because onUnavailable is 'allow'. ${error.message}`);
}

function warnReport(error: unknown): void {
  console.warn('Guarded Runs: a report was lost.', error);
}
