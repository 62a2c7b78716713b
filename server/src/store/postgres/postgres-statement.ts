/** What is kept of a statement, by its text. */

import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Row } from '../row.js';

export class PostgresStatement {
  /** A hash of the text, so that behind a pooler it never refers to another statement. */
  readonly name: string;
  #toRow: ((values: readonly unknown[]) => Row) | undefined;
  #width = 0;

  constructor(sql: string) {
    this.name = `guarded_runs_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`;
  }

  /**
   * The driver makes rows of any columns: each is an object of its own kind, slow to fill and to read. Its arrays become objects
   * of one kind here, by a function that is compiled once. Only names of columns become code, as texts.
   */
  rowsOf({ fields, rows }: pg.QueryArrayResult): Row[] {
    if (rows.length === 0) return [];
    if (this.#toRow === undefined || this.#width !== fields.length) {
      const cells = fields.map(({ name }, index) => `${JSON.stringify(name)}: values[${index}]`);
      this.#toRow = new Function('values', `return { ${cells.join(', ')} };`) as (
        values: readonly unknown[],
      ) => Row;
      this.#width = fields.length;
    }
    return rows.map(this.#toRow);
  }
}
