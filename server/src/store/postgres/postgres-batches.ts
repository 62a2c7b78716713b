import type { RunCounts } from '../../domain/run.js';
import type { Row } from '../row.js';
import { toRunCounts } from '../rows/run-row.js';
import type { BatchChanges, BatchFacts, BatchNeeds, BatchStore } from '../store.js';
import { toStatements } from './postgres-batch-changes.js';
import { loadFacts } from './postgres-batch-facts.js';
import type { PostgresClock } from './postgres-clock.js';
import type { PostgresDatabase, PostgresTransaction } from './postgres-database.js';
import { lockWorkspace } from './postgres-workspaces.js';

export class PostgresBatches implements BatchStore {
  readonly #database: PostgresDatabase;
  readonly #clock: PostgresClock;

  constructor(database: PostgresDatabase, clock: PostgresClock) {
    this.#database = database;
    this.#clock = clock;
  }

  readonly holdsUpThread = false;

  laneOf(workspaceId: string): string {
    return workspaceId;
  }

  async commit(
    needs: readonly BatchNeeds[],
    decide: (facts: readonly BatchFacts[]) => BatchChanges[],
  ): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const locked = await lockWorkspaces(transaction, needs);
      const now = this.#clock.timeIn(locked.last);
      const facts = await Promise.all(
        needs.map((need) =>
          loadFacts(transaction, { needs: need, now, runCounts: locked.runCountsOf(need) }),
        ),
      );
      await transaction.finish(...decide(facts).flatMap(toStatements));
    });
  }
}

// ── Lock ───────────────────────────────────────────────────────────────────────────────────────────────────────────

interface LockedWorkspaces {
  /** The one locked when all others were. */
  readonly last: Row | undefined;
  runCountsOf(needs: BatchNeeds): RunCounts;
}

/** In the order of their ids, so that two batches never wait for each other. */
async function lockWorkspaces(
  transaction: PostgresTransaction,
  needs: readonly BatchNeeds[],
): Promise<LockedWorkspaces> {
  const ids = needs.map(({ workspaceId }) => workspaceId).sort();
  const results = await transaction.send(...ids.map(lockWorkspace));
  return {
    last: results.at(-1)?.[0],
    runCountsOf: ({ workspaceId }) => {
      const row = results[ids.indexOf(workspaceId)]?.[0];
      if (row === undefined) throw new Error(`Workspace ${workspaceId} has no counters`);
      return toRunCounts(row);
    },
  };
}
