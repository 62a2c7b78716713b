/** The data plane on PostgreSQL: batches span workspaces, each under its lock (docs/adr/0003, docs/adr/0005). */

import { dayOf } from '../../domain/period.js';
import { readText } from '../row.js';
import { toRunCounts } from '../rows.js';
import type { BatchChanges, BatchFacts, BatchNeeds, BatchOptions, BatchStore } from '../store.js';
import { loadFacts } from './postgres-batch-facts.js';
import { toStatements } from './postgres-bulk.js';
import type { PostgresClock } from './postgres-clock.js';
import type { PostgresDatabase } from './postgres-database.js';
import { lockFreeWorkspaces, lockWorkspaces } from './postgres-locks.js';
import { PostgresWaitingRoom } from './postgres-waiting-room.js';

export interface PostgresBatchesOptions {
  readonly database: PostgresDatabase;
  readonly clock: PostgresClock;
  /** Half of the connections may wait for workspaces that others hold. */
  readonly poolMax: number;
  readonly timeoutMs: number;
}

interface Batch {
  readonly needs: readonly BatchNeeds[];
  readonly decide: (facts: readonly BatchFacts[]) => BatchChanges[];
  readonly waits: boolean;
}

export class PostgresBatches implements BatchStore {
  readonly #database: PostgresDatabase;
  readonly #clock: PostgresClock;
  readonly #waitingRoom: PostgresWaitingRoom;

  constructor({ database, clock, poolMax, timeoutMs }: PostgresBatchesOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#waitingRoom = new PostgresWaitingRoom({ places: Math.ceil(poolMax / 2), timeoutMs });
  }

  commit(
    needs: readonly BatchNeeds[],
    decide: (facts: readonly BatchFacts[]) => BatchChanges[],
    { waits = true }: BatchOptions = {},
  ): Promise<void> {
    const commit = () => this.#commit({ needs, decide, waits });
    return waits ? this.#waitingRoom.within(commit) : commit();
  }

  async #commit({ needs, decide, waits }: Batch): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const ids = needs.map(({ workspaceId }) => workspaceId);
      const expected = this.#clock.estimate();
      // Sent together, done one after the other: what is read after the lock is current.
      const [[rows = []], expectedFacts] = await Promise.all([
        transaction.send(waits ? lockWorkspaces(ids) : lockFreeWorkspaces(ids)),
        loadFacts(transaction, { needs, now: expected }),
      ]);
      const locked = new Map(rows.map((row) => [readText(row, 'workspace_id'), toRunCounts(row)]));
      if (locked.size === 0 && !waits) {
        decide([]);
        return;
      }
      const now = this.#clock.timeIn(rows.at(-1));
      const isExpected = dayOf(now) === dayOf(expected);
      const loaded = isExpected ? expectedFacts : await loadFacts(transaction, { needs, now });
      const facts = loaded.flatMap((one) => {
        const runCounts = locked.get(one.workspace.id);
        return runCounts === undefined ? [] : { ...one, now, runCounts };
      });
      if (waits && facts.length < needs.length)
        throw new Error('A workspace does not exist or has no counters');
      await transaction.finish(...toStatements(decide(facts)));
    });
  }
}
