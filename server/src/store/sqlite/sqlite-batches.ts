/** The data plane on SQLite: one lane for all workspaces, because there is one writer. */

import type { BatchChanges, BatchFacts, BatchNeeds, BatchStore } from '../store.js';
import { writeChanges } from './sqlite-batch-changes.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { SqliteKnownFacts } from './sqlite-known-facts.js';

export class SqliteBatches implements BatchStore {
  readonly holdsUpThread: boolean;
  readonly #database: SqliteDatabase;
  readonly #known: SqliteKnownFacts;
  readonly #clock: () => number;

  constructor(database: SqliteDatabase, clock: () => number) {
    this.#database = database;
    this.#known = new SqliteKnownFacts(database);
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
    try {
      this.#database.transaction(() => {
        const now = this.#clock();
        this.#known.forgetOutdated(now);
        const changes = decide(needs.map((need) => this.#known.load(need, now)));
        for (const one of changes) writeChanges(this.#database, one);
        this.#known.keep(changes);
      });
    } catch (error) {
      this.#known.forget();
      throw error;
    }
  }
}
