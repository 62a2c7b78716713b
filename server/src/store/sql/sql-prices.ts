import { attoUsdToText } from '../../domain/money.js';
import type { ModelPrice } from '../../domain/price.js';
import { toPrice } from '../rows/price-row.js';
import type { PriceStore } from '../store.js';
import type { SqlDatabase } from './sql-database.js';

const PRICE_COLUMNS = 'id, model, input_usd, output_usd, is_active';

export class SqlPrices implements PriceStore {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async listActive(workspaceId: string, limit: number): Promise<ModelPrice[]> {
    const rows = await this.#database.query(
      `SELECT ${PRICE_COLUMNS} FROM model_prices WHERE workspace_id = $1 AND is_active ORDER BY model LIMIT $2`,
      workspaceId,
      limit,
    );
    return rows.map(toPrice);
  }

  async put(
    workspaceId: string,
    price: ModelPrice,
    { maxPrices }: { maxPrices: number },
  ): Promise<ModelPrice | null> {
    return this.#database.transaction(async (transaction) => {
      await transaction.lockWorkspace(workspaceId);
      // The price of a model that has one is replaced, and adds no row.
      const others = await transaction.query(
        'SELECT model FROM model_prices WHERE workspace_id = $1 AND model <> $2 LIMIT $3',
        workspaceId,
        price.model,
        maxPrices,
      );
      if (others.length >= maxPrices) {
        const [existing] = await transaction.query(
          'SELECT id FROM model_prices WHERE workspace_id = $1 AND model = $2',
          workspaceId,
          price.model,
        );
        if (existing === undefined) return null;
      }
      const [row] = await transaction.query(
        `INSERT INTO model_prices (workspace_id, model, id, input_usd, output_usd, is_active)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (workspace_id, model) DO UPDATE SET
           input_usd = excluded.input_usd, output_usd = excluded.output_usd, is_active = excluded.is_active
         RETURNING ${PRICE_COLUMNS}`,
        workspaceId,
        price.model,
        price.id,
        attoUsdToText(price.inputAttoUsd),
        attoUsdToText(price.outputAttoUsd),
        price.isActive,
      );
      if (row === undefined) throw new Error('The price was not written');
      return toPrice(row);
    });
  }
}
