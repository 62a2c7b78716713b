/** Statements that write any number of rows: one array per column, so that their text is constant. */

import { conflictClause, narrowed, toTableWrites, type Write } from '../batch-writes.js';
import {
  bulkWriter,
  type ColumnType,
  keyNames,
  namesOf,
  type OwnedRows,
  type Owner,
  omit,
  once,
  pick,
  writer,
} from '../columns.js';
import type { Statement } from '../sql/sql-database.js';
import type { BatchChanges } from '../store.js';
import { arrayOf } from './postgres-arrays.js';

/** What a batch changes: one statement per table for all its workspaces. */
export function toStatements(changes: readonly BatchChanges[]): Statement[] {
  return toTableWrites(changes).flatMap(({ write: given, groups }) => {
    const write = withoutKept(given, groups);
    const payloads = payloadsOf(write);
    if (payloads.length === 0) return [writeAll(write)(groups)];
    const isLarge = (row: object) => payloads.some((payload) => payload.lengthIn(row) > LARGE_PAYLOAD);
    const large = groups.flatMap(({ owner, rows }) => rows.filter(isLarge).map((row) => ({ owner, row })));
    if (large.length === 0) return [writeAll(write)(groups)];
    const others = groups.map(({ owner, rows }) => ({ owner, rows: rows.filter((row) => !isLarge(row)) }));
    return [
      ...large.map(({ owner, row }) => writeOne(write)(owner, row)),
      ...(others.every(({ rows }) => rows.length === 0) ? [] : [writeAll(write)(others)]),
    ];
  });
}

/** Characters; a larger payload is sent in a statement of its own. */
const LARGE_PAYLOAD = 16 * 1024;

interface PayloadOfRow {
  readonly lengthIn: (row: object) => number;
}

const payloadsOf = once(({ kind, table, columns }: Write): readonly PayloadOfRow[] => {
  if (kind !== 'insert' && kind !== 'update') return [];
  return Object.entries(pick(columns, ...(table.payloads ?? []).filter((name) => name in columns))).map(
    ([property, column]) => ({
      lengthIn: (row) => {
        const text = column.write((row as Record<string, unknown>)[column.from ?? property]);
        return typeof text === 'string' ? text.length : 0;
      },
    }),
  );
});

/** Without the columns that all rows keep. */
function withoutKept(write: Write, groups: readonly OwnedRows[]): Write {
  const { kept } = write;
  if (kept === undefined) return write;
  return groups.every(({ rows }) => rows.every(kept.isKept)) ? narrowed(write) : write;
}

const writeAll = once((write: Write) => {
  const sql = bulkSql(write);
  const valuesOf = bulkWriter(write.columns);
  const types = Object.values(write.columns).map(({ type }) => type);
  return (groups: readonly OwnedRows[]): Statement => ({
    sql,
    values: valuesOf(groups).map((column, index) => arrayOf(types[index] ?? 'text', column)),
  });
});

/** One row with plain parameters: a large text in an array would have to be escaped, and read character by character. */
const writeOne = once((write: Write) => {
  const { kind, table, columns } = write;
  const names = namesOf(columns);
  const places = Object.values(columns).map(({ type }, index) => `$${index + 1}::${type}`);
  const key = new Set(keyNames(table));
  const equal = names.map((name, index) => ({ isKey: key.has(name), text: `${name} = ${places[index]}` }));
  const textOf = (isKey: boolean) => equal.filter((one) => one.isKey === isKey).map(({ text }) => text);
  const sql =
    kind === 'insert'
      ? `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${places.join(', ')})`
      : `UPDATE ${table.name} SET ${textOf(false).join(', ')} WHERE ${textOf(true).join(' AND ')}`;
  const valuesOf = writer(write.columns);
  return (owner: Owner, row: object): Statement => ({ sql, values: valuesOf(owner, row) });
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
  const changes = namesOf(omit(columns, ...table.key)).map((name) => `${name} = new.${name}`);
  const isSame = keyNames(table).map((name) => `${table.name}.${name} = new.${name}`);
  return `UPDATE ${table.name} SET ${changes.join(', ')} FROM ${rows} WHERE ${isSame.join(' AND ')}`;
}

/**
 * The rows that arrays hold, one array per column: parameters in this order, the first of them `$first`. The limit is all of
 * them, but PostgreSQL knows that only when it has them: for a plan that it keeps it takes one row for granted, and so looks
 * rows up by their key. Else it would keep reading whole tables that were small when the plan was made, or plan anew each time.
 */
export function arraysAs(
  name: string,
  columns: readonly { readonly name: string; readonly type: ColumnType }[],
  first = 1,
): string {
  const arrays = columns.map(({ type }, index) => `$${first + index}::${type}[]`);
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
