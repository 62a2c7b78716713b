/** The client: guarded runs, and the whole API as resources. */

import type { EndStatus, StartRun } from './api-types.js';
import { denialOf } from './denial.js';
import { ConfigurationError, type GuardUnavailable, RunDenied } from './errors.js';
import { GuardedRun, type RunContext } from './guarded-run.js';
import { Availability, type OnUnavailable } from './internal/availability.js';
import { readEnvironment } from './internal/environment.js';
import { DEFAULT_HOLD, type HoldOptions, type HoldSettings, toHoldSettings } from './internal/hold.js';
import type { RecordPayloads } from './internal/payloads.js';
import { Transport, type TransportOptions } from './internal/transport.js';
import { UnsentReports } from './internal/unsent-reports.js';
import { Keys } from './resources/keys.js';
import { Prices } from './resources/prices.js';
import { Runs } from './resources/runs.js';
import { Usage } from './resources/usage.js';
import { Users } from './resources/users.js';
import { WorkspaceSettings } from './resources/workspace-settings.js';

const DEFAULT_BASE_URL = 'http://127.0.0.1:8000';
const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_RETRIES = 2;
const DEFAULT_LEASE_SECONDS = 60;
/** As the service has it. A shorter lease would send too many heartbeats. */
const MIN_LEASE_SECONDS = 10;

/** Limits of a run. The service applies the smaller of these and the limits of the workspace. */
export interface RunLimitOptions {
  /** Of all steps. */
  readonly maxCostUsd?: number | null | undefined;
  /** Without denied steps. */
  readonly maxSteps?: number | null | undefined;
  /** Since the start of the run. */
  readonly maxDurationSeconds?: number | null | undefined;
  /** Equal steps among the last 20 of the run, by type, model or tool, and `inputData`. Up to 20. */
  readonly maxRepeats?: number | null | undefined;
}

export interface GuardedRunsOptions extends HoldOptions {
  /** Default: `GUARDED_RUNS_URL`, or `http://127.0.0.1:8000`. */
  readonly baseUrl?: string | undefined;
  /** Default: `GUARDED_RUNS_API_KEY`. */
  readonly apiKey?: string | undefined;
  /** Timeout of a single attempt. Default: 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of a request. Default: 2. */
  readonly maxRetries?: number | undefined;
  /**
   * A run ends by itself if the service has not heard of it for so long, for example because its process has died; the
   * client sends heartbeats during long calls. At least 10; default: 60. Null: no heartbeats, and the lease is that of
   * the workspace.
   */
  readonly leaseSeconds?: number | null | undefined;
  /** Limits of every run. Default: those of the workspace. */
  readonly limits?: RunLimitOptions | undefined;
  /**
   * What is stored of the inputs and outputs of steps. Default: `inputData` and `outputData` as the steps have them.
   * `true`: also the requests of the integrations and the results of all calls. A function is called with a copy of each
   * payload and returns what is stored instead, or null. `false`: nothing.
   */
  readonly recordPayloads?: RecordPayloads | undefined;
  /**
   * What to do if the guard is unavailable. `'deny'` (the default) throws `GuardUnavailable`. `'allow'` lets the agent
   * continue unguarded and unrecorded, and calls `onUnguarded`.
   */
  readonly onUnavailable?: OnUnavailable | undefined;
  /** Called once per outage when a run continues unguarded. The default logs a warning to the console. */
  readonly onUnguarded?: ((error: GuardUnavailable) => void) | undefined;
  /**
   * Called if the usage of a step or the end of a run could not be reported after all retries, or was refused. Its cost
   * is missing from the budgets. The result of your call is still returned. The default logs a warning to the console.
   */
  readonly onReportError?: ((error: unknown) => void) | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** The options that the client has as well override those of the client. */
export interface StartOptions extends HoldOptions {
  /** The end user that the agent runs for. */
  readonly userId: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly leaseSeconds?: number | null | undefined;
  /** Each limit that is set overrides the same limit of the client; null removes it. */
  readonly limits?: RunLimitOptions | undefined;
  readonly recordPayloads?: RecordPayloads | undefined;
  /** Aborts the permission request. */
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
  readonly #leaseSeconds: number | null;
  readonly #limits: RunLimitOptions;
  readonly #hold: HoldSettings;
  readonly #recordPayloads: RecordPayloads | undefined;

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
    this.#context = { runs: this.runs, availability, unsentReports: new UnsentReports(), onReportError };
    this.#leaseSeconds = toLeaseSeconds(options.leaseSeconds, DEFAULT_LEASE_SECONDS);
    this.#limits = options.limits ?? {};
    this.#hold = toHoldSettings(options, DEFAULT_HOLD);
    this.#recordPayloads = options.recordPayloads;
  }

