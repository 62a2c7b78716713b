/** The data plane on PostgreSQL: batches span workspaces, each under its lock (docs/adr/0003, docs/adr/0005). */

import { dayOf } from '../../domain/period.js';
import { FairLimiter } from '../../runtime/fair-limiter.js';
import { readBigint, readNullableNumber, readText } from '../row.js';
import { toRunCounts } from '../rows.js';
import type { BatchChanges, BatchFacts, BatchNeeds, BatchOptions, BatchStore } from '../store.js';
import { completeFacts, factQueries, loadFacts } from './postgres-batch-facts.js';
import { toStatements } from './postgres-bulk.js';
import type { PostgresClock } from './postgres-clock.js';
import type { PostgresDatabase } from './postgres-database.js';
import { lockFreeWorkspaces, lockWorkspaces } from './postgres-locks.js';

export interface PostgresBatchesOptions {
  readonly database: PostgresDatabase;
  readonly clock: PostgresClock;
  readonly poolMax: number;
  readonly timeoutMs: number;
}

/** Batches that wait without a connection; a workspace has one at most. */
const MAX_WAITING = 10_000;

interface Batch {
  readonly needs: readonly BatchNeeds[];
  readonly decide: (facts: readonly BatchFacts[]) => BatchChanges[];
  readonly waits: boolean;
}

export class PostgresBatches implements BatchStore {
  readonly #database: PostgresDatabase;
  readonly #clock: PostgresClock;
  /** A batch that waits for a lock occupies a connection: at most half of them may. */
  readonly #waiting: FairLimiter;

  constructor({ database, clock, poolMax, timeoutMs }: PostgresBatchesOptions) {
    this.#database = database;
    this.#clock = clock;
    const maxRunning = Math.ceil(poolMax / 2);
    this.#waiting = new FairLimiter({
      maxRunning,
      maxRunningPerOwner: maxRunning,
      maxWaiting: MAX_WAITING,
      maxWaitingPerOwner: MAX_WAITING,
      maxWaitMs: timeoutMs,
    });
  }

  commit(
    needs: readonly BatchNeeds[],
    decide: (facts: readonly BatchFacts[]) => BatchChanges[],
    { waits = true }: BatchOptions = {},
  ): Promise<void> {
    const commit = () => this.#commit({ needs, decide, waits });
    return waits ? this.#waiting.run(needs[0]?.workspaceId ?? '', commit) : commit();
  }

  async #commit({ needs, decide, waits }: Batch): Promise<void> {
    await this.#database.lookups(async (transaction) => {
      const ids = needs.map(({ workspaceId }) => workspaceId);
      const expected = this.#clock.estimate();
      // Sent together and executed in order: reads after the lock are current.
      const queries = factQueries({ needs, now: expected });
      const lock = waits ? lockWorkspaces(ids) : lockFreeWorkspaces(ids);
      const [rows = [], ...answers] = await transaction.send(lock, ...queries.statements);
      const locked = new Map(
        rows.map((row) => [
          readText(row, 'workspace_id'),
          {
            runCounts: toRunCounts(row),
            nextDueAt: readNullableNumber(row, 'next_due_at'),
            heldPicoUsd: readBigint(row, 'held_pico_usd'),
          },
        ]),
      );
      if (locked.size === 0 && !waits) {
        decide([]);
        return;
      }
      const now = this.#clock.timeIn(rows.at(-1));
      const isExpected = dayOf(now) === dayOf(expected);
      const loaded = isExpected ? queries.factsOf(answers) : await loadFacts(transaction, { needs, now });
      const facts = await completeFacts(transaction, { needs, loaded, locked, now });
      if (waits && facts.length < needs.length)
        throw new Error('A workspace does not exist or has no counters');
      await transaction.finish(...toStatements(decide(facts)));
    });
  }
}
