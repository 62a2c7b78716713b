/** Every counter with the query that recomputes it from the ledger. */

import { LAST_BUCKET, MAX_SHIFT, NO_BUCKET } from '../domain/duration-buckets.js';
import { nameOf, namesOf } from './columns.js';
import { RUN_COUNTS, RUN_TOTALS, USAGE as USAGE_COLUMNS, USAGE_PARTS } from './tables.js';

export interface CounterCheck {
  readonly table: string;
  readonly keys: readonly string[];
  readonly values: readonly string[];
  /** Yields the key and value columns. */
  readonly recompute: string;
}

const USAGE = namesOf(USAGE_COLUMNS);

const SUM_OF_USAGE = `
  SUM(COALESCE(s.cost_pico_usd, 0)) AS cost_pico_usd,
  SUM(COALESCE(s.prompt_tokens, 0)) AS prompt_tokens,
  SUM(COALESCE(s.completion_tokens, 0)) AS completion_tokens,
  SUM(CASE WHEN s.cost_pico_usd IS NULL THEN s.prompt_tokens + s.completion_tokens ELSE 0 END) AS unpriced_tokens`;

const PARTS = namesOf(USAGE_PARTS);
const SUM_OF_PARTS = PARTS.map((name) => `SUM(COALESCE(s.${name}, 0)) AS ${name}`).join(', ');

/** Reported with tokens or a cost, or charged. */
const IS_COUNTED = '(s.prompt_tokens IS NOT NULL OR s.cost_pico_usd IS NOT NULL)';

const SUM_OF_RUN_COUNTS = Object.keys(RUN_COUNTS)
  .map((status) => `SUM(CASE WHEN status = '${status}' THEN 1 ELSE 0 END) AS ${nameOf(RUN_COUNTS, status)}`)
  .join(', ');

/** As `bucketOf` of domain/duration-buckets.ts. */
const BUCKET_OF_DURATION = `CASE
  WHEN duration_ms IS NULL THEN ${NO_BUCKET}
  WHEN duration_ms < 8 THEN duration_ms
  ${Array.from({ length: MAX_SHIFT }, (_, index) => index + 1)
    .map((shift) => `WHEN duration_ms < ${8 << shift} THEN ${4 * shift} + (duration_ms >> ${shift})`)
    .join(' ')}
  ELSE ${LAST_BUCKET} END`;