  /**
   * Starts a run, passes it to the function and ends it as COMPLETED, or as FAILED if the function throws. The error is
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

  /** Starts a run that the caller ends with `end` or `await using`. Throws `RunDenied`. */
  async start(options: StartOptions): Promise<GuardedRun> {
    const { userId, signal } = options;
    const leaseSeconds = toLeaseSeconds(options.leaseSeconds, this.#leaseSeconds);
    const hold = toHoldSettings(options, this.#hold);
    const limits = toLimits(options.limits ?? {}, this.#limits);
    const body = toStartRun({ ...options, leaseSeconds }, limits);
    const started = await this.#context.availability.orNull(() => this.runs.start(body, { signal }));
    const reason = started === null ? null : denialOf(started.decision);
    if (started !== null && reason !== null) throw new RunDenied({ reason, runId: started.id });
    return new GuardedRun({
      id: started?.id ?? null,
      userId,
      // A service that does not know leases ignores them.
      leaseSeconds: started?.lease_expires_at == null ? null : leaseSeconds,
      hold,
      recordPayloads: options.recordPayloads ?? this.#recordPayloads,
      context: this.#context,
    });
  }

  /**
   * Sends all reports that are known now, and returns when each has been sent or has failed. Not needed after `run` or
   * `end`, nor in Node.js, Bun and Deno before the process exits by itself: only before `process.exit`, or before a
   * runtime suspends the process.
   */
  flush(): Promise<void> {
    return this.#context.unsentReports.flush({ isFinal: false });
  }
}

function toStartRun(
  { userId, metadata, leaseSeconds }: StartOptions,
  limits: StartRun['limits'] | null,
): StartRun {
  return {
    user_id: userId,
    ...(metadata === undefined ? {} : { metadata }),
    ...(leaseSeconds == null ? {} : { lease_seconds: leaseSeconds }),
    ...(limits == null ? {} : { limits }),
  };
}

/** Null without any limit. The service validates them. */
function toLimits(own: RunLimitOptions, inherited: RunLimitOptions): StartRun['limits'] | null {
  const limitOf = (name: keyof RunLimitOptions) => (own[name] === undefined ? inherited[name] : own[name]);
  const limits = Object.entries({
    max_cost_usd: limitOf('maxCostUsd'),
    max_steps: limitOf('maxSteps'),
    max_duration_seconds: limitOf('maxDurationSeconds'),
    max_repeats: limitOf('maxRepeats'),
  }).filter(([, limit]) => limit != null);
  return limits.length === 0 ? null : Object.fromEntries(limits);
}

function toTransportOptions(options: GuardedRunsOptions): TransportOptions {
  return {
    baseUrl: toBaseUrl(options.baseUrl ?? readEnvironment('GUARDED_RUNS_URL') ?? DEFAULT_BASE_URL),
    apiKey: toApiKey(options.apiKey ?? readEnvironment('GUARDED_RUNS_API_KEY')),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxRetries: options.maxRetries ?? DEFAULT_MAX_RETRIES,
    // Some runtimes reject a fetch that is not called as a global function.
    fetch: options.fetch ?? ((...given: Parameters<typeof fetch>) => fetch(...given)),
  };
}

/** Validated early, because a configuration error must not look like an unavailable guard. */
function toBaseUrl(text: string): string {
  const baseUrl = text.trim().replace(/\/+$/, '');
  if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new ConfigurationError(`baseUrl must be an http or https URL: ${text}`);
  }
  return baseUrl;
}

function toApiKey(text: string | undefined): string {
  const apiKey = text?.trim() ?? '';
  if (apiKey === '') throw new ConfigurationError('Pass apiKey or set GUARDED_RUNS_API_KEY');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new ConfigurationError('apiKey contains invalid characters');
  return apiKey;
}

function toLeaseSeconds(given: number | null | undefined, inherited: number | null): number | null {
  if (given === undefined) return inherited;
  if (given === null || (Number.isSafeInteger(given) && given >= MIN_LEASE_SECONDS)) return given;
  throw new ConfigurationError(`leaseSeconds must be an integer of at least ${MIN_LEASE_SECONDS}: ${given}`);
}

function warnUnguarded(error: GuardUnavailable): void {
  console.warn(`Guarded Runs: continuing unguarded because onUnavailable is 'allow'. ${error.message}`);
}

function warnReport(error: unknown): void {
  console.warn('Guarded Runs: a report could not be sent.', error);
}
