/** The requests of a run that the service knows. They carry the waiting reports. */

import type { CreatedStep, CreateStep, EndStatus, StepReport } from '../api-types.js';
import type { Runs } from '../resources/runs.js';
import { ReportQueue } from './report-queue.js';
import type { RequestOptions } from './transport.js';
import type { UnsentReports } from './unsent-reports.js';

export interface RunRequestsOptions {
  readonly runId: string;
  readonly runs: Runs;
  readonly unsentReports: UnsentReports;
  readonly onReportError: (error: unknown) => void;
}

export class RunRequests {
  readonly #runId: string;
  readonly #runs: Runs;
  readonly #reports: ReportQueue;

  constructor(options: RunRequestsOptions) {
    const { runId, runs } = options;
    this.#runId = runId;
    this.#runs = runs;
    this.#reports = new ReportQueue({
      unsent: options.unsentReports,
      onReportError: options.onReportError,
      send: (report) => this.#updateStep(report),
    });
  }

  async createStep(body: CreateStep, options: RequestOptions): Promise<CreatedStep> {
    return this.#reports.carry((reports) =>
      this.#runs.createStep(this.#runId, { ...body, ...reports }, options),
    );
  }

  /** Sent with the next request, and at the latest after a moment. */
  report(report: StepReport): void {
    this.#reports.add(report);
  }

  /** Returns when all reports are sent as well. */
  async end(status: EndStatus): Promise<void> {
    try {
      await this.#reports.carry((reports) => this.#runs.end(this.#runId, { status, ...reports }));
    } finally {
      await this.#reports.close();
    }
  }

  async #updateStep({ step_id: stepId, ...body }: StepReport): Promise<void> {
    await this.#runs.updateStep({ runId: this.#runId, stepId }, body);
  }
}
