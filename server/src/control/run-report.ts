/** Runs as operators read them. */

import { notFound } from '../domain/app-error.js';
import type { Run } from '../domain/run.js';
import type { Step } from '../domain/step.js';
import type { Store } from '../store/store.js';

export interface RunDetail {
  readonly run: Run;
  readonly steps: readonly Step[];
  readonly now: number;
}

export class RunReport {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async detail(key: { workspaceId: string; runId: string }): Promise<RunDetail> {
    const run = await this.#store.runs.find(key);
    if (run === null) throw notFound('Run not found');
    return { run, steps: await this.#store.runs.listSteps(key), now: await this.#store.now() };
  }
}
