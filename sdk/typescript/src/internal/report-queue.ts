/**
 * The reports of a run that the service has not confirmed, and its end. Reports are sent with the next step or the end of
 * the run, or on their own if there is none soon. A report may be sent more than once, because the service accepts a
 * repetition: so every decision sees all reports before it, including those of requests that are still in flight.
 *
 * While the service is unavailable, attempts are repeated in the background: as long as the run goes on, and for a minute
 * after its end.
 */

import type { StepReport } from '../api-types.js';
import { ApiError, BodyTooLargeError, GuardedRunsError, isUnavailableError } from '../errors.js';
import { type OnReportError, usageIn } from '../report-error.js';
import { Backoff } from './backoff.js';
import { orAfter } from './pause.js';
import { repeatAttempts } from './repeat-attempts.js';
import { unrefTimer } from './unref-timer.js';
import type { FlushOptions, UnsentReports } from './unsent-reports.js';

/** How long a report waits for the next step. */
const WAIT_MS = 50;
const MAX_REPORTS_PER_REQUEST = 100;
/** Of a request with its reports; the service accepts 1 MiB. */
const MAX_REQUEST_BYTES = 900 * 1_024;
/** Of a report without its payload and its error, and of an end. */
const REPORT_BYTES = 512;
/** How long the result of an agent waits for the end of its run. */
const END_WAIT_MS = 1_000;
/** One attempt now; if the service is unavailable, the others follow in the background. */
const ONCE: FlushOptions = { untilMs: 0, isFinal: false };
/** After so many refusals a step no longer waits: its request is sent without reports. */
const MAX_REFUSALS_PER_REQUEST = 3;
const MAX_REQUESTS_AT_ONCE = 10;

export interface ReportQueueOptions {
  readonly runId: string;
  /** Shared by all runs of the client. */
  readonly unsent: UnsentReports;
  /** Sends one report on its own. */
  readonly send: (report: StepReport) => Promise<unknown>;
  readonly onReportError: OnReportError;
}

/** Part of the body of a request; empty without reports. */
export interface Carried {
  readonly reports?: readonly StepReport[];
}

export type SendEnd = (carried: Carried) => Promise<{ readonly reported?: unknown }>;

/** The end of the run, until the service has confirmed or refused it. */
interface PendingEnd {
  readonly send: SendEnd;
  readonly settled: (error: unknown) => void;
  /** In flight. Returns the error of an unavailable service, or null. */
  attempt: Promise<unknown> | null;
}

interface Entry {
  /** Without its payload after the service has refused it. */
  report: StepReport;
  readonly bytes: number;
  /** Requests in flight that include it. */
  requestCount: number;
}

export class ReportQueue {
  readonly #options: ReportQueueOptions;
  /** In the order of the reports. */
  #entries: Entry[] = [];
  readonly #requests = new Set<Promise<unknown>>();
  readonly #backoff = new Backoff();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #end: PendingEnd | null = null;
  readonly #onEmpty: (() => void)[] = [];

  constructor(options: ReportQueueOptions) {
    this.#options = options;
  }

