import type { DenyReason } from '../../domain/decision.js';
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
import type { PostgresDatabase } from './postgres-database.js';

export const USAGE_COLUMN_NAMES = [
  'cost_pico_usd',
  'prompt_tokens',
  'completion_tokens',
  'unpriced_tokens',
] as const;
export const USAGE_COLUMNS = USAGE_COLUMN_NAMES.join(', ');

export class PostgresUsage implements UsageStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async listDays({ workspaceId, from, to }: UsageRange): Promise<DayUsage[]> {
    const rows = await this.#database.query(
      `SELECT day, ${USAGE_COLUMNS}, run_count FROM workspace_days
       WHERE workspace_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day`,
      workspaceId,
      from,
      to,
    );
    return rows.map((row) => ({
      ...toUsage(row),
      day: readText(row, 'day'),
      runCount: readNumber(row, 'run_count'),
    }));
  }

  async listModelDays({ workspaceId, from, to }: UsageRange): Promise<ModelDayUsage[]> {
    const rows = await this.#database.query(
      `SELECT day, model, ${USAGE_COLUMNS} FROM model_days
       WHERE workspace_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day, model`,
      workspaceId,
      from,
      to,
    );
    return rows.map((row) => ({ ...toUsage(row), day: readText(row, 'day'), model: readText(row, 'model') }));
  }

  async listDenials({ workspaceId, from, to }: UsageRange): Promise<DenialCount[]> {
    const rows = await this.#database.query(
      `SELECT day, reason, denial_count FROM denial_days
       WHERE workspace_id = $1 AND day BETWEEN $2 AND $3 ORDER BY day, reason`,
      workspaceId,
      from,
      to,
    );
    return rows.map((row) => ({
      day: readText(row, 'day'),
      reason: readText(row, 'reason') as DenyReason,
      count: readNumber(row, 'denial_count'),
    }));
  }

  /** Sums of 64-bit integers are `numeric` here: they cannot overflow. */
  async listModels({ workspaceId, from, to }: UsageRange): Promise<ModelUsage[]> {
    const rows = await this.#database.query(
      `SELECT model, SUM(cost_pico_usd) AS cost_pico_usd, SUM(prompt_tokens) AS prompt_tokens,
         SUM(completion_tokens) AS completion_tokens, SUM(unpriced_tokens) AS unpriced_tokens
       FROM model_days WHERE workspace_id = $1 AND day BETWEEN $2 AND $3 GROUP BY model
       ORDER BY SUM(cost_pico_usd) DESC, model`,
      workspaceId,
      from,
      to,
    );
    return rows.map((row) => ({ ...toUsage(row), model: readText(row, 'model') }));
  }

  async listUsers({ workspaceId, from, to }: UsageRange, limit: number): Promise<UserUsage[]> {
    const rows = await this.#database.query(
      `SELECT user_id, SUM(cost_pico_usd) AS cost_pico_usd, SUM(run_count) AS run_count
       FROM user_days WHERE workspace_id = $1 AND day BETWEEN $2 AND $3 GROUP BY user_id
       ORDER BY SUM(cost_pico_usd) DESC, user_id LIMIT $4`,
      workspaceId,
      from,
      to,
      limit,
    );
    return rows.map((row) => ({
      userId: readText(row, 'user_id'),
      costPicoUsd: readBigint(row, 'cost_pico_usd'),
      runCount: readNumber(row, 'run_count'),
    }));
  }
}
