/** The data plane on SQLite: one lane for all workspaces, because there is one writer. */

import type { BatchChanges, BatchFacts, BatchNeeds, BatchStore } from '../store.js';
import { writeChanges } from './sqlite-batch-changes.js';
import { loadFacts } from './sqlite-batch-facts.js';
import type { SqliteDatabase } from './sqlite-database.js';

export class SqliteBatches implements BatchStore {
  readonly holdsUpThread: boolean;
  readonly #database: SqliteDatabase;
  readonly #clock: () => number;

  constructor(database: SqliteDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
    // Another thread would open another database.
    this.holdsUpThread = database.file !== ':memory:';
  }

  laneOf(): string {
    return 'sqlite';
  }

  async commit(
    needs: readonly BatchNeeds[],
    decide: (facts: readonly BatchFacts[]) => BatchChanges[],
  ): Promise<void> {
    this.#database.transaction(() => {
      const now = this.#clock();
      const facts = needs.map((need) => loadFacts(this.#database, need, now));
      for (const changes of decide(facts)) writeChanges(this.#database, changes);
    });
  }
}
