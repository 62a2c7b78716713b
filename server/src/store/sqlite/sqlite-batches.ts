/** The data plane on SQLite: one transaction after the other, because there is one writer. */

import type { BatchChanges, BatchFacts, BatchNeeds, BatchStore } from '../store.js';
import { writeChanges } from './sqlite-batch-changes.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { SqliteFactCache } from './sqlite-fact-cache.js';
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
  readonly #cache: SqliteFactCache;
  readonly #clock: () => number;

  constructor({ database, sql, clock }: SqliteBatchesOptions) {
    this.#database = database;
    this.#sql = sql;
    this.#cache = new SqliteFactCache(database);
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
        this.#cache.forgetOutdated(now);
        const changes = decide(needs.map((need) => this.#cache.load(need, now)));
        writeChanges(this.#database, changes);
        this.#cache.keep(changes);
      });
    } catch (error) {
      this.#cache.forget();
      throw error;
    }
  }
}
