/**
 * The reports of a run that the service has not confirmed. They are sent with the next step or the end of the run, or on
 * their own if there is none soon. A report may be sent more than once, because the service accepts a repetition: so
 * every decision sees all reports before it, including those of requests that are still in flight.
 */

import type { StepReport } from '../api-types.js';
import { ApiError, BodyTooLarge, GuardedRunsError, isUnavailableError } from '../errors.js';
import { unrefTimer } from './unref-timer.js';
import type { FlushOptions, UnsentReports } from './unsent-reports.js';

/** How long a report waits for the next step. */
const WAIT_MS = 50;
/** How long it waits if the service is unavailable. */
const WAIT_WHILE_UNAVAILABLE_MS = 5_000;
const MAX_REPORTS_PER_REQUEST = 100;
/** Of a request with its reports; the service accepts 1 MiB. */
const MAX_REQUEST_BYTES = 900 * 1_024;
/** Of a report without its payload and its error. */
const REPORT_BYTES = 512;
/** After so many refusals a step no longer waits: its request is sent without reports. */
const MAX_REFUSALS_PER_REQUEST = 3;
const MAX_REQUESTS_AT_ONCE = 10;

export interface ReportQueueOptions {
  /** Shared by all runs of the client. */
  readonly unsent: UnsentReports;
  /** Sends one report on its own. */
  readonly send: (report: StepReport) => Promise<unknown>;
  readonly onReportError: (error: unknown) => void;
}

/** Part of the body of a request; empty without reports. */
export interface Carried {
  readonly reports?: readonly StepReport[];
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
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitMs = WAIT_MS;
  #isClosed = false;

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
      this.#notify(
        new GuardedRunsError('A report was dropped, because too many could not be sent before it'),
      );
      return;
    }
    this.#entries.push({ report, bytes, requestCount: 0 });
    if (this.#isClosed) void this.flush({ isFinal: true });
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
      await this.flush({ isFinal: false });
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
        else if (error instanceof BodyTooLarge && entries.length > 0) refusalCount = MAX_REFUSALS_PER_REQUEST;
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

  /** Sends all reports that are known now, and returns when each has been sent, refused or kept for later. */
  async flush({ isFinal }: FlushOptions): Promise<void> {
    // Reports of a request that fails after the first round are sent in the second.
    for (let round = 0; round < 2; round += 1) {
      if (!(await this.#sendWaiting(isFinal))) return;
      await Promise.allSettled(this.#requests);
    }
  }

  /** The run has ended, so that there is no request to wait for: reports are sent immediately, or given up. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush({ isFinal: true });
  }

  /** Sends each report that is not in flight on its own, the oldest first. False if the service is unavailable. */
  async #sendWaiting(isFinal: boolean): Promise<boolean> {
    for (;;) {
      const waiting = this.#entries.filter(({ requestCount }) => requestCount === 0);
      if (waiting.length === 0) return true;
      const errors = await Promise.all(
        waiting.slice(0, MAX_REQUESTS_AT_ONCE).map((entry) => this.#send(entry)),
      );
      const unavailable = errors.find(isUnavailableError);
      if (unavailable === undefined) continue;
      if (isFinal || this.#isClosed) this.#giveUp(waiting, unavailable);
      return false;
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
      this.#waitMs = WAIT_MS;
      return reply;
    } catch (error) {
      if (isUnavailableError(error)) this.#waitMs = WAIT_WHILE_UNAVAILABLE_MS;
      throw error;
    } finally {
      this.#requests.delete(request);
      for (const entry of entries) entry.requestCount -= 1;
      this.#schedule();
    }
  }

  /** Starts the timer if a report waits for a request, and stops it if none does. */
  #schedule(): void {
    const isWaiting = this.#entries.some(({ requestCount }) => requestCount === 0);
    if (!isWaiting) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else if (this.#timer === undefined) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        void this.flush({ isFinal: false });
      }, this.#waitMs);
      if (this.#options.unsent.isSentBeforeExit) unrefTimer(this.#timer);
    }
  }

  /** The service may have refused only the payload: the report is sent again without it. */
  #refuse(entry: Entry, error: unknown): void {
    if (entry.report.output_data == null) this.#giveUp([entry], error);
    else {
      entry.report = withoutPayload(entry.report);
      this.#notify(error);
    }
  }

  #giveUp(entries: readonly Entry[], error: unknown): void {
    for (const _ of this.#remove(entries)) this.#notify(error);
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
  #notify(error: unknown): void {
    queueMicrotask(() => this.#options.onReportError(error));
  }
}

function withoutPayload({ output_data: _, ...report }: StepReport): StepReport {
  return report;
}

/** The index of the report because of which a request was refused; -1 if it was refused otherwise. */
function refusedIndex(error: unknown): number {
  if (!(error instanceof ApiError)) return -1;
  const [, index = '-1'] = /^body\/reports\/(\d+)\b/.exec(error.detail) ?? [];
  return Number(index);
}
