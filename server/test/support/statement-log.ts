/** Records every statement that a store passes to its driver, without changing it. */

import pg from 'pg';
import { type MockInstance, vi } from 'vitest';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.js';

export interface SentStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Statements that read or write rows; BEGIN and COMMIT have no plan. */
const HAS_PLAN = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

export class StatementLog {
  readonly #spies: MockInstance[];
  #sent: SentStatement[] = [];

  constructor() {
    const { prototype } = SqliteDatabase;
    this.#spies = [
      ...(['get', 'all', 'run', 'write'] as const).map((method) => {
        const original = prototype[method] as (...given: unknown[]) => unknown;
        const note = this.#note.bind(this);
        return vi.spyOn(prototype, method).mockImplementation(function (this: unknown, ...given: unknown[]) {
          const [sql, values = []] = given as [string, unknown[]?];
          note({ sql, values });
          return original.apply(this, given) as never;
        });
      }),
      this.#followPostgres(),
    ];
  }

  /** The statements of `work`, each text once. */
  async of(work: () => Promise<unknown>): Promise<SentStatement[]> {
    this.#sent = [];
    await work();
    const byText = new Map(this.#sent.map((statement) => [statement.sql, statement]));
    return [...byText.values()];
  }

  stop(): void {
    for (const spy of this.#spies) spy.mockRestore();
  }

  #followPostgres(): MockInstance {
    const original = pg.Client.prototype.query as (...given: unknown[]) => unknown;
    const note = this.#note.bind(this);
    return vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: unknown,
      ...given: unknown[]
    ) {
      const [query] = given;
      if (isQuery(query)) note({ sql: query.text, values: query.values ?? [] });
      return original.apply(this, given) as never;
    });
  }

  #note(statement: SentStatement): void {
    if (HAS_PLAN.test(statement.sql)) this.#sent.push(statement);
  }
}

function isQuery(query: unknown): query is { text: string; values?: unknown[] } {
  return typeof query === 'object' && query !== null && typeof Reflect.get(query, 'text') === 'string';
}
