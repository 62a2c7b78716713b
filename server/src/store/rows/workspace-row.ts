import type { Plan } from '../../domain/plan.js';
import type { Workspace } from '../../domain/workspace.js';
import { type Row, readBoolean, readNullableBigint, readNumber, readText } from '../row.js';

export function toWorkspace(row: Row): Workspace {
  return {
    id: readText(row, 'id'),
    name: readText(row, 'name'),
    slug: readText(row, 'slug'),
    plan: readText(row, 'plan') as Plan,
    killSwitch: readBoolean(row, 'kill_switch'),
    dailyBudgetPicoUsd: readNullableBigint(row, 'daily_budget_pico_usd'),
    userDailyBudgetPicoUsd: readNullableBigint(row, 'user_daily_budget_pico_usd'),
    maxConcurrentRuns: readNumber(row, 'max_concurrent_runs'),
    createdAt: readNumber(row, 'created_at'),
  };
}
