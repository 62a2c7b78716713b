import type { SqlValue } from '../row.js';
import type { PositionRange, RunFilter } from '../store.js';
import type { Statement } from './sql-database.js';

/** A condition on runs, and the columns that it needs. */
interface Condition {
  readonly sql: string;
  readonly columns: readonly string[];
}

/** Runs that an index finds, and the conditions that remain to be checked for each of them. */
interface Candidates {
  readonly table?: 'runs' | 'run_metadata';
  readonly found: readonly Condition[];
  readonly remaining: readonly Condition[];
}

/** The same text as in the partial index. */
const HAS_DENIED_STEPS: Condition = { sql: 'denied_step_count > 0', columns: ['denied_step_count'] };

export interface RunWindow {
  /** Selects the positions of the runs that match. */
  readonly sql: string;
  /** Whether every run that an index finds matches. */
  readonly isDecidedByIndex: boolean;
  /** Each selects the positions that an index finds, newest first: those that the filters are applied to. */
  readonly examined: readonly Statement[];
  readonly values: readonly SqlValue[];
}

interface WindowBounds {
  readonly now: number;
  readonly positions: PositionRange | null;
  /** How many runs an index may find. */
  readonly limit: number;
  readonly order: 'ASC' | 'DESC';
  /** Whether the runs of the user are few: found first, they are examined completely, whatever else is asked for. */
  readonly hasFewOfUser?: boolean;
}

/** The runs that match filters without a counter. */
export function runWindow(query: RunFilter & { workspaceId: string }, bounds: WindowBounds): RunWindow {
  const { now, positions, limit, order, hasFewOfUser = false } = bounds;
  const values: SqlValue[] = [query.workspaceId, limit];
  const add = (value: SqlValue) => `$${values.push(value)}`;
  const range =
    positions === null ? '' : ` AND position BETWEEN ${add(positions.oldest)} AND ${add(positions.newest)}`;
  const candidates = candidatesOf(query, { now, range, order, hasFewOfUser, add });
  const sets = candidates.map(({ table = 'runs', found, remaining }) => {
    const columns = new Set(['position', ...remaining.flatMap((condition) => condition.columns)]);
    const examined = `SELECT ${[...columns].join(', ')} FROM ${table}
                      WHERE workspace_id = $1${found.map(({ sql }) => ` AND ${sql}`).join('')}${range}
                      ORDER BY position ${order} LIMIT $2`;
    const conditions = remaining.map(({ sql }) => `(${sql})`).join(' AND ');
    const where = conditions === '' ? '' : ` WHERE ${conditions}`;
    return { examined, matching: `SELECT position FROM (${examined}) AS examined${where}` };
  });
  return {
    sql: sets.map(({ matching }) => matching).join(' UNION '),
    isDecidedByIndex: candidates.length === 1 && candidates.every(({ remaining }) => remaining.length === 0),
    examined: sets.map(({ examined }) => withUsedValues({ sql: examined, values })),
    values,
  };
}

/** The values of a window, for another number of runs that an index may find. */
export function withLimit(values: readonly SqlValue[], limit: number): readonly SqlValue[] {
  const [workspaceId = null, , ...others] = values;
  return [workspaceId, limit, ...others];
}

/** PostgreSQL refuses values that a statement does not use. */
function withUsedValues({ sql, values }: Statement): Statement {
  const used: string[] = [];
  const renumbered = sql.replace(/\$(\d+)/g, (_, number: string) => {
    if (!used.includes(number)) used.push(number);
    return `$${used.indexOf(number) + 1}`;
  });
  return { sql: renumbered, values: used.map((number) => values[Number(number) - 1] ?? null) };
}

