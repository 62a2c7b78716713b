import { badRequest } from '../../domain/app-error.js';
import { counterChecks, differenceQuery } from '../counter-checks.js';
import { readNumber, readText } from '../row.js';
import type { CounterDifference, MaintenanceStore, VerifyReport } from '../store.js';
import type { PostgresDatabase } from './postgres-database.js';

/** Differences listed per counter; one is already one too many. */
const MAX_DIFFERENCES = 100;
/** Recomputing everything from a large ledger takes its time. */
const VERIFY_TIMEOUT_MS = 6 * 60 * 60_000;

const CHECKS = counterChecks(
  (column) => `to_char(to_timestamp(${column} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD') COLLATE "C"`,
);

export class PostgresMaintenance implements MaintenanceStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async keepSecret(name: string, candidate: string): Promise<string> {
    return this.#database.transaction(async (transaction) => {
      const [, [row] = []] = await transaction.finish(
        {
          sql: 'INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING',
          values: [name, candidate],
        },
        { sql: 'SELECT value FROM secrets WHERE name = $1', values: [name] },
      );
      return row === undefined ? candidate : readText(row, 'value');
    });
  }

  async forgetAnswers({ before, limit }: { before: number; limit: number }): Promise<number> {
    // Instances forget at the same time: each takes those that no one else is about to.
    const row = await this.#database.queryOne(
      `WITH forgotten AS (
         DELETE FROM remembered_answers WHERE (workspace_id, key_hash) IN (
           SELECT workspace_id, key_hash FROM remembered_answers WHERE created_at < $1
           ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ) RETURNING 1
       ) SELECT COUNT(*) AS total FROM forgotten`,
      before,
      limit,
    );
    return row === undefined ? 0 : readNumber(row, 'total');
  }

  async verify(): Promise<VerifyReport> {
    return this.#database.longSnapshot(VERIFY_TIMEOUT_MS, async (transaction) => {
      const counted: Record<string, number> = {};
      const differences: CounterDifference[] = [];
      for (const check of CHECKS) {
        const [total] = await transaction.query(`SELECT COUNT(*) AS total FROM ${check.table}`);
        counted[check.table] = total === undefined ? 0 : readNumber(total, 'total');
        for (const row of await transaction.query(differenceQuery(check, MAX_DIFFERENCES))) {
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

  async backup(): Promise<void> {
    throw badRequest('Back up PostgreSQL with its own tools, for example pg_dump --format=custom');
  }
}