/** `dayOf` gives the SQL expression for the UTC day of a column of milliseconds. */
export function counterChecks(dayOf: (column: string) => string): CounterCheck[] {
  return [
    {
      table: 'runs',
      keys: ['workspace_id', 'id'],
      values: namesOf(RUN_TOTALS),
      recompute: `
        SELECT workspace_id, run_id AS id, COUNT(*) AS step_count, COUNT(decision_reason) AS denied_step_count,
          SUM(COALESCE(held_pico_usd, 0)) AS held_pico_usd, COUNT(held_pico_usd) AS open_holds,
          SUM(COALESCE(prompt_tokens, 0) + COALESCE(completion_tokens, 0)) AS total_tokens,
          SUM(COALESCE(cost_pico_usd, 0)) AS total_cost_pico_usd, MAX(COALESCE(usage_version, 0)) AS usage_version
        FROM steps GROUP BY workspace_id, run_id`,
    },
    {
      table: 'workspace_counters',
      keys: ['workspace_id'],
      values: namesOf(RUN_COUNTS),
      recompute: `SELECT workspace_id, ${SUM_OF_RUN_COUNTS} FROM runs GROUP BY workspace_id`,
    },
    {
      // A bound: correct as long as no run is due before it.
      table: 'workspace_counters',
      keys: ['workspace_id'],
      values: ['next_due_at'],
      recompute: `
        SELECT c.workspace_id, CASE
            WHEN MIN(r.due_at) IS NULL OR c.next_due_at <= MIN(r.due_at) THEN c.next_due_at ELSE MIN(r.due_at)
          END AS next_due_at
        FROM workspace_counters c
        LEFT JOIN runs r ON r.workspace_id = c.workspace_id AND r.due_at IS NOT NULL
        GROUP BY c.workspace_id, c.next_due_at`,
    },
    {
      // A running run with a lease is due when the lease ends, or before; others are not.
      table: 'runs',
      keys: ['workspace_id', 'id'],
      values: ['due_at'],
      recompute: `
        SELECT workspace_id, id, CASE
            WHEN status <> 'RUNNING' OR lease_expires_at IS NULL THEN NULL
            WHEN due_at <= lease_expires_at THEN due_at ELSE lease_expires_at
          END AS due_at
        FROM runs`,
    },
    {
      table: 'users',
      keys: ['workspace_id', 'user_id'],
      values: namesOf(RUN_COUNTS),
      recompute: `SELECT workspace_id, user_id, ${SUM_OF_RUN_COUNTS} FROM runs GROUP BY workspace_id, user_id`,
    },
    {
      table: 'workspace_counters',
      keys: ['workspace_id'],
      values: ['held_pico_usd'],
      recompute: 'SELECT workspace_id, SUM(held_pico_usd) AS held_pico_usd FROM runs GROUP BY workspace_id',
    },
    {
      table: 'users',
      keys: ['workspace_id', 'user_id'],
      values: ['held_pico_usd'],
      recompute: `
        SELECT workspace_id, user_id, SUM(held_pico_usd) AS held_pico_usd FROM runs GROUP BY workspace_id, user_id`,
    },
    {
      table: 'workspace_days',
      keys: ['workspace_id', 'day'],
      values: [...USAGE, 'run_count'],
      recompute: usageWithRuns({ key: '', stepKey: '', dayOf }),
    },
    {
      table: 'user_days',
      keys: ['workspace_id', 'day', 'user_id'],
      values: [...USAGE, 'run_count'],
      recompute: usageWithRuns({ key: ', user_id', stepKey: ', r.user_id', dayOf }),
    },
    {
      table: 'model_days',
      keys: ['workspace_id', 'day', 'model'],
      values: [...USAGE, ...PARTS, 'step_count'],
      recompute: `
        SELECT s.workspace_id, ${dayOf('s.reported_at')} AS day, s.model, ${SUM_OF_USAGE}, ${SUM_OF_PARTS},
          COUNT(*) AS step_count
        FROM steps s WHERE ${IS_COUNTED} AND s.model IS NOT NULL
        GROUP BY s.workspace_id, ${dayOf('s.reported_at')}, s.model`,
    },
    {
      table: 'model_prices',
      keys: ['workspace_id', 'model'],
      values: ['version'],
      recompute: `
        SELECT workspace_id, model, MAX(version) AS version FROM model_price_versions GROUP BY workspace_id, model`,
    },
    {
      table: 'denial_days',
      keys: ['workspace_id', 'day', 'reason'],
      values: ['denial_count'],
      recompute: `
        SELECT workspace_id, day, reason, COUNT(*) AS denial_count FROM (
          SELECT workspace_id, ${dayOf('started_at')} AS day, decision_reason AS reason FROM runs
          UNION ALL
          SELECT workspace_id, ${dayOf('created_at')} AS day, decision_reason AS reason FROM steps
        ) AS denials WHERE reason IS NOT NULL GROUP BY workspace_id, day, reason`,
    },
    {
      table: 'user_model_days',
      keys: ['workspace_id', 'day', 'user_id', 'model'],
      values: [...USAGE, 'step_count'],
      recompute: `
        SELECT s.workspace_id, ${dayOf('s.reported_at')} AS day, r.user_id, s.model, ${SUM_OF_USAGE}, COUNT(*) AS step_count
        FROM steps s JOIN runs r ON r.workspace_id = s.workspace_id AND r.id = s.run_id
        WHERE ${IS_COUNTED} AND s.model IS NOT NULL
        GROUP BY s.workspace_id, ${dayOf('s.reported_at')}, r.user_id, s.model`,
    },
    {
      table: 'user_denial_days',
      keys: ['workspace_id', 'day', 'user_id', 'reason'],
      values: ['denial_count'],
      recompute: `
        SELECT workspace_id, day, user_id, reason, COUNT(*) AS denial_count FROM (
          SELECT workspace_id, ${dayOf('started_at')} AS day, user_id, decision_reason AS reason FROM runs
          UNION ALL
          SELECT s.workspace_id, ${dayOf('s.created_at')} AS day, r.user_id, s.decision_reason AS reason
          FROM steps s JOIN runs r ON r.workspace_id = s.workspace_id AND r.id = s.run_id
        ) AS denials WHERE reason IS NOT NULL GROUP BY workspace_id, day, user_id, reason`,
    },
    {
      table: 'model_call_days',
      keys: ['workspace_id', 'day', 'model', 'status', 'bucket'],
      values: ['call_count'],
      recompute: `
        SELECT workspace_id, ${dayOf('reported_at')} AS day, model, status, ${BUCKET_OF_DURATION} AS bucket, COUNT(*) AS call_count
        FROM steps WHERE status IN ('COMPLETED', 'FAILED') AND model IS NOT NULL AND reported_at IS NOT NULL
        GROUP BY workspace_id, ${dayOf('reported_at')}, model, status, ${BUCKET_OF_DURATION}`,
    },
  ];
}