/** Found by the most selective index; what it does not decide remains. */
function candidatesOf(
  query: RunFilter,
  given: Pick<WindowBounds, 'now' | 'order' | 'hasFewOfUser'> & {
    range: string;
    add: (value: SqlValue) => string;
  },
): readonly Candidates[] {
  const { now, order, hasFewOfUser, range, add } = given;
  const equal = (column: string, value: SqlValue | undefined): readonly Condition[] =>
    value === undefined || value === null ? [] : [{ sql: `${column} = ${add(value)}`, columns: [column] }];
  const { metadata, denyReason } = query;
  const entry = metadata === undefined ? null : { name: add(metadata.name), value: add(metadata.value) };
  const hasMetadata =
    entry === null ? [] : [hasFewOfUser ? hasTag(entry) : withMetadata({ ...entry, range, order })];
  const user = equal('user_id', query.userId);
  const status = statusesOf(query).flatMap((value) => equal('status', value));
  const ended = equal('end_reason', query.endReason);
  const denied = query.hasDeniedSteps ? [HAS_DENIED_STEPS] : [];
  const idle = query.idleMs === undefined ? [] : [silentSince(add(now - query.idleMs))];
  if (denyReason !== undefined && metadata === undefined && query.userId === null) {
    const reason = add(denyReason);
    const remaining = [...status, ...ended, ...idle];
    return [
      { found: [runDeniedFor(reason)], remaining: [...remaining, ...denied] },
      { found: [HAS_DENIED_STEPS], remaining: [...remaining, stepDeniedFor(reason)] },
    ];
  }
  const ofUser = [...user, ...(query.userId === null ? [] : status)];
  const indexed = [...(hasFewOfUser ? [ofUser, hasMetadata] : [hasMetadata, ofUser]), ended, denied, status];
  const found = indexed.find((conditions) => conditions.length > 0) ?? [];
  const reason = denyReason === undefined ? [] : [deniedFor(add(denyReason))];
  const others = [...user, ...status, ...ended, ...denied, ...idle, ...reason];
  if (entry !== null && others.length === 0)
    return [{ table: 'run_metadata', found: [isTagged(entry)], remaining: [] }];
  const all = [...hasMetadata, ...others];
  return [{ found, remaining: all.filter((condition) => !found.includes(condition)) }];
}

/** An entry of metadata, as parameters. */
interface Entry {
  readonly name: string;
  readonly value: string;
}

function isTagged({ name, value }: Entry): Condition {
  return { sql: `name = ${name} AND value = ${value}`, columns: [] };
}

/** Looked up for each run that is examined. */
function hasTag(entry: Entry): Condition {
  const tag = `run_metadata
               WHERE workspace_id = $1 AND ${isTagged(entry).sql} AND run_metadata.position = examined.position`;
  return { sql: isFound(tag), columns: [] };
}

/** Found by its own index, and no more than are examined. */
function withMetadata({ range, order, ...entry }: Entry & { range: string; order: string }): Condition {
  const tagged = `SELECT position FROM run_metadata
                  WHERE workspace_id = $1 AND ${isTagged(entry).sql}${range}
                  ORDER BY position ${order} LIMIT $2`;
  return { sql: `position IN (SELECT position FROM (${tagged}) AS tagged)`, columns: [] };
}

function silentSince(moment: string): Condition {
  return {
    sql: `lease_expires_at - lease_seconds * 1000 <= ${moment}`,
    columns: ['lease_expires_at', 'lease_seconds'],
  };
}

/** Several if they contradict each other: then nothing matches. */
function statusesOf({ status, userId, endReason, idleMs }: RunFilter): readonly string[] {
  const implied = idleMs !== undefined ? 'RUNNING' : endReason !== undefined ? 'FAILED' : null;
  const statuses = [...new Set([status, implied])].filter((value) => value !== null);
  // Every run with an end reason has failed: only the index of a user makes use of it.
  const isCertain =
    endReason !== undefined && userId === null && statuses.every((value) => value === 'FAILED');
  return isCertain ? [] : statuses;
}

function runDeniedFor(reason: string): Condition {
  return { sql: `decision_reason = ${reason}`, columns: ['decision_reason'] };
}

function stepDeniedFor(reason: string): Condition {
  const step = `steps
                WHERE steps.workspace_id = $1 AND steps.run_id = examined.id AND steps.decision_reason = ${reason}`;
  return { sql: isFound(step), columns: ['id'] };
}

/** Not EXISTS: PostgreSQL would turn it into a join, which may read all such rows of the workspace. */
export function isFound(rows: string): string {
  return `(SELECT 1 FROM ${rows} LIMIT 1) IS NOT NULL`;
}

function deniedFor(reason: string): Condition {
  const [run, step] = [runDeniedFor(reason), stepDeniedFor(reason)];
  return {
    sql: `${run.sql} OR (${HAS_DENIED_STEPS.sql} AND ${step.sql})`,
    columns: [...run.columns, ...HAS_DENIED_STEPS.columns, ...step.columns],
  };
}
