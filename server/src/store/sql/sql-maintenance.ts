import { type CounterCheck, counterChecks, differenceQuery } from '../counter-checks.js';
import { firstOf, readNumber, readText } from '../row.js';
import type { CounterDifference, MaintenanceStore, VerifyReport } from '../store.js';
import { STEPS } from '../tables.js';
import { checkCosts } from './sql-cost-checks.js';
import type { SqlDatabase, SqlReader } from './sql-database.js';

/** Differences listed per counter. */
const MAX_DIFFERENCES = 100;

export function sqlMaintenance(database: SqlDatabase): Omit<MaintenanceStore, 'backup'> {
  return {
    keepSecret: (name, candidate) =>
      database.transaction(async (transaction) => {
        const insert = 'INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING';
        await transaction.query(insert, name, candidate);
        const rows = await transaction.query('SELECT value FROM secrets WHERE name = $1', name);
        return firstOf(rows, (row) => readText(row, 'value')) ?? candidate;
      }),

    deleteIdempotencyRecords: ({ before, limit }) =>
      database.transaction(async (transaction) => {
        const key = 'key_hash';
        const oldest = database.oldRows('remembered_answers', { key, time: 'created_at' });
        // The second statement deletes the rows that the first has locked.
        const { length } = await transaction.query(oldest, before, limit);
        if (length > 0) {
          await transaction.query(
            `DELETE FROM remembered_answers WHERE (${key}) IN (${oldest})`,
            before,
            limit,
          );
        }
        return length;
      }),

    verify() {
      const checks = counterChecks((column) => database.dayOf(column));
      const costs = { keyOrder: database.keyOrder(STEPS), limit: MAX_DIFFERENCES };
      return database.snapshot(
        async (reader) => {
          const counters = await compareCounters(reader, checks);
          const { count, differences } = await checkCosts(reader, costs);
          return {
            counted: { ...counters.counted, steps: count },
            differences: [...counters.differences, ...differences],
          };
        },
        { isLong: true },
      );
    },
  };
}

async function compareCounters(reader: SqlReader, checks: readonly CounterCheck[]): Promise<VerifyReport> {
  const counted: Record<string, number> = {};
  const differences: CounterDifference[] = [];
  for (const check of checks) {
    const rows = await reader.query(`SELECT COUNT(*) AS total FROM ${check.table}`);
    counted[check.table] = firstOf(rows, (row) => readNumber(row, 'total')) ?? 0;
    for (const row of await reader.query(differenceQuery(check, MAX_DIFFERENCES))) {
      differences.push({
        counter: `${check.table} ${readText(row, 'key')}`,
        stored: readText(row, 'stored'),
        recomputed: readText(row, 'recomputed'),
      });
    }
  }
  return { counted, differences };
}
