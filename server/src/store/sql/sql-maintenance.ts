import { counterChecks, differenceQuery } from '../counter-checks.js';
import { readNumber, readText } from '../row.js';
import type { CounterDifference, MaintenanceStore, VerifyReport } from '../store.js';
import type { SqlDatabase } from './sql-database.js';

/** Differences listed per counter; one is already one too many. */
const MAX_DIFFERENCES = 100;

export class SqlMaintenance implements Omit<MaintenanceStore, 'backup'> {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async keepSecret(name: string, candidate: string): Promise<string> {
    return this.#database.transaction(async (transaction) => {
      await transaction.query(
        'INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        name,
        candidate,
      );
      const [row] = await transaction.query('SELECT value FROM secrets WHERE name = $1', name);
      return row === undefined ? candidate : readText(row, 'value');
    });
  }

  async forgetAnswers({ before, limit }: { before: number; limit: number }): Promise<number> {
    const oldest = `SELECT workspace_id, key_hash FROM remembered_answers WHERE created_at < $1
      ORDER BY created_at LIMIT $2 ${this.#database.skipLocked}`;
    return this.#database.transaction(async (transaction) => {
      // What the first statement has locked is what the second one finds.
      const { length } = await transaction.query(oldest, before, limit);
      if (length > 0) {
        await transaction.query(
          `DELETE FROM remembered_answers WHERE (workspace_id, key_hash) IN (${oldest})`,
          before,
          limit,
        );
      }
      return length;
    });
  }

  async verify(): Promise<VerifyReport> {
    return this.#database.longSnapshot(async (reader) => {
      const counted: Record<string, number> = {};
      const differences: CounterDifference[] = [];
      for (const check of counterChecks((column) => this.#database.dayOf(column))) {
        const [total] = await reader.query(`SELECT COUNT(*) AS total FROM ${check.table}`);
        counted[check.table] = total === undefined ? 0 : readNumber(total, 'total');
        for (const row of await reader.query(differenceQuery(check, MAX_DIFFERENCES))) {
          differences.push({
            counter: `${check.table} ${readText(row, 'key')}`,
            stored: readText(row, 'stored'),
            recomputed: readText(row, 'recomputed'),
          });
        }
      }
      return { counted, differences };
    });
  }
}