  add(full: StepReport, payloadBytes = 0): void {
    const { unsent } = this.#options;
    // The cost matters more than the payload.
    const isKept = unsent.hasRoomFor(payloadBytes);
    const report = isKept ? full : withoutPayload(full);
    const bytes = REPORT_BYTES + 3 * (report.error?.length ?? 0) + (isKept ? payloadBytes : 0);
    if (!unsent.add(this, bytes)) {
      const error = new GuardedRunsError(
        'A report was dropped, because too many could not be sent before it',
      );
      this.#notify(report, error);
      return;
    }
    this.#entries.push({ report, bytes, requestCount: 0 });
    if (this.#isClosed) void this.flush(ONCE);
    else this.#schedule();
  }

  /**
   * Sends a request of the run, with a payload of so many bytes, together with the reports. A report that the service
   * refuses does not make it fail.
   */
  async carry<Reply extends { readonly reported?: unknown }>(
    send: (carried: Carried) => Promise<Reply>,
    payloadBytes = 0,
  ): Promise<Reply> {
    const maxBytes = MAX_REQUEST_BYTES - payloadBytes;
    // Reports that do not fit are sent before, because the decision has to see them.
    if (this.#fitting(maxBytes).length < Math.min(this.#entries.length, MAX_REPORTS_PER_REQUEST)) {
      await this.#sendWaiting();
      await Promise.allSettled(this.#requests);
    }
    for (let refusalCount = 0; ; refusalCount += 1) {
      const isWithout = refusalCount >= MAX_REFUSALS_PER_REQUEST;
      const entries = isWithout ? [] : this.#fitting(maxBytes);
      try {
        const reports = entries.map(({ report }) => report);
        const reply = await this.#request(entries, async () => send(reports.length === 0 ? {} : { reports }));
        // A service that does not know reports ignores them.
        if (reply.reported !== undefined) this.#remove(entries);
        return reply;
      } catch (error) {
        const refused = entries[refusedIndex(error)];
        if (refused !== undefined) this.#refuse(refused, error);
        // The step itself may be just below the limit.
        else if (error instanceof BodyTooLargeError && entries.length > 0)
          refusalCount = MAX_REFUSALS_PER_REQUEST;
        else throw error;
      }
    }
  }

  /** The oldest reports that fit in a request. */
  #fitting(maxBytes: number): Entry[] {
    let bytes = 0;
    const end = this.#entries.findIndex((entry) => {
      bytes += entry.bytes;
      return bytes > maxBytes;
    });
    return this.#entries.slice(
      0,
      end === -1 ? MAX_REPORTS_PER_REQUEST : Math.min(end, MAX_REPORTS_PER_REQUEST),
    );
  }

  /** Sends everything that is known now, and returns when it is sent, refused or given up, or the time is over. */
  async flush(options: FlushOptions): Promise<void> {
    const failed = await repeatAttempts(options, {
      attempt: () => this.#sendAll(),
      backoff: this.#backoff,
      isLimited: () => this.#isClosed,
    });
    if (failed?.isLast === true) this.#giveUpAll(failed.error);
  }

  /**
   * Sends the end, with the reports. Returns when both are sent; if the service is unavailable or slow, they are sent in the
   * background. Throws what the service refuses the end with.
   */
  async end(send: SendEnd): Promise<void> {
    this.#isClosed = true;
    this.#backoff.renewPatience(performance.now());
    const { unsent } = this.#options;
    const isCounted = unsent.add(this, REPORT_BYTES);
    const waiting: { isOver: boolean; refusal: unknown } = { isOver: false, refusal: null };
    const settled = (error: unknown) => {
      this.#end = null;
      if (isCounted) unsent.remove(this, REPORT_BYTES);
      if (error !== null && (waiting.isOver || isUnavailableError(error))) this.#notify(null, error);
      else waiting.refusal = error;
      this.#schedule();
    };
    this.#end = { send, settled, attempt: null };
    await orAfter(END_WAIT_MS, this.flush(ONCE));
    waiting.isOver = true;
    if (waiting.refusal !== null) throw waiting.refusal;
  }

  /** Returns the error of an unavailable service, or null when everything is sent. */
  async #sendAll(): Promise<unknown> {
    // Reports of a request that fails after the first round are sent in the second.
    for (let round = 0; round < 2; round += 1) {
      const unavailable = (await this.#sendEnd()) ?? (await this.#sendWaiting());
      if (unavailable !== null) return unavailable;
      await Promise.allSettled(this.#requests);
    }
    return null;
  }

  /** Returns the error of an unavailable service, for which the end is kept. */
  async #sendEnd(): Promise<unknown> {
    const end = this.#end;
    if (end === null) return null;
    end.attempt ??= this.carry(end.send).then(
      () => end.settled(null),
      (error: unknown) => (isUnavailableError(error) ? error : end.settled(error)),
    );
    try {
      return (await end.attempt) ?? null;
    } finally {
      end.attempt = null;
      this.#schedule();
    }
  }

  /** Sends each report that is not in flight on its own, the oldest first. Returns the error of an unavailable service. */
  async #sendWaiting(): Promise<unknown> {
    for (;;) {
      const waiting = this.#entries.filter(({ requestCount }) => requestCount === 0);
      if (waiting.length === 0) return null;
      const errors = await Promise.all(
        waiting.slice(0, MAX_REQUESTS_AT_ONCE).map((entry) => this.#send(entry)),
      );
      const unavailable = errors.find(isUnavailableError);
      if (unavailable !== undefined) return unavailable;
    }
  }

  /** Returns the error of an unavailable service, for which the report is kept. */
  async #send(entry: Entry): Promise<unknown> {
    try {
      await this.#request([entry], async () => this.#options.send(entry.report));
      this.#remove([entry]);
      return null;
    } catch (error) {
      if (isUnavailableError(error)) return error;
      this.#refuse(entry, error);
      return null;
    }
  }

  /** Sends a request that includes the entries. */
  async #request<Reply>(entries: readonly Entry[], send: () => Promise<Reply>): Promise<Reply> {
    for (const entry of entries) entry.requestCount += 1;
    this.#schedule();
    const request = send();
    if (entries.length > 0) this.#requests.add(request);
    try {
      const reply = await request;
      this.#backoff.succeeded();
      return reply;
    } catch (error) {
      if (isUnavailableError(error)) this.#backoff.failed(performance.now());
      throw error;
    } finally {
      this.#requests.delete(request);
      for (const entry of entries) entry.requestCount -= 1;
      this.#schedule();
    }
  }

  /** Resolves when everything is sent, refused or given up. */
  async emptied(): Promise<void> {
    if (!this.#isEmpty()) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  #isEmpty(): boolean {
    return this.#entries.length === 0 && this.#end === null;
  }

  /** Starts the timer if something waits for a request, and stops it if nothing does. */
  #schedule(): void {
    if (this.#isEmpty()) for (const resolve of this.#onEmpty.splice(0)) resolve();
    const isWaiting =
      this.#end?.attempt === null || this.#entries.some(({ requestCount }) => requestCount === 0);
    if (!isWaiting) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else if (this.#timer === undefined) {
      this.#timer = setTimeout(
        () => {
          this.#timer = undefined;
          void this.flush(ONCE);
        },
        Math.max(WAIT_MS, this.#backoff.delayMs),
      );
      if (this.#options.unsent.isSentBeforeExit) unrefTimer(this.#timer);
    }
  }

  /** The service may have refused only the payload: the report is sent again without it. */
  #refuse(entry: Entry, error: unknown): void {
    if (entry.report.outputData == null) this.#giveUp([entry], error);
    else {
      entry.report = withoutPayload(entry.report);
      this.#notify(entry.report, error);
    }
  }

  #giveUp(entries: readonly Entry[], error: unknown): void {
    for (const { report } of this.#remove(entries)) this.#notify(report, error);
  }

  #giveUpAll(error: unknown): void {
    this.#giveUp(this.#entries, error);
    this.#end?.settled(error);
  }

  /** Returns the entries that were still in the queue. */
  #remove(entries: readonly Entry[]): Entry[] {
    const given = new Set(entries);
    const removed = this.#entries.filter((entry) => given.has(entry));
    this.#entries = this.#entries.filter((entry) => !given.has(entry));
    for (const { bytes } of removed) this.#options.unsent.remove(this, bytes);
    this.#schedule();
    return removed;
  }

  /** In its own task, so that an error thrown by the callback does not fail a step. */
  #notify(report: StepReport | null, error: unknown): void {
    const { runId, onReportError } = this.#options;
    const lost = { runId, stepId: report?.stepId ?? null, usage: report && usageIn(report), error };
    queueMicrotask(() => onReportError(lost));
  }
}

function withoutPayload({ outputData: _, ...report }: StepReport): StepReport {
  return report;
}

/** The index of the report because of which a request was refused; -1 if it was refused otherwise. */
function refusedIndex(error: unknown): number {
  if (!(error instanceof ApiError)) return -1;
  const [, index = '-1'] = /^body\/reports\/(\d+)\b/.exec(error.detail) ?? [];
  return Number(index);
}
