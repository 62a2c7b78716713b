/** Public list prices, the same for all workspaces. The catalogue never changes the prices of a workspace. */

import Type, { type Static } from 'typebox';
import {
  CATALOGUE_AS_OF,
  type CatalogueMatch,
  type CataloguePrice,
  lookUpInCatalogue,
  searchCatalogue,
} from '../../control/price-catalogue.js';
import { attoUsdToNumber, nullableAttoUsdToNumber } from '../../domain/money.js';
import { MAX_NAME_LENGTH } from '../../domain/name.js';
import { Name, Nullable } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

/** The names of one request. With their encoding they also have to fit into the URL, which Node.js limits to 16 KiB. */
const MAX_LOOKED_UP = 50;

const CataloguePriceBody = Type.Object(
  {
    provider: Type.String({ description: 'The provider that charges this price' }),
    model: Type.String({ description: 'The model identifier of the provider' }),
    name: Nullable(Type.String(), 'Display name'),
    input_cost_per_token: Type.Number({ description: 'USD per prompt token' }),
    output_cost_per_token: Type.Number({ description: 'USD per completion token' }),
    cache_read_cost_per_token: Nullable(
      Type.Number(),
      'USD per prompt token that is read from the cache of the provider; null: the list has none',
    ),
    cache_write_cost_per_token: Nullable(
      Type.Number(),
      'USD per prompt token that is written to the cache of the provider; null: the list has none',
    ),
    has_other_prices: Type.Boolean({
      description:
        'Whether long prompts, certain times of day or longer caching have a different price; this entry is the base price',
    }),
    as_of: Type.String({ format: 'date', description: 'The date of the price list' }),
  },
  { title: 'CataloguePrice' },
);

const CatalogueMatchBody = Type.Object(
  {
    model: Type.String({ description: 'The name that was looked up' }),
    price: Nullable(
      CataloguePriceBody,
      'Of the provider that the name tells, or on which all providers of the model agree; null if there is none',
    ),
    other_prices: Type.Array(CataloguePriceBody, {
      description: 'Different prices of other providers for a model of this name, at most 20',
    }),
  },
  { title: 'CatalogueMatch' },
);

export function modelPricingCatalogueRoutes(server: HttpServer): void {
  server.get(
    '/v1/model-pricing-catalogue',
    {
      config: { auth: 'any', access: 'read-run' },
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

  server.get(
    '/v1/model-pricing-catalogue/lookup',
    {
      config: { auth: 'any', access: 'read-run' },
      schema: {
        operationId: 'lookUpModelPrices',
        summary: 'Look up the list prices of models by name',
        description:
          'Returns what the list has for each name, in the order of the names. A name may have a date (gpt-4o-2024-08-06) or ' +
          'a provider (openai/gpt-4o). A name that is not certain has no price.',
        tags: ['Model pricing'],
        querystring: Type.Object({
          model: Type.Array(Name('The name of a model'), { default: [], maxItems: MAX_LOOKED_UP }),
        }),
        response: { 200: Type.Array(CatalogueMatchBody) },
      },
      // A parameter that occurs once is parsed as text.
      preValidation: async (request) => {
        const query = request.query as { model?: unknown };
        if (typeof query.model === 'string') query.model = [query.model];
      },
    },
    async (request) => {
      const { model: models } = request.query;
      const matches = await lookUpInCatalogue(models);
      return matches.map((match, index) => toApiCatalogueMatch(models[index] ?? '', match));
    },
  );
}

function toApiCatalogueMatch(model: string, match: CatalogueMatch): Static<typeof CatalogueMatchBody> {
  return {
    model,
    price: match.price && toApiCataloguePrice(match.price),
    other_prices: match.otherPrices.map(toApiCataloguePrice),
  };
}

function toApiCataloguePrice(price: CataloguePrice): Static<typeof CataloguePriceBody> {
  return {
    provider: price.providerName,
    model: price.model,
    name: price.displayName,
    input_cost_per_token: attoUsdToNumber(price.inputAttoUsd),
    output_cost_per_token: attoUsdToNumber(price.outputAttoUsd),
    cache_read_cost_per_token: nullableAttoUsdToNumber(price.cacheReadAttoUsd),
    cache_write_cost_per_token: nullableAttoUsdToNumber(price.cacheWriteAttoUsd),
    has_other_prices: price.hasOtherPrices,
    as_of: CATALOGUE_AS_OF,
  };
}
