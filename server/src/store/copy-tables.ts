/** Every table of a store as a copy sees it: columns with their kinds, in the order in which tables can be filled. */

import { type Row, readBigint, readBoolean, readText } from './row.js';

export type CopyValue = null | string | bigint | boolean;
export type CopyRow = Readonly<Record<string, CopyValue>>;

export type ColumnKind = 'uuid' | 'text' | 'integer' | 'boolean';

export interface CopyTable {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** Given by each store itself: read as part of the key, never written. */
  readonly generated?: string;
}

const USAGE = {
  cost_pico_usd: 'integer',
  prompt_tokens: 'integer',
  completion_tokens: 'integer',
  unpriced_tokens: 'integer',
} as const;

const RUN_COUNTS = {
  running_runs: 'integer',
  completed_runs: 'integer',
  failed_runs: 'integer',
  blocked_runs: 'integer',
} as const;

export const COPY_TABLES: readonly CopyTable[] = [
  {
    name: 'workspaces',
    key: ['id'],
    columns: {
      id: 'uuid',
      name: 'text',
      slug: 'text',
      plan: 'text',
      kill_switch: 'boolean',
      daily_budget_pico_usd: 'integer',
      user_daily_budget_pico_usd: 'integer',
      max_concurrent_runs: 'integer',
      created_at: 'integer',
    },
  },
  {
    name: 'accounts',
    key: ['id'],
    columns: {
      id: 'uuid',
      workspace_id: 'uuid',
      email: 'text',
      email_key: 'text',
      name: 'text',
      password_hash: 'text',
      token_version: 'integer',
      created_at: 'integer',
    },
  },
  {
    name: 'api_keys',
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: 'uuid',
      id: 'uuid',
      prefix: 'text',
      secret_hash: 'text',
      label: 'text',
      is_active: 'boolean',
      created_at: 'integer',
      last_used_at: 'integer',
    },
  },
  {
    name: 'model_prices',
    key: ['workspace_id', 'model'],
    columns: {
      workspace_id: 'uuid',
      model: 'text',
      id: 'uuid',
      input_usd: 'text',
      output_usd: 'text',
      is_active: 'boolean',
    },
  },
  {
    name: 'workspace_counters',
    key: ['workspace_id'],
    columns: { workspace_id: 'uuid', ...RUN_COUNTS },
  },
  {
    name: 'users',
    key: ['workspace_id', 'user_id'],
    columns: {
      workspace_id: 'uuid',
      user_id: 'text',
      blocked: 'boolean',
      last_seen_at: 'integer',
      ...RUN_COUNTS,
    },
  },
  {
    name: 'runs',
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: 'uuid',
      id: 'uuid',
      position: 'integer',
      user_id: 'text',
      status: 'text',
      started_at: 'integer',
      ended_at: 'integer',
      step_count: 'integer',
      total_tokens: 'integer',
      total_cost_pico_usd: 'integer',
      usage_version: 'integer',
      decision_reason: 'text',
      decision_rules: 'text',
      metadata: 'text',
    },
  },
  {
    name: 'steps',
    key: ['workspace_id', 'run_id', 'id'],
    columns: {
      workspace_id: 'uuid',
      run_id: 'uuid',
      id: 'uuid',
      position: 'integer',
      sequence: 'integer',
      type: 'text',
      status: 'text',
      model: 'text',
      tool_name: 'text',
      prompt_tokens: 'integer',
      completion_tokens: 'integer',
      cost_pico_usd: 'integer',
      duration_ms: 'integer',
      decision_reason: 'text',
      decision_rules: 'text',
      created_at: 'integer',
      reported_at: 'integer',
      usage_version: 'integer',
      input_data: 'text',
    },
  },
  {
    name: 'workspace_days',
    key: ['workspace_id', 'day'],
    columns: { workspace_id: 'uuid', day: 'text', ...USAGE, run_count: 'integer' },
  },
  {
    name: 'user_days',
    key: ['workspace_id', 'day', 'user_id'],
    columns: { workspace_id: 'uuid', day: 'text', user_id: 'text', ...USAGE, run_count: 'integer' },
  },
  {
    name: 'model_days',
    key: ['workspace_id', 'day', 'model'],
    columns: { workspace_id: 'uuid', day: 'text', model: 'text', ...USAGE, step_count: 'integer' },
  },
  {
    name: 'denial_days',
    key: ['workspace_id', 'day', 'reason'],
    columns: { workspace_id: 'uuid', day: 'text', reason: 'text', denial_count: 'integer' },
  },
  {
    name: 'remembered_answers',
    key: ['workspace_id', 'key_hash'],
    columns: {
      workspace_id: 'uuid',
      key_hash: 'text',
      request_hash: 'text',
      answer: 'text',
      created_at: 'integer',
    },
  },
  {
    name: 'login_failures',
    key: ['id'],
    columns: { id: 'integer', subject: 'text', failed_at: 'integer' },
    generated: 'id',
  },
  {
    name: 'secrets',
    key: ['name'],
    columns: { name: 'text', value: 'text' },
  },
];

export function writtenColumns({ columns, generated }: CopyTable): string[] {
  return Object.keys(columns).filter((column) => column !== generated);
}

/** Whatever the driver makes of integers and booleans, a row of a copy has bigints and booleans. */
export function toCopyRow({ columns }: CopyTable, row: Row): CopyRow {
  return Object.fromEntries(
    Object.keys(columns).map((column): [string, CopyValue] => [
      column,
      toCopyValue(row, column, columns[column]),
    ]),
  );
}

function toCopyValue(row: Row, column: string, kind: ColumnKind | undefined): CopyValue {
  if (row[column] === null) return null;
  if (kind === 'integer') return readBigint(row, column);
  return kind === 'boolean' ? readBoolean(row, column) : readText(row, column);
}
