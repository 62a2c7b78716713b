/** Statements that write any number of rows: one array per column, so that their text never changes. */

import { conflictClause, toTableWrites, type Write, type WrittenRow } from '../batch-writes.js';
import { type ColumnType, namesOf } from '../columns.js';
import type { SqlValue } from '../row.js';
import type { Statement } from '../sql/sql-database.js';
import type { BatchChanges } from '../store.js';

/** What a batch changes: one statement per table for all its workspaces. */
export function toStatements(changes: readonly BatchChanges[]): Statement[] {
  return toTableWrites(changes).flatMap(({ write, rows }) => {
    const isLarge = hasLargePayload(write);
    const large = rows.filter(isLarge);
    const others = large.length === 0 ? rows : rows.filter((row) => !isLarge(row));
    return [...large.map(writeOne(write)), ...(others.length === 0 ? [] : [writeAll(write)(others)])];
  });
}

/** Characters of a payload that is not worth escaping to send it together with others. */
const LARGE_PAYLOAD = 16 * 1024;

function hasLargePayload({ kind, table: { payload } }: Write): (record: WrittenRow) => boolean {
  if (kind !== 'insert' || payload === undefined) return () => false;
  return (record) => ((record[payload] as string | null)?.length ?? 0) > LARGE_PAYLOAD;
}

const writeAll = once((write: Write) => {
  const cells = Object.entries(write.columns);
  const sql = bulkSql(write);
  return (rows: readonly WrittenRow[]): Statement => ({
    sql,
    values: cells.map(([property, column]) => rows.map((row) => column.write(row[property]))),
  });
});

/** One row with plain parameters: a large text in an array would be escaped character by character. */
const writeOne = once((write: Write) => {
  const cells = Object.entries(write.columns);
  const places = cells.map(([, { type }], index) => `$${index + 1}::${type}`).join(', ');
  const sql = `INSERT INTO ${write.table.name} (${namesOf(write.columns).join(', ')}) VALUES (${places})`;
  return (row: WrittenRow): Statement => ({
    sql,
    values: cells.map(([property, column]): SqlValue => column.write(row[property])),
  });
});

function bulkSql(write: Write): string {
  const { kind, table, columns } = write;
  const names = namesOf(columns);
  const types = Object.values(columns).map(({ type }) => type);
  const rows = arraysAs(
    'new',
    names.map((name, index) => ({ name, type: types[index] ?? 'text' })),
  );
  if (kind !== 'update')
    return `INSERT INTO ${table.name} (${names.join(', ')}) SELECT * FROM ${rows}${conflictClause(write)}`;
  const isKey = (_: string, index: number) => table.key.includes(Object.keys(columns)[index] ?? '');
  const changes = names.filter((name, index) => !isKey(name, index)).map((name) => `${name} = new.${name}`);
  const isSame = names.filter(isKey).map((name) => `${table.name}.${name} = new.${name}`);
  return `UPDATE ${table.name} SET ${changes.join(', ')} FROM ${rows} WHERE ${isSame.join(' AND ')}`;
}

/** Made when it is first needed, and kept. */
function once<Made>(make: (write: Write) => Made): (write: Write) => Made {
  const made = new Map<Write, Made>();
  return (write) => {
    const kept = made.get(write) ?? make(write);
    made.set(write, kept);
    return kept;
  };
}

/**
 * The rows that arrays hold, one array per column, in the order of the parameters. The limit is all of them, but PostgreSQL
 * knows that only when it has them: for a plan that it keeps it takes one row for granted, and so looks rows up by their key.
 * Else it would keep reading whole tables that were small when the plan was made, or plan anew each time.
 */
export function arraysAs(
  name: string,
  columns: readonly { readonly name: string; readonly type: ColumnType }[],
): string {
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  const names = columns.map((column) => column.name).join(', ');
  return `(SELECT * FROM unnest(${arrays.join(', ')}) LIMIT cardinality(${arrays[0]})) AS ${name} (${names})`;
}

/**
 * The row with a key, found for each row on the left of a join and in their order: because of its limit PostgreSQL can look
 * it up only by that key, and cannot join in another way.
 */
export function rowOf(table: string, key: string, { lock }: { lock?: string } = {}): string {
  return `LATERAL (SELECT * FROM ${table} WHERE ${key} LIMIT 1${lock === undefined ? '' : ` ${lock}`})`;
}
