/** The requests of a run that the service knows. They carry the waiting reports and renew the lease. */

import type { CreatedStep, CreateStep, EndStatus, StepReport } from '../api-types.js';
import { stopsRun } from '../denial.js';
import { RunDeniedError } from '../errors.js';
import type { OnReportError } from '../report-error.js';
import type { Runs } from '../resources/runs.js';
import { Heartbeats } from './heartbeats.js';
import { ReportQueue } from './report-queue.js';
import type { RequestOptions } from './transport.js';
import type { UnsentReports } from './unsent-reports.js';

export interface RunRequestsOptions {
  readonly runId: string;
  /** Null: no heartbeats. */
  readonly leaseSeconds: number | null;
  /** The object that the caller holds for the run. It is not kept from being garbage-collected. */
  readonly owner: object;
  /** Aborted if a heartbeat brings a denial. */
  readonly controller: AbortController;
  readonly holds: OpenHolds;
  readonly runs: Runs;
  readonly unsentReports: UnsentReports;
  readonly onReportError: OnReportError;
}

/** How many steps in flight hold what they may cost. */
export interface OpenHolds {
  count: number;
}

export class RunRequests {
  readonly #runId: string;
  readonly #runs: Runs;
  readonly #reports: ReportQueue;
  readonly #heartbeats: Heartbeats | null;

  constructor(options: RunRequestsOptions) {
    const { runId, runs, leaseSeconds, owner, controller, holds } = options;
    this.#runId = runId;
    this.#runs = runs;
    this.#reports = new ReportQueue({
      runId,
      unsent: options.unsentReports,
      onReportError: options.onReportError,
      send: (report) => this.#updateStep(report),
    });
    this.#heartbeats =
      leaseSeconds === null
        ? null
        : new Heartbeats({
            leaseSeconds,
            owner,
            send: (given) => runs.heartbeat(runId, given),
            onDenied: (reason) => {
              // Calls that hold what they may cost are part of what uses a budget up.
              if (holds.count > 0 && !stopsRun(reason)) return;
              controller.abort(new RunDeniedError({ reason, runId }));
            },
          });
  }

  async createStep(
    body: CreateStep,
    { signal, payloadBytes }: RequestOptions & { readonly payloadBytes: number },
  ): Promise<CreatedStep> {
    const created = await this.#reports.carry(
      (reports) => this.#runs.createStep(this.#runId, { ...body, ...reports }, { signal }),
      payloadBytes,
    );
    if (created.decision.reason === 'RUN_ALREADY_ENDED') this.#heartbeats?.stop();
    else this.#heartbeats?.renewed();
    return created;
  }

  /** Sent with the next request, and at the latest after a moment. */
  report(report: StepReport, payloadBytes: number): void {
    this.#reports.add(report, payloadBytes);
  }

  /** Returns when all reports are sent as well, or will be in the background. If the end cannot be sent, the lease ends the run. */
  async end(status: EndStatus): Promise<void> {
    this.#heartbeats?.stop();
    await this.#reports.end((reports) => this.#runs.end(this.#runId, { status, ...reports }));
  }

  /** Everything is sent or given up. */
  get sent(): Promise<void> {
    return this.#reports.emptied();
  }

  async #updateStep({ stepId, ...body }: StepReport): Promise<void> {
    await this.#runs.updateStep({ runId: this.#runId, stepId }, body);
    this.#heartbeats?.renewed();
  }
}
