/** The price of each model per token. */

import Type from 'typebox';
import { badRequest, unprocessable } from '../../domain/app-error.js';
import { type AttoUsd, toAttoUsd } from '../../domain/money.js';
import { MAX_PRICE_USD } from '../../domain/price.js';
import { shownPrice } from '../../domain/shown.js';
import type { PriceStore } from '../../store/store.js';
import { workspaceIdOf } from '../authenticate.js';
import type { OriginReader } from '../origin.js';
import { nameFrom } from '../path-parameters.js';
import { Nullable, Uuid } from '../schemas.js';
import type { HttpServer } from '../server-types.js';

/** Entries of a workspace, active or not. */
const MAX_PRICES = 2_000;

const Price = (description: string) => Type.Number({ minimum: 0, maximum: MAX_PRICE_USD, description });

const CachePrice = (how: string) =>
  Type.Optional(
    Nullable(
      Price(''),
      `USD per prompt token ${how} the cache of the provider, at most 18 decimal places; null or absent: the input price`,
    ),
  );

const ModelPriceBody = Type.Object(
  {
    id: Uuid,
    model: Type.String({ description: 'Must equal the model of a step exactly' }),
    input_cost_per_token: Type.Number({ description: 'USD per prompt token' }),
    output_cost_per_token: Type.Number({ description: 'USD per completion token' }),
    is_active: Type.Boolean(),
    cache_read_cost_per_token: Nullable(
      Type.Number(),
      'USD per prompt token read from the cache of the provider; null: the input price',
    ),
    cache_write_cost_per_token: Nullable(
      Type.Number(),
      'USD per prompt token written to the cache of the provider; null: the input price',
    ),
  },
  { title: 'ModelPrice' },
);

const PutModelPriceBody = Type.Object(
  {
    input_cost_per_token: Price('USD per prompt token, at most 18 decimal places'),
    output_cost_per_token: Price('USD per completion token, at most 18 decimal places'),
    is_active: Type.Boolean({ default: true, description: 'An inactive price is neither used nor listed' }),
    cache_read_cost_per_token: CachePrice('read from'),
    cache_write_cost_per_token: CachePrice('written to'),
  },
  { title: 'PutModelPrice' },
);

export interface ModelPricingRoutesOptions {
  readonly originOf: OriginReader;
  readonly prices: PriceStore;
  readonly newId: () => string;
}

export function modelPricingRoutes(
  server: HttpServer,
  { prices, newId, originOf }: ModelPricingRoutesOptions,
): void {
  server.get(
    '/v1/model-pricing/',
    {
      config: { auth: 'any', access: 'read-run' },
      schema: {
        operationId: 'listModelPrices',
        summary: 'List active prices',
        tags: ['Model pricing'],
        response: { 200: Type.Array(ModelPriceBody) },
      },
    },
    async (request) => (await prices.listActive(workspaceIdOf(request), MAX_PRICES)).map(shownPrice),
  );

  // A wildcard, because model names may contain slashes: meta-llama/Llama-3.
  server.put(
    '/v1/model-pricing/*',
    {
      config: { auth: 'any', access: 'change', wildcard: 'model' },
      schema: {
        operationId: 'putModelPrice',
        summary: 'Create or update the price of a model',
        description: 'The model is everything after /v1/model-pricing/, plain or percent-encoded.',
        tags: ['Model pricing'],
        params: Type.Object({ '*': Type.String({ description: 'Model identifier' }) }),
        body: PutModelPriceBody,
        response: { 200: ModelPriceBody },
      },
    },
    async (request) => {
      const { input_cost_per_token, output_cost_per_token, is_active, ...cache } = request.body;
      const price = {
        id: newId(),
        model: nameFrom(request.params['*'], 'model'),
        inputAttoUsd: priceFrom(input_cost_per_token, 'input_cost_per_token'),
        outputAttoUsd: priceFrom(output_cost_per_token, 'output_cost_per_token'),
        cacheReadAttoUsd: cachePriceFrom(cache.cache_read_cost_per_token, 'cache_read_cost_per_token'),
        cacheWriteAttoUsd: cachePriceFrom(cache.cache_write_cost_per_token, 'cache_write_cost_per_token'),
        isActive: is_active,
      };
      const put = await prices.put(
        { workspaceId: workspaceIdOf(request), price, maxPrices: MAX_PRICES },
        originOf(request),
      );
      if (put === null)
        throw badRequest(`A workspace can have at most ${MAX_PRICES.toLocaleString('en')} model prices`);
      return shownPrice(put);
    },
  );
}

function priceFrom(usd: number, field: string): AttoUsd {
  const price = toAttoUsd(usd);
  if (price === null) throw unprocessable(`body/${field} must have at most 18 decimal places`);
  return price;
}

function cachePriceFrom(usd: number | null | undefined, field: string): AttoUsd | null {
  return usd == null ? null : priceFrom(usd, field);
}
