import { attoUsdToText } from '../../domain/money.js';
import type { ModelPrice } from '../../domain/price.js';
import { toPrice } from '../rows/price-row.js';
import type { PriceStore } from '../store.js';
import type { SqliteDatabase } from './sqlite-database.js';
import { fromBoolean } from './sqlite-row.js';

export class SqlitePrices implements PriceStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async listActive(workspaceId: string): Promise<ModelPrice[]> {
    return this.#database
      .all('SELECT * FROM model_prices WHERE workspace_id = ? AND is_active = 1 ORDER BY model', workspaceId)
      .map(toPrice);
  }

  async put(workspaceId: string, price: ModelPrice): Promise<ModelPrice> {
    const row = this.#database.get(
      `INSERT INTO model_prices (workspace_id, model, id, input_usd, output_usd, is_active) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (workspace_id, model) DO UPDATE SET
         input_usd = excluded.input_usd, output_usd = excluded.output_usd, is_active = excluded.is_active
       RETURNING *`,
      workspaceId,
      price.model,
      price.id,
      attoUsdToText(price.inputAttoUsd),
      attoUsdToText(price.outputAttoUsd),
      fromBoolean(price.isActive),
    );
    if (row === undefined) throw new Error('The price was not written');
    return toPrice(row);
  }
}
