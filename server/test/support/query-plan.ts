/** How a database executes a statement, and whether that scans a whole table. */

import pg from 'pg';
import { sqliteFile } from '../../src/store/open-store.js';
import { SqliteDatabase, type SqliteRow, type SqliteValue } from '../../src/store/sqlite/sqlite-database.js';
import type { SentStatement } from './statement-log.js';

export interface QueryPlan {
  /** As the database prints it. */
  readonly lines: readonly string[];
  /** The lines that scan a whole table. */
  readonly scans: readonly string[];
}

export interface QueryPlanner {
  explain(statement: SentStatement): Promise<QueryPlan>;
  close(): Promise<void>;
}

/** With fresh statistics. */
export async function openQueryPlanner(databaseUrl: string): Promise<QueryPlanner> {
  const file = sqliteFile(databaseUrl);
  return file === null ? openPostgresPlanner(databaseUrl) : openSqlitePlanner(file);
}

/** Constants, parameters and results of subqueries are not tables; ANY(…) reads all values of an index's first column. */
const WHOLE_SCAN = /^ *SCAN (?!CONSTANT ROW|\d+ CONSTANT ROWS|\w+ VIRTUAL TABLE|\()|\(ANY\(/;

async function openSqlitePlanner(file: string): Promise<QueryPlanner> {
  const database = await SqliteDatabase.open(file);
  database.script('ANALYZE');
  return {
    explain: async ({ sql, values }) => {
      const rows = database.all(`EXPLAIN QUERY PLAN ${sql}`, values as SqliteValue[]);
      const lines = rows.map((row) => `${'  '.repeat(depthOf(row, rows))}${row['detail']}`);
      const subqueries = new Set(
        lines.flatMap((line) => /(?:CO-ROUTINE|MATERIALIZE) (\w+)/.exec(line)?.[1] ?? []),
      );
      const isSubquery = (line: string) => subqueries.has(/SCAN (\w+)/.exec(line)?.[1] ?? '');
      return { lines, scans: lines.filter((line) => WHOLE_SCAN.test(line) && !isSubquery(line)) };
    },
    close: async () => database.close(),
  };
}

function depthOf({ parent }: SqliteRow, rows: readonly SqliteRow[]): number {
  const above = rows.find(({ id }) => id === parent);
  return above === undefined ? 0 : depthOf(above, rows) + 1;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

const FIRST_COLUMNS = `
  SELECT c.relname AS index, a.attname AS column FROM pg_index i
  JOIN pg_class c ON c.oid = i.indexrelid
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]`;

/**
 * Sequential scans are disabled, because the planner prefers them for small tables: one that remains has no index to use. The
 * planner may then scan a whole index, which is no better: an index must have a condition on its first column.
 */
async function openPostgresPlanner(databaseUrl: string): Promise<QueryPlanner> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('ANALYZE');
  // One transaction for all: behind a pooler, the setting holds only within it.
  await client.query('BEGIN');
  await client.query('SET LOCAL enable_seqscan = off');
  const indexes = await client.query(FIRST_COLUMNS);
  const firstColumns = new Map<string, string>(indexes.rows.map(({ index, column }) => [index, column]));
  return {
    explain: async ({ sql, values }) => {
      const text = await client.query({ text: `EXPLAIN (COSTS OFF) ${sql}`, values: [...values] });
      const json = await client.query({ text: `EXPLAIN (FORMAT JSON) ${sql}`, values: [...values] });
      const plan: PlanNode = json.rows[0]['QUERY PLAN'][0].Plan;
      return {
        lines: text.rows.map((row) => row['QUERY PLAN']),
        scans: nodesOf(plan)
          .filter((node) => isWholeScan(node, firstColumns))
          .map(describe),
      };
    },
    close: () => client.end(),
  };
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function isWholeScan(node: PlanNode, firstColumns: ReadonlyMap<string, string>): boolean {
  const { 'Node Type': type, 'Index Name': index = '', 'Index Cond': condition = '' } = node;
  if (type === 'Seq Scan') return true;
  if (!/^(Index|Index Only|Bitmap Index) Scan$/.test(type)) return false;
  return !condition.includes(firstColumns.get(index) ?? 'no such column');
}

const describe = (node: PlanNode) =>
  `${node['Node Type']} on ${node['Relation Name'] ?? node['Index Name'] ?? '?'}`;
