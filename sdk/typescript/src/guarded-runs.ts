/** The client: guarded runs, and the whole API as resources. */

import type { EndStatus, StartedRun, StartRun } from './api-types.js';
import { denialOf } from './denial.js';
import { ConfigurationError, type GuardUnavailableError, mayBeProcessed, RunDeniedError } from './errors.js';
import { GuardedRun, type RunContext } from './guarded-run.js';
import { AbandonedStart } from './internal/abandoned-start.js';
import { Availability, type OnUnavailable } from './internal/availability.js';
import { findCurrentRun, withCurrentRun } from './internal/current-run.js';
import { readEnvironment } from './internal/environment.js';
import { ExitHook } from './internal/exit-hook.js';
import { DEFAULT_HOLD, type HoldOptions, type HoldSettings, toHoldSettings } from './internal/hold.js';
import { newIdempotencyKey } from './internal/idempotency-key.js';
import { Log, type LogLevel, toLogLevel } from './internal/log.js';
import { pause } from './internal/pause.js';
import type { RecordPayloads } from './internal/payloads.js';
import { describeRun, inSpan } from './internal/spans.js';
import { Transport, type TransportOptions } from './internal/transport.js';
import { type OnUnpriced, UnpricedModels } from './internal/unpriced-models.js';
import { UnsentReports } from './internal/unsent-reports.js';
import type { OnReportError } from './report-error.js';
import { Keys } from './resources/keys.js';
import { Prices } from './resources/prices.js';
import { Runs } from './resources/runs.js';
import { Usage } from './resources/usage.js';
import { Users } from './resources/users.js';
import { WorkspaceSettings } from './resources/workspace-settings.js';
import { followResult } from './streams/follow-result.js';

const DEFAULT_BASE_URL = 'http://127.0.0.1:8000';
const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_RETRIES = 2;
const FLUSH_TIMEOUT_MS = 10_000;
/** Whoever stops a process does not wait for long. */
const EXIT_FLUSH_MS = 2_000;
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
   * What to do if the guard is unavailable. `'deny'` (the default) throws `GuardUnavailableError`. `'allow'` lets the agent
   * continue unguarded and unrecorded, and calls `onUnguarded`.
   */
  readonly onUnavailable?: OnUnavailable | undefined;
  /**
   * What to do about a model without a price, whose calls cost nothing in the budgets. `'warn'` (the default) logs a warning
   * once per model, if the call has an estimate. `'deny'` throws `UnpricedModelError` and does not make the call.
   */
  readonly onUnpriced?: OnUnpriced | undefined;
  /** Called once per outage when a run continues unguarded. The default logs a warning to the console. */
  readonly onUnguarded?: ((error: GuardUnavailableError) => void) | undefined;
  /**
   * Called if the usage of a step or the end of a run could not be reported within a minute, or was refused. Its cost is
   * missing from the budgets. The result of your call is still returned. The default logs a warning to the console.
   */
  readonly onReportError?: OnReportError | undefined;
  /** What the client logs to the console: `'debug'` each request. Default: `GUARDED_RUNS_LOG`, or `'warn'`. */
  readonly logLevel?: LogLevel | undefined;
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
  /**
   * Of the job that the run is for: a job that is delivered again within 24 hours, and starts its run with the same options,
   * continues the same run instead of starting a second one.
   */
  readonly idempotencyKey?: string | undefined;
  /** Keeps a serverless function alive until the run has ended and is reported: for example `ctx.waitUntil`. */
  readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
}

/** The options that the client has as well override those of the client. */
export interface ResumeOptions extends HoldOptions {
  /** Of the process that resumes the run. It should be the lease that the run was started with. */
  readonly leaseSeconds?: number | null | undefined;
  readonly recordPayloads?: RecordPayloads | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
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
  #exitHook: ExitHook | null = null;

