/** Public list prices, the same for all workspaces. The catalogue never changes the prices of a workspace. */

import Type, { type Static } from 'typebox';
import { CATALOGUE_AS_OF, type CataloguePrice, searchCatalogue } from '../../control/price-catalogue.js';
import { attoUsdToNumber } from '../../domain/money.js';
import { MAX_NAME_LENGTH, Nullable } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const CataloguePriceBody = Type.Object(
  {
    provider: Type.String({ description: 'The provider that charges this price' }),
    model: Type.String({ description: 'The model identifier of the provider' }),
    name: Nullable(Type.String(), 'Display name'),
    input_cost_per_token: Type.Number({ description: 'USD per prompt token' }),
    output_cost_per_token: Type.Number({ description: 'USD per completion token' }),
    has_other_prices: Type.Boolean({
      description:
        'Whether long prompts or certain times of day have a different price; this entry is the base price',
    }),
    as_of: Type.String({ format: 'date', description: 'The date of the price list' }),
  },
  { title: 'CataloguePrice' },
);

export function modelPricingCatalogueRoutes(server: HttpServer): void {
  server.get(
    '/v1/model-pricing-catalogue',
    {
      config: { auth: 'any' },
      schema: {
        operationId: 'searchModelPricingCatalogue',
        summary: 'Search public list prices',
        description:
          'Returns models whose name or provider contains every word of the query. The list is part of the service and ' +
          'shows prices of the date in as_of.',
        tags: ['Model pricing'],
        querystring: Type.Object({
          query: Type.String({ default: '', maxLength: MAX_NAME_LENGTH }),
          limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
        }),
        response: { 200: Type.Array(CataloguePriceBody) },
      },
    },
    async (request) =>
      (await searchCatalogue(request.query.query, request.query.limit)).map(toApiCataloguePrice),
  );
}

function toApiCataloguePrice(price: CataloguePrice): Static<typeof CataloguePriceBody> {
  return {
    provider: price.providerName,
    model: price.model,
    name: price.displayName,
    input_cost_per_token: attoUsdToNumber(price.inputAttoUsd),
    output_cost_per_token: attoUsdToNumber(price.outputAttoUsd),
    has_other_prices: price.hasOtherPrices,
    as_of: CATALOGUE_AS_OF,
  };
}
