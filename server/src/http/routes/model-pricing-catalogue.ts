/** Public list prices to copy from. The catalogue is the same for everybody and never changes a workspace's prices. */

import Type, { type Static } from 'typebox';
import { CATALOGUE_AS_OF, type CataloguePrice, searchCatalogue } from '../../control/price-catalogue.js';
import { attoUsdToNumber } from '../../domain/money.js';
import { MAX_NAME_LENGTH, Nullable } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

const CataloguePriceBody = Type.Object(
  {
    provider: Type.String({ description: 'Who asks this price' }),
    model: Type.String({ description: 'Model identifier as the provider spells it' }),
    name: Nullable(Type.String(), 'For people'),
    input_cost_per_token: Type.Number({ description: 'USD per prompt token' }),
    output_cost_per_token: Type.Number({ description: 'USD per completion token' }),
    has_other_prices: Type.Boolean({
      description:
        'Whether long prompts or some times of the day cost something else; this is the base price',
    }),
    as_of: Type.String({ format: 'date', description: 'When the list was made' }),
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
          'Finds models and providers that contain every word of the query. The list comes with the service: no other ' +
          'host is asked, and it is as old as as_of says.',
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
