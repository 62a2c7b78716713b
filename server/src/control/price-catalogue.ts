/**
 * Public list prices of well-known models, from the data in the package `@pydantic/genai-prices`. It works offline, and is as
 * recent as the installed version. Users copy prices from it; it never changes the prices of a workspace.
 */

import type { ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices';
import { type AttoUsd, toAttoUsd } from '../domain/money.js';

/** The installed version and the day it was published. A test compares the version with the package. */
export const CATALOGUE_VERSION = '0.1.8';
export const CATALOGUE_AS_OF = '2026-09-23';

export interface CataloguePrice {
  readonly providerId: string;
  readonly providerName: string;
  readonly model: string;
  readonly displayName: string | null;
  readonly inputAttoUsd: AttoUsd;
  readonly outputAttoUsd: AttoUsd;
  /** Whether long prompts or certain times of day have a different price. */
  readonly hasOtherPrices: boolean;
}

const PER_MILLION_DIGITS = 12;
const TOKENS_PER_PRICE = 1_000_000n;

/** Providers that resell models of others. Their prices are listed after those of the model's own provider. */
const RESELLERS = /^(aws|azure|openrouter|github-copilot|huggingface_.+|cloudflare|cursor)$/;

let loading: Promise<CataloguePrice[]> | undefined;

/**
 * Returns entries whose model or provider contains every word of the query. Exact names come first, then names that start with
 * the query; among equals, resellers come last.
 */
export async function searchCatalogue(query: string, limit: number): Promise<CataloguePrice[]> {
  loading ??= loadCatalogue();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (await loading).filter((price) => {
    const text =
      `${price.providerName} ${price.providerId} ${price.model} ${price.displayName ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const prefix = words.join(' ');
  const rank = ({ model }: CataloguePrice): number => {
    const name = model.toLowerCase();
    return name === prefix ? 0 : name.startsWith(prefix) ? 1 : 2;
  };
  const isReseller = ({ model, providerId }: CataloguePrice): number =>
    model.includes('/') || RESELLERS.test(providerId) ? 1 : 0;
  return matches
    .sort((left, right) => rank(left) - rank(right) || isReseller(left) - isReseller(right))
    .slice(0, limit);
}

/** Loaded by the first search, because most instances never need it. */
async function loadCatalogue(): Promise<CataloguePrice[]> {
  const { waitForUpdate } = await import('@pydantic/genai-prices');
  const providers = (await waitForUpdate()) ?? [];
  return providers.flatMap((provider) => provider.models.flatMap((model) => toPrices(provider, model)));
}

function toPrices(provider: Provider, model: ModelInfo): CataloguePrice[] {
  const { price, hasConditions } = currentPrice(model);
  const input = tokenPrice(price?.['input_mtok']);
  const output = tokenPrice(price?.['output_mtok']);
  if (input === null || model.deprecated === true) return [];
  return [
    {
      providerId: provider.id,
      providerName: provider.name,
      model: model.id,
      displayName: model.name ?? null,
      inputAttoUsd: input.attoUsd,
      // Embedding models have no output tokens and no price for them.
      outputAttoUsd: output?.attoUsd ?? 0n,
      hasOtherPrices: hasConditions || input.isTiered || output?.isTiered === true,
    },
  ];
}

/** Returns the latest price that was in effect when the catalogue was published. */
function currentPrice({ prices }: ModelInfo): { price: ModelPrice | undefined; hasConditions: boolean } {
  if (!Array.isArray(prices)) return { price: prices, hasConditions: false };
  const effective = prices.filter(
    ({ constraint }) =>
      constraint === undefined ||
      (constraint.type === 'start_date' && constraint.start_date <= CATALOGUE_AS_OF),
  );
  return {
    price: effective.at(-1)?.prices,
    hasConditions: prices.some(({ constraint }) => constraint?.type === 'time_of_date'),
  };
}

function tokenPrice(perMillion: ModelPrice[string]): { attoUsd: AttoUsd; isTiered: boolean } | null {
  if (perMillion === undefined) return null;
  const isTiered = typeof perMillion === 'object';
  // No list price has more than twelve digits. Rounding to them removes the float errors of the data (0.18000000000000002).
  const usd = Number((isTiered ? perMillion.base : perMillion).toPrecision(PER_MILLION_DIGITS));
  const attoUsd = toAttoUsd(usd);
  if (attoUsd === null || attoUsd % TOKENS_PER_PRICE !== 0n) return null;
  return { attoUsd: attoUsd / TOKENS_PER_PRICE, isTiered };
}
