import { counterChecks, differenceQuery } from '../counter-checks.js';
import { readNumber, readText } from '../row.js';
import type { CounterDifference, MaintenanceStore, VerifyReport } from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** Differences listed per counter; one is already one too many. */
const MAX_DIFFERENCES = 100;

const CHECKS = counterChecks((column) => `strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch')`);

export class SqliteMaintenance implements MaintenanceStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async keepSecret(name: string, candidate: string): Promise<string> {
    return this.#database.transaction(() => {
      this.#database.run(
        'INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING',
        name,
        candidate,
      );
      const row = this.#database.get('SELECT value FROM secrets WHERE name = ?', name);
      return row === undefined ? candidate : readText(row, 'value');
    });
  }

  async forgetAnswers({ before, limit }: { before: number; limit: number }): Promise<number> {
    return this.#database.run(
      `DELETE FROM remembered_answers WHERE (workspace_id, key_hash) IN
         (SELECT workspace_id, key_hash FROM remembered_answers WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
      before,
      limit,
    );
  }

  async verify(): Promise<VerifyReport> {
    return this.#database.snapshot(() => {
      const counted: Record<string, number> = {};
      const differences: CounterDifference[] = [];
      for (const check of CHECKS) {
        const total = this.#database.get(`SELECT COUNT(*) AS total FROM ${check.table}`);
        counted[check.table] = total === undefined ? 0 : readNumber(total, 'total');
        for (const row of this.#database.all(differenceQuery(check, MAX_DIFFERENCES))) {
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

  async backup(file: string): Promise<void> {
    this.#database.run('VACUUM INTO ?', file);
  }
}
