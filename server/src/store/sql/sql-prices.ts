import { listOf, namesOf, omit, placesOf, writer } from '../columns.js';
import { firstOf } from '../row.js';
import { toPrice } from '../rows.js';
import type { PriceStore } from '../store.js';
import { MODEL_PRICES, PRICE } from '../tables.js';
import type { SqlDatabase } from './sql-database.js';

const PRICE_COLUMNS = listOf(PRICE);

/** A replaced price keeps its id. */
const PUT_PRICE = `
  INSERT INTO model_prices (${listOf(MODEL_PRICES.columns)})
  VALUES (${placesOf(MODEL_PRICES.columns)})
  ON CONFLICT (workspace_id, model) DO UPDATE SET
    ${namesOf(omit(PRICE, 'id', 'model'))
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}
  RETURNING ${PRICE_COLUMNS}`;

const priceValues = writer(MODEL_PRICES.columns);

export function sqlPrices(database: SqlDatabase): PriceStore {
  return {
    async listActive(workspaceId, limit) {
      const rows = await database.query(
        `SELECT ${PRICE_COLUMNS} FROM model_prices WHERE workspace_id = $1 AND is_active ORDER BY model LIMIT $2`,
        workspaceId,
        limit,
      );
      return rows.map(toPrice);
    },

    put: (workspaceId, price, { maxPrices }) =>
      database.transaction(async (transaction) => {
        await transaction.lockWorkspace(workspaceId);
        // Replacing a price adds no row.
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
        return firstOf(await transaction.query(PUT_PRICE, ...priceValues({ workspaceId }, price)), toPrice);
      }),
  };
}
