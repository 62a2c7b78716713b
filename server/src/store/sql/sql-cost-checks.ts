/** Computes the cost of every step that was priced again, from its tokens and the version of the price that it names. */

import type { PicoUsd } from '../../domain/money.js';
import {
  type CachedTokens,
  cacheSavingsOf,
  costOf,
  type TokenCounts,
  type TokenPrices,
} from '../../domain/price.js';
import { listOf, pick, reader } from '../columns.js';
import { type Row, readText } from '../row.js';
import { toPriceVersion } from '../rows.js';
import type { CounterDifference } from '../store.js';
import { PRICE_VERSION, STEPS } from '../tables.js';
import type { SqlReader } from './sql-database.js';

/** Read together: memory stays the same however many steps there are. */
const STEPS_PER_PAGE = 2_000;

const PRICED_STEP = pick(
  STEPS.columns,
  'workspaceId',
  'runId',
  'id',
  'promptTokens',
  'completionTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheSavedPicoUsd',
  'costPicoUsd',
  'priceVersion',
);
const toPricedStep = reader(PRICED_STEP);

const pageOf = (key: readonly string[], isFirst: boolean) => `
  SELECT ${listOf(PRICED_STEP, 's')}, ${listOf(PRICE_VERSION, 'v')}
  FROM steps s
  LEFT JOIN model_price_versions v
    ON v.workspace_id = s.workspace_id AND v.model = s.model AND v.version = s.price_version
  WHERE s.price_version IS NOT NULL${isFirst ? '' : ` AND (${key.join(', ')}) > ($2, $3, $4)`}
  ORDER BY ${key.join(', ')} LIMIT $1`;

export interface CostChecks {
  /** Steps that were priced. */
  readonly count: number;
  /** At most `limit`. */
  readonly differences: readonly CounterDifference[];
}

/** Reads the steps page by page in the order of `keyOrder`. */
export async function checkCosts(
  reader: SqlReader,
  { keyOrder, limit }: { readonly keyOrder: readonly string[]; readonly limit: number },
): Promise<CostChecks> {
  const key = keyOrder.map((column) => `s.${column}`);
  const differences: CounterDifference[] = [];
  let count = 0;
  let rows = await reader.query(pageOf(key, true), STEPS_PER_PAGE);
  while (rows.length > 0) {
    count += rows.length;
    for (const row of rows) {
      const difference = differences.length < limit ? differenceOf(row) : null;
      if (difference !== null) differences.push(difference);
    }
    const last = rows.length < STEPS_PER_PAGE ? undefined : rows.at(-1);
    if (last === undefined) break;
    const position = keyOrder.map((column) => readText(last, column));
    rows = await reader.query(pageOf(key, false), STEPS_PER_PAGE, ...position);
  }
  return { count, differences };
}

function differenceOf(row: Row): CounterDifference | null {
  const step = toPricedStep(row);
  const stored = toText(step.costPicoUsd, step.cacheSavedPicoUsd);
  const recomputed = row['version'] === null ? 'no such price' : recompute(step, toPriceVersion(row));
  if (stored === recomputed) return null;
  return { counter: `steps ${step.workspaceId}/${step.runId}/${step.id}`, stored, recomputed };
}

type PricedStep = ReturnType<typeof toPricedStep>;

function recompute(step: PricedStep, prices: TokenPrices): string {
  const { promptTokens, completionTokens } = step;
  if (promptTokens === null || completionTokens === null) return 'no tokens';
  const tokens: TokenCounts = { promptTokens, completionTokens };
  const cached: CachedTokens = step;
  const saved = cacheSavingsOf(tokens, cached, prices);
  // A report without details has no savings.
  return toText(
    costOf(tokens, cached, prices),
    step.cacheSavedPicoUsd === null && saved === 0n ? null : saved,
  );
}

function toText(costPicoUsd: PicoUsd | null, savedPicoUsd: PicoUsd | null): string {
  return `cost_pico_usd=${costPicoUsd} cache_saved_pico_usd=${savedPicoUsd}`;
}
