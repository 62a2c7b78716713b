import { priceChange } from '../../domain/audit-changes.js';
import type { TokenPrices } from '../../domain/price.js';
import { listOf, namesOf, omit, placesOf, writer } from '../columns.js';
import { firstOf } from '../row.js';
import { toPrice } from '../rows.js';
import type { PriceStore } from '../store.js';
import { MODEL_PRICE_VERSIONS, MODEL_PRICES, PRICE } from '../tables.js';
import { audited, unchanged } from './sql-audit.js';
import type { SqlDatabase, SqlReader } from './sql-database.js';
import { insertInto } from './sql-insert.js';

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

const FIND_PRICE = `SELECT ${PRICE_COLUMNS} FROM model_prices WHERE workspace_id = $1 AND model = $2`;

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

    put: ({ workspaceId, price, maxPrices }, origin) =>
      audited(database, { workspaceId, origin }, async (transaction, createdAt) => {
        const before = firstOf(await transaction.query(FIND_PRICE, workspaceId, price.model), toPrice);
        if (before === null && (await hasPrices(transaction, workspaceId, maxPrices))) return unchanged(null);
        const isChanged = before === null || !hasSameAmounts(before, price);
        const version = before === null ? 1 : before.version + (isChanged ? 1 : 0);
        const put = { version, ...price };
        if (isChanged)
          await insertInto(transaction, MODEL_PRICE_VERSIONS, { workspaceId, createdAt, ...put });
        const after = firstOf(
          await transaction.query(PUT_PRICE, ...priceValues({ workspaceId }, put)),
          toPrice,
        );
        return { result: after, change: after && priceChange(before, after) };
      }),
  };
}

async function hasPrices(reader: SqlReader, workspaceId: string, count: number): Promise<boolean> {
  const sql = 'SELECT model FROM model_prices WHERE workspace_id = $1 LIMIT $2';
  return (await reader.query(sql, workspaceId, count)).length >= count;
}

function hasSameAmounts(left: TokenPrices, right: TokenPrices): boolean {
  return (
    left.inputAttoUsd === right.inputAttoUsd &&
    left.outputAttoUsd === right.outputAttoUsd &&
    left.cacheReadAttoUsd === right.cacheReadAttoUsd &&
    left.cacheWriteAttoUsd === right.cacheWriteAttoUsd
  );
}
