import type { Schemas } from '../../api/api-client.ts';
import { describeTokenPrices } from '../../format/token-price.ts';

type ModelPrice = Schemas['ModelPrice'];

/** Describes how a price has changed since the dialog opened; null if it has not. */
export function priceConflict(opened: ModelPrice, present: ModelPrice | null): string | null {
  if (present === null) return 'The price has been deactivated.';
  const isSame =
    present.input_cost_per_token === opened.input_cost_per_token &&
    present.output_cost_per_token === opened.output_cost_per_token &&
    present.cache_read_cost_per_token === opened.cache_read_cost_per_token &&
    present.cache_write_cost_per_token === opened.cache_write_cost_per_token;
  return isSame ? null : `The price has changed: ${describeTokenPrices(present)} per 1M tokens.`;
}
