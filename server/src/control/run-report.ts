/** Runs as operators read them: page by page, so that a run of any size takes little memory. */

import { notFound } from '../domain/app-error.js';
import type { Run } from '../domain/run.js';
import type { ListedStep, RunKey, StepCursor, StepDecision, StepOrder, Store } from '../store/store.js';

/** Steps of a page, and what their payloads take together; one step is always read. */
const STEPS_AT_ONCE = 100;
const PAYLOAD_BYTES_AT_ONCE = 256 * 1024;
const DECISIONS_AT_ONCE = 200;

export interface RunDetail {
  readonly run: Run;
  readonly now: number;
  /** As the run was when it was read, in order of sequence, then creation. */
  readonly steps: AsyncIterable<readonly ListedStep[]>;
}

export interface RunDecisions {
  readonly run: Run;
  /** In the order in which they were made. */
  readonly decisions: AsyncIterable<readonly StepDecision[]>;
}

export class RunReport {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async detail(key: RunKey): Promise<RunDetail> {
    const run = await this.#find(key);
    return { run, now: await this.#store.now(), steps: this.#steps(key, run) };
  }

  async decisions(key: RunKey): Promise<RunDecisions> {
    const run = await this.#find(key);
    return { run, decisions: this.#decisions(key, run) };
  }

  async #find(key: RunKey): Promise<Run> {
    const run = await this.#store.runs.find(key);
    if (run === null) throw notFound('Run not found');
    return run;
  }

  async *#steps(key: RunKey, asOf: Run): AsyncGenerator<readonly ListedStep[]> {
    const { isBySequence } = await this.#orderOf(key, asOf, STEPS_AT_ONCE);
    let after: StepCursor | null = null;
    do {
      const page = await this.#store.runs.listSteps({
        ...key,
        asOf: { stepCount: asOf.stepCount, usageVersion: asOf.usageVersion },
        after,
        limit: STEPS_AT_ONCE,
        maxBytes: PAYLOAD_BYTES_AT_ONCE,
        isInOrderOfIds: isBySequence,
      });
      yield page.steps;
      after = page.next;
    } while (after !== null);
  }

  async *#decisions(key: RunKey, { stepCount, ...run }: Run): AsyncGenerator<readonly StepDecision[]> {
    const { isByPosition } = await this.#orderOf(key, { ...run, stepCount }, DECISIONS_AT_ONCE);
    let after: StepCursor | null = null;
    do {
      const page = await this.#store.runs.listDecisions({
        ...key,
        stepCount,
        after,
        limit: DECISIONS_AT_ONCE,
        isInOrderOfIds: isByPosition,
      });
      yield page.decisions;
      after = page.next;
    } while (after !== null);
  }

  /** Of a run that is a page or two it does not matter. */
  async #orderOf(key: RunKey, { stepCount }: Run, atOnce: number): Promise<StepOrder> {
    if (stepCount <= 2 * atOnce) return { isBySequence: false, isByPosition: false };
    return this.#store.runs.findStepOrder({ ...key, stepCount });
  }
}
