/** The data plane on SQLite: one transaction after the other, because there is one writer. */

import type { BatchChanges, BatchFacts, BatchNeeds, BatchStore } from '../store.js';
import { writeChanges } from './sqlite-batch-changes.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { SqliteKnownFacts } from './sqlite-known-facts.js';
import type { SqliteSql } from './sqlite-sql.js';

export interface SqliteBatchesOptions {
  readonly database: SqliteDatabase;
  /** The port over the same connection, which is used by one transaction at a time. */
  readonly sql: SqliteSql;
  readonly clock: () => number;
}

export class SqliteBatches implements BatchStore {
  readonly #database: SqliteDatabase;
  readonly #sql: SqliteSql;
  readonly #known: SqliteKnownFacts;
  readonly #clock: () => number;

  constructor({ database, sql, clock }: SqliteBatchesOptions) {
    this.#database = database;
    this.#sql = sql;
    this.#known = new SqliteKnownFacts(database);
    this.#clock = clock;
  }

  commit(
    needs: readonly BatchNeeds[],
    decide: (facts: readonly BatchFacts[]) => BatchChanges[],
  ): Promise<void> {
    return this.#sql.exclusive(async () => this.#commit(needs, decide));
  }

  #commit(needs: readonly BatchNeeds[], decide: (facts: readonly BatchFacts[]) => BatchChanges[]): void {
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
