import type { DenyReason } from '../../domain/decision.js';
import { addUsage, mostExpensiveFirst, NO_USAGE, type Usage } from '../../domain/usage.js';
import { readBigint, readNumber, readText } from '../row.js';
import { toUsage } from '../rows/usage-row.js';
import type {
  DayUsage,
  DenialCount,
  ModelDayUsage,
  ModelUsage,
  UsageRange,
  UsageStore,
  UserUsage,
} from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';

export class SqliteUsage implements UsageStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async listDays({ workspaceId, from, to }: UsageRange): Promise<DayUsage[]> {
    return this.#database
      .all(
        'SELECT * FROM workspace_days WHERE workspace_id = ? AND day BETWEEN ? AND ? ORDER BY day',
        workspaceId,
        from,
        to,
      )
      .map((row) => ({ ...toUsage(row), day: readText(row, 'day'), runCount: readNumber(row, 'run_count') }));
  }

  async listModelDays({ workspaceId, from, to }: UsageRange): Promise<ModelDayUsage[]> {
    return this.#database
      .all(
        'SELECT * FROM model_days WHERE workspace_id = ? AND day BETWEEN ? AND ? ORDER BY day, model',
        workspaceId,
        from,
        to,
      )
      .map((row) => ({ ...toUsage(row), day: readText(row, 'day'), model: readText(row, 'model') }));
  }

  async listDenials({ workspaceId, from, to }: UsageRange): Promise<DenialCount[]> {
    return this.#database
      .all(
        'SELECT * FROM denial_days WHERE workspace_id = ? AND day BETWEEN ? AND ? ORDER BY day, reason',
        workspaceId,
        from,
        to,
      )
      .map((row) => ({
        day: readText(row, 'day'),
        reason: readText(row, 'reason') as DenyReason,
        count: readNumber(row, 'denial_count'),
      }));
  }

  /** Summed here and not in SQL: thirty days together may exceed 64 bits, and SQLite would refuse the sum. */
  async listModels(range: UsageRange): Promise<ModelUsage[]> {
    const byModel = new Map<string, Usage>();
    for (const { model, ...usage } of await this.listModelDays(range)) {
      byModel.set(model, addUsage(byModel.get(model) ?? NO_USAGE, usage));
    }
    const models = [...byModel].map(([model, usage]) => ({ model, ...usage }));
    return mostExpensiveFirst(models, ({ model }) => model);
  }

  /** Summed in SQL, since users may be many; in two halves, so that the sums stay far from 64 bits. */
  async listUsers({ workspaceId, from, to }: UsageRange, limit: number): Promise<UserUsage[]> {
    const rows = this.#database.all(
      `SELECT user_id, SUM(cost_pico_usd / 1000000) AS micro_usd, SUM(cost_pico_usd % 1000000) AS pico_usd,
         SUM(run_count) AS run_count
       FROM user_days WHERE workspace_id = ? AND day BETWEEN ? AND ? GROUP BY user_id
       ORDER BY micro_usd + pico_usd / 1000000 DESC, pico_usd % 1000000 DESC, user_id LIMIT ?`,
      workspaceId,
      from,
      to,
      limit,
    );
    return rows.map((row) => ({
      userId: readText(row, 'user_id'),
      costPicoUsd: readBigint(row, 'micro_usd') * 1_000_000n + readBigint(row, 'pico_usd'),
      runCount: readNumber(row, 'run_count'),
    }));
  }
}
