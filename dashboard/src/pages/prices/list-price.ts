/** Compares the prices of the workspace with the catalogue. Pure. */

import type { Schemas } from '../../api/api-client.ts';
import type { TokenPrices } from '../../format/token-price.ts';

type CatalogueMatch = Schemas['CatalogueMatch'];
type CataloguePrice = Schemas['CataloguePrice'];

/** The list price of a model, if its own price differs from it, and from those of other providers; null otherwise. */
export function differingListPrice(
  price: TokenPrices,
  match: CatalogueMatch | undefined,
): CataloguePrice | null {
  if (match === undefined || match.price === null) return null;
  const isListed = [match.price, ...match.other_prices].some((listed) => isAsListed(price, listed));
  return isListed ? null : match.price;
}

function isAsListed(price: TokenPrices, listed: CataloguePrice): boolean {
  return (
    price.input_cost_per_token === listed.input_cost_per_token &&
    price.output_cost_per_token === listed.output_cost_per_token &&
    isCacheAsListed(price, price.cache_read_cost_per_token, listed.cache_read_cost_per_token) &&
    isCacheAsListed(price, price.cache_write_cost_per_token, listed.cache_write_cost_per_token)
  );
}

/** A list without a price for the cache says nothing about it. */
function isCacheAsListed(price: TokenPrices, own: number | null, listed: number | null): boolean {
  return listed === null || listed === (own ?? price.input_cost_per_token);
}

export interface KnownModel {
  /** As the agents send it. */
  readonly model: string;
  readonly listed: CataloguePrice;
}

/** The models whose list price is certain, in their order. */
export function knownModels(
  models: readonly string[],
  matches: readonly CatalogueMatch[] | undefined,
): KnownModel[] {
  const priceOf = new Map(matches?.map(({ model, price }) => [model, price]));
  return models.flatMap((model) => {
    const listed = priceOf.get(model) ?? null;
    return listed === null ? [] : [{ model, listed }];
  });
}
