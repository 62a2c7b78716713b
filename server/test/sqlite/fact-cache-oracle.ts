/** Reads the facts of a batch without a cache, for comparison with the facts of cached batches. */

import { openStore, sqliteFile } from '../../src/store/open-store.js';
import { SqliteBatches } from '../../src/store/sqlite/sqlite-batches.js';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.js';
import { SqliteSql } from '../../src/store/sqlite/sqlite-sql.js';
import type { BatchFacts, BatchNeeds, BatchStore, Store } from '../../src/store/store.js';
import type { StoreFixture } from '../support/store-fixture.js';

/** One connection for all reads: on Node 20 a closed one keeps its files open until its statements are garbage-collected. */
export class Oracle {
  readonly #database: SqliteDatabase;
  readonly #clock: () => number;

  private constructor(database: SqliteDatabase, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  static async open({ url, clock }: StoreFixture): Promise<Oracle> {
    return new Oracle(await openDatabase(url), clock.now);
  }

  async read(needs: BatchNeeds): Promise<BatchFacts> {
    return readFacts(this.#batchesThatKnowNothing(), needs);
  }

  async readAll(needs: readonly BatchNeeds[]): Promise<readonly BatchFacts[]> {
    return readAllFacts(this.#batchesThatKnowNothing(), needs);
  }

  close(): void {
    this.#database.close();
  }

  #batchesThatKnowNothing(): BatchStore {
    return openBatches(this.#database, this.#clock);
  }
}

/** On a connection that the caller can use, too. */
export function openBatches(database: SqliteDatabase, clock: () => number): BatchStore {
  return new SqliteBatches({ database, sql: new SqliteSql(database, clock), clock });
}

export async function readFacts(batches: BatchStore, needs: BatchNeeds): Promise<BatchFacts> {
  const [facts] = await readAllFacts(batches, [needs]);
  if (facts === undefined) throw new Error('No facts');
  return facts;
}

/** The same database on another connection. */
export function openAgain({ url, clock }: StoreFixture): Promise<Store> {
  return openStore({ databaseUrl: url, clock: clock.now });
}

export function openDatabase(url: string): Promise<SqliteDatabase> {
  return SqliteDatabase.open(sqliteFile(url) ?? '');
}

async function readAllFacts(
  batches: BatchStore,
  needs: readonly BatchNeeds[],
): Promise<readonly BatchFacts[]> {
  let read: readonly BatchFacts[] = [];
  await batches.commit(needs, (facts) => {
    read = facts;
    return [];
  });
  return read;
}