/**
 * The rows that differ: key columns, then `stored` and `recomputed` as text. A missing row counts as zeros. Both sides are
 * combined with UNION ALL and grouped by key: SQLite executes a FULL JOIN in quadratic time.
 */
export function differenceQuery({ table, keys, values, recompute }: CounterCheck, limit: number): string {
  const side = (name: string) =>
    values.map((value) => `MAX(${name}_${value}) AS ${name}_${value}`).join(', ');
  const listOf = (name: string) =>
    values.map((value) => `'${value}=' || CAST(COALESCE(${name}_${value}, 0) AS TEXT)`).join(` || ' ' || `);
  const differs = values
    .map((value) => `COALESCE(stored_${value}, 0) <> COALESCE(found_${value}, 0)`)
    .join(' OR ');
  const columns = (name: string) => values.map((value) => `${value} AS ${name}_${value}`).join(', ');
  const nothing = (name: string) => values.map((value) => `NULL AS ${name}_${value}`).join(', ');
  const keyColumns = keys.join(', ');
  return `
    SELECT ${keys.join(` || '/' || `)} AS key, ${listOf('stored')} AS stored, ${listOf('found')} AS recomputed
    FROM (
      SELECT ${keyColumns}, ${side('stored')}, ${side('found')} FROM (
        SELECT ${keyColumns}, ${columns('stored')}, ${nothing('found')} FROM ${table}
        UNION ALL
        SELECT ${keyColumns}, ${nothing('stored')}, ${columns('found')} FROM (${recompute}) AS found
      ) AS both_sides GROUP BY ${keyColumns}
    ) AS compared
    WHERE ${differs} LIMIT ${limit}`;
}

function usageWithRuns(given: { key: string; stepKey: string; dayOf: (column: string) => string }): string {
  const { key, stepKey, dayOf } = given;
  return `
    SELECT workspace_id, day${key}, ${[...USAGE, 'run_count'].map((name) => `SUM(${name}) AS ${name}`).join(', ')}
    FROM (
      SELECT s.workspace_id, ${dayOf('s.reported_at')} AS day${stepKey}, ${SUM_OF_USAGE}, 0 AS run_count
      FROM steps s JOIN runs r ON r.workspace_id = s.workspace_id AND r.id = s.run_id
      WHERE ${IS_COUNTED}
      GROUP BY s.workspace_id, ${dayOf('s.reported_at')}${stepKey}
      UNION ALL
      SELECT r.workspace_id, ${dayOf('r.started_at')} AS day${stepKey}, 0, 0, 0, 0, COUNT(*)
      FROM runs r WHERE r.status <> 'BLOCKED'
      GROUP BY r.workspace_id, ${dayOf('r.started_at')}${stepKey}
    ) AS usage_and_runs GROUP BY workspace_id, day${key}`;
}
