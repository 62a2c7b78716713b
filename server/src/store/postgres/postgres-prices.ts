import { attoUsdToText } from '../../domain/money.js';
import type { ModelPrice } from '../../domain/price.js';
import { toPrice } from '../rows/price-row.js';
import type { PriceStore } from '../store.js';
import type { PostgresDatabase } from './postgres-database.js';
import { lockWorkspace } from './postgres-workspaces.js';

const PRICE_COLUMNS = 'id, model, input_usd, output_usd, is_active';

export class PostgresPrices implements PriceStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async listActive(workspaceId: string): Promise<ModelPrice[]> {
    const rows = await this.#database.query(
      `SELECT ${PRICE_COLUMNS} FROM model_prices WHERE workspace_id = $1 AND is_active ORDER BY model`,
      workspaceId,
    );
    return rows.map(toPrice);
  }

  async put(workspaceId: string, price: ModelPrice): Promise<ModelPrice> {
    return this.#database.transaction(async (transaction) => {
      const [, [row] = []] = await transaction.finish(lockWorkspace(workspaceId), {
        sql: `INSERT INTO model_prices (workspace_id, model, id, input_usd, output_usd, is_active)
              VALUES ($1, $2, $3, $4, $5, $6)
              ON CONFLICT (workspace_id, model) DO UPDATE SET
                input_usd = excluded.input_usd, output_usd = excluded.output_usd, is_active = excluded.is_active
              RETURNING ${PRICE_COLUMNS}`,
        values: [
          workspaceId,
          price.model,
          price.id,
          attoUsdToText(price.inputAttoUsd),
          attoUsdToText(price.outputAttoUsd),
          price.isActive,
        ],
      });
      if (row === undefined) throw new Error('The price was not written');
      return toPrice(row);
    });
  }
}