  constructor(options: GuardedRunsOptions = {}) {
    const log = new Log(toLogLevel(options.logLevel));
    const transport = new Transport(toTransportOptions(options, log));
    this.runs = new Runs(transport);
    this.usage = new Usage(transport);
    this.workspace = new WorkspaceSettings(transport);
    this.prices = new Prices(transport);
    this.users = new Users(transport);
    this.keys = new Keys(transport);
    const {
      onUnavailable = 'deny',
      onUnguarded = warnUnguarded(log),
      onReportError = warnReport(log),
    } = options;
    const availability = new Availability({ onUnavailable, onUnguarded, log });
    this.#context = {
      runs: this.runs,
      availability,
      unsentReports: new UnsentReports(),
      unpricedModels: new UnpricedModels({
        mode: options.onUnpriced ?? 'warn',
        prices: this.prices,
        availability,
        log,
      }),
      onReportError,
    };
    this.#leaseSeconds = toLeaseSeconds(options.leaseSeconds, DEFAULT_LEASE_SECONDS);
    this.#limits = options.limits ?? {};
    this.#hold = toHoldSettings(options, DEFAULT_HOLD);
    this.#recordPayloads = options.recordPayloads;
  }

  /**
   * Starts a run, passes it to the function and ends it: as FAILED if the function throws, or if its last step failed or was
   * denied and the error was swallowed, and otherwise as COMPLETED. The error is rethrown. Throws `RunDeniedError` without
   * calling the function.
   *
   * A run whose function returns a stream, such as a `Response`, ends when the stream has been read. So does a run with
   * calls that are still in flight.
   */
  async run<Result>(
    options: StartOptions,
    agent: (run: GuardedRun) => Result | PromiseLike<Result>,
  ): Promise<Result> {
    return inSpan(describeRun(options.userId), async (span) => {
      const run = await this.start(options).catch((error: unknown) => {
        span.failed(error);
        throw error;
      });
      span.setAttributes({ 'guarded_runs.run_id': run.id ?? undefined });
      void run.settled.then(() => span.ended(run.status));
      return this.#runAgent(run, agent);
    });
  }

  async #runAgent<Result>(
    run: GuardedRun,
    agent: (run: GuardedRun) => Result | PromiseLike<Result>,
  ): Promise<Result> {
    let result: Result;
    try {
      result = await withCurrentRun(run, () => agent(run));
    } catch (error) {
      await this.#end(run, 'FAILED');
      throw error;
    }
    const streamed = followResult(result, {
      onEnd: (failure) => {
        void (failure === null ? run.endWhenIdle({ idleMs: 0 }) : this.#end(run, 'FAILED'));
      },
      within: (call) => withCurrentRun(run, call),
    });
    if (streamed !== null) return streamed;
    // A framework may make its first call a moment after its stream is read.
    await pause(0);
    if (run.isIdle) await run[Symbol.asyncDispose]();
    else void run.endWhenIdle();
    return result;
  }

  /**
   * The run of the `guard.run` that this is called in, however deep; null outside of one, and in runtimes without
   * AsyncLocalStorage.
   */
  currentRun(): GuardedRun | null {
    return findCurrentRun();
  }

  /** Starts a run that the caller ends with `end` or `await using`. Throws `RunDeniedError`. */
  async start(options: StartOptions): Promise<GuardedRun> {
    const { userId } = options;
    const leaseSeconds = toLeaseSeconds(options.leaseSeconds, this.#leaseSeconds);
    const hold = toHoldSettings(options, this.#hold);
    const limits = toLimits(options.limits ?? {}, this.#limits);
    const body = toStartRun({ ...options, leaseSeconds }, limits);
    const started = await this.#context.availability.orNull(() => this.#requestStart(body, options));
    const reason = started === null ? null : denialOf(started.decision);
    if (started !== null && reason !== null)
      throw new RunDeniedError({ reason, runId: started.id, deniedBy: started.deniedBy });
    return this.#newRun(options, {
      id: started?.id ?? null,
      userId,
      // A service that does not know leases ignores them.
      leaseSeconds: started?.leaseExpiresAt == null ? null : leaseSeconds,
      hold,
    });
  }

  /**
   * Continues a run that was started elsewhere, for example by the process that put a job into a queue. Throws
   * `RunDeniedError` if it has ended, and `NotFoundError` if there is none. Whoever finishes the work ends the run.
   */
  async resume(runId: string, options: ResumeOptions = {}): Promise<GuardedRun> {
    const { signal } = options;
    const leaseSeconds = toLeaseSeconds(options.leaseSeconds, this.#leaseSeconds);
    const hold = toHoldSettings(options, this.#hold);
    const found = await this.#context.availability.orNull(() => this.runs.get(runId, { signal }));
    if (found !== null && found.status !== 'RUNNING') {
      throw new RunDeniedError({ reason: 'RUN_ALREADY_ENDED', runId });
    }
    return this.#newRun(options, {
      id: found === null ? null : runId,
      userId: found?.userId ?? '',
      leaseSeconds: found?.leaseExpiresAt == null ? null : leaseSeconds,
      hold,
      lastSequence: Math.max(0, ...(found?.steps ?? []).map(({ sequence }) => sequence)),
    });
  }

  #newRun(
    { recordPayloads = this.#recordPayloads, waitUntil }: Pick<StartOptions, 'recordPayloads' | 'waitUntil'>,
    given: Omit<ConstructorParameters<typeof GuardedRun>[0], 'recordPayloads' | 'context'>,
  ): GuardedRun {
    const run = new GuardedRun({ ...given, recordPayloads, context: this.#context });
    waitUntil?.(run.settled);
    this.#exitHook?.add(run);
    return run;
  }

  /** A start without a response is undone in the background, unless its job is delivered again. */
  async #requestStart(
    body: StartRun,
    { signal, idempotencyKey }: Pick<StartOptions, 'signal' | 'idempotencyKey'>,
  ): Promise<StartedRun> {
    const key = idempotencyKey ?? newIdempotencyKey();
    const isAborted = signal?.aborted;
    try {
      return await this.runs.start(body, { signal, idempotencyKey: key });
    } catch (error) {
      const isAbandoned = mayBeProcessed(error) || signal?.aborted !== isAborted;
      if (isAbandoned && idempotencyKey === undefined) {
        new AbandonedStart({
          unsent: this.#context.unsentReports,
          start: () => this.runs.start(body, { idempotencyKey: key, maxRetries: 0 }),
          end: (runId) => this.runs.end(runId, { status: 'FAILED' }),
        });
      }
      throw error;
    }
  }

  async #end(run: GuardedRun, status: EndStatus): Promise<void> {
    if (run.hasEnded) return;
    const { onReportError } = this.#context;
    await run.end(status).catch((error: unknown) => {
      onReportError({ runId: run.id ?? '', stepId: null, usage: null, error });
    });
  }

  /**
   * Ends the runs that are open as FAILED, and sends their reports, when the process is told to stop (SIGTERM, SIGINT) or has
   * an uncaught error, before it exits as it would have. Without it, the lease ends them. Only in Node.js, Bun and Deno.
   * Returns a function that removes the hook.
   */
  endRunsOnExit(): () => void {
    this.#exitHook?.remove();
    const hook = new ExitHook({
      end: (run) => this.#end(run, 'FAILED'),
      flush: () => this.flush({ timeoutMs: EXIT_FLUSH_MS }),
    });
    this.#exitHook = hook;
    return () => {
      hook.remove();
      if (this.#exitHook === hook) this.#exitHook = null;
    };
  }

  /**
   * Sends all reports that are known now, and returns when each has been sent or has failed, after 10 seconds at the latest.
   * Not needed in Node.js, Bun and Deno before the process exits by itself: only before `process.exit`, or before a runtime
   * suspends the process; see also `waitUntil`.
   */
  flush({ timeoutMs = FLUSH_TIMEOUT_MS }: { timeoutMs?: number } = {}): Promise<void> {
    return this.#context.unsentReports.flush({ untilMs: performance.now() + timeoutMs, isFinal: false });
  }
}

function toStartRun(
  { userId, metadata, leaseSeconds }: StartOptions,
  limits: StartRun['limits'] | null,
): StartRun {
  return {
    userId,
    explain: true,
    ...(metadata === undefined ? {} : { metadata }),
    ...(leaseSeconds == null ? {} : { leaseSeconds }),
    ...(limits == null ? {} : { limits }),
  };
}

const LIMITS = ['maxCostUsd', 'maxSteps', 'maxDurationSeconds', 'maxRepeats'] as const;

/** Null without any limit. The service validates them. */
function toLimits(own: RunLimitOptions, inherited: RunLimitOptions): StartRun['limits'] | null {
  const limitOf = (name: keyof RunLimitOptions) => (own[name] === undefined ? inherited[name] : own[name]);
  const limits = LIMITS.map((name) => [name, limitOf(name)] as const).filter(([, limit]) => limit != null);
  return limits.length === 0 ? null : Object.fromEntries(limits);
}

function toTransportOptions(options: GuardedRunsOptions, log: Log): TransportOptions {
  return {
    log,
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

function warnUnguarded(log: Log): (error: GuardUnavailableError) => void {
  return ({ message }) => log.warn(`continuing unguarded because onUnavailable is 'allow'. ${message}`);
}

function warnReport(log: Log): OnReportError {
  return ({ error, ...lost }) => log.warn('a report could not be sent.', lost, error);
}
