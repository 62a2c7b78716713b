/** Reads runs for operators, page by page, so that a run of any size takes little memory. */

import { notFound } from '../domain/app-error.js';
import type { Run, RunSummary } from '../domain/run.js';
import type {
  ListedStep,
  RunFilter,
  RunKey,
  StepCursor,
  StepDecision,
  StepOrder,
  Store,
} from '../store/store.js';

/** A page ends at either limit, but has at least one step. */
const STEPS_PER_PAGE = 100;
const PAYLOAD_BYTES_PER_PAGE = 256 * 1024;
const DECISIONS_PER_PAGE = 200;
/** So many runs are examined for a page. */
const RUNS_PER_PAGE = 1_000;

export interface RunDetail {
  readonly run: Run;
  readonly now: number;
  /** The steps at the time when the run was read, in order of sequence, then of creation. */
  readonly steps: AsyncIterable<readonly ListedStep[]>;
}

export interface RunDecisions {
  readonly run: Run;
  /** In the order in which they were made. */
  readonly decisions: AsyncIterable<readonly StepDecision[]>;
}

export interface ReadRun extends RunKey {
  /** The end user whose runs the reader is limited to; null: all. */
  readonly userId: string | null;
}

export class RunReport {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async detail(key: ReadRun): Promise<RunDetail> {
    const run = await this.#find(key);
    return { run, now: await this.#store.now(), steps: this.#steps(key, run) };
  }

  async decisions(key: ReadRun): Promise<RunDecisions> {
    const run = await this.#find(key);
    return { run, decisions: this.#decisions(key, run) };
  }

  /** All runs that match, newest first: those that had started when the list began. */
  async *list(query: RunFilter & { workspaceId: string }): AsyncGenerator<readonly RunSummary[]> {
    const { runs } = this.#store;
    const { oldest, newest } = await runs.findPositions(query);
    let next: number | null = newest;
    while (next !== null && next >= oldest) {
      const page = await runs.listNext({
        ...query,
        positions: { oldest, newest: next },
        limit: RUNS_PER_PAGE,
      });
      yield page.runs;
      next = page.next;
    }
  }

  async #find({ workspaceId, runId, userId }: ReadRun): Promise<Run> {
    const run = await this.#store.runs.find({ workspaceId, runId });
    if (run === null || (userId !== null && run.userId !== userId)) throw notFound('Run not found');
    return run;
  }

  async *#steps(key: RunKey, asOf: Run): AsyncGenerator<readonly ListedStep[]> {
    const { isBySequence } = await this.#orderOf(key, asOf, STEPS_PER_PAGE);
    let after: StepCursor | null = null;
    do {
      const page = await this.#store.runs.listSteps({
        ...key,
        asOf: { stepCount: asOf.stepCount, usageVersion: asOf.usageVersion },
        after,
        limit: STEPS_PER_PAGE,
        maxBytes: PAYLOAD_BYTES_PER_PAGE,
        isInOrderOfIds: isBySequence,
      });
      yield page.steps;
      after = page.next;
    } while (after !== null);
  }

  async *#decisions(key: RunKey, { stepCount, ...run }: Run): AsyncGenerator<readonly StepDecision[]> {
    const { isByPosition } = await this.#orderOf(key, { ...run, stepCount }, DECISIONS_PER_PAGE);
    let after: StepCursor | null = null;
    do {
      const page = await this.#store.runs.listDecisions({
        ...key,
        stepCount,
        after,
        limit: DECISIONS_PER_PAGE,
        isInOrderOfIds: isByPosition,
      });
      yield page.decisions;
      after = page.next;
    } while (after !== null);
  }

  /** A run of one or two pages is read quickly in any order, so the query for its order is skipped. */
  async #orderOf(key: RunKey, { stepCount }: Run, perPage: number): Promise<StepOrder> {
    if (stepCount <= 2 * perPage) return { isBySequence: false, isByPosition: false };
    return this.#store.runs.findStepOrder({ ...key, stepCount });
  }
}
