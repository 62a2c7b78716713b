/**
 * Public list prices of well-known models, from the data inside the package `@pydantic/genai-prices`: offline, and as
 * old as the version that is installed. Nothing here changes what a workspace pays; people copy from it.
 */

import type { ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices';
import { type AttoUsd, toAttoUsd } from '../domain/money.js';

/** The installed version and the day it was published; a test holds the first against the package. */
export const CATALOGUE_VERSION = '0.1.8';
export const CATALOGUE_AS_OF = '2026-09-23';

export interface CataloguePrice {
  readonly providerId: string;
  readonly providerName: string;
  readonly model: string;
  readonly displayName: string | null;
  readonly inputAttoUsd: AttoUsd;
  readonly outputAttoUsd: AttoUsd;
  /** Whether long prompts, or some times of the day, have another price than this one. */
  readonly hasOtherPrices: boolean;
}

const PER_MILLION_DIGITS = 12;
const TOKENS_PER_PRICE = 1_000_000n;

/** Who sells the models of others; what they ask is of interest after what the maker asks. */
const RESELLERS = /^(aws|azure|openrouter|github-copilot|huggingface_.+|cloudflare|cursor)$/;

let loading: Promise<CataloguePrice[]> | undefined;

/** Entries whose model or provider contains every word of the query; names that begin with it and their makers first. */
export async function searchCatalogue(query: string, limit: number): Promise<CataloguePrice[]> {
  loading ??= loadCatalogue();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (await loading).filter((price) => {
    const text =
      `${price.providerName} ${price.providerId} ${price.model} ${price.displayName ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const wanted = words.join(' ');
  const rank = ({ model }: CataloguePrice): number => {
    const name = model.toLowerCase();
    return name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2;
  };
  const isReseller = ({ model, providerId }: CataloguePrice): number =>
    model.includes('/') || RESELLERS.test(providerId) ? 1 : 0;
  return matches
    .sort((left, right) => rank(left) - rank(right) || isReseller(left) - isReseller(right))
    .slice(0, limit);
}

/** Loaded at the first search only: most services never need it. */
async function loadCatalogue(): Promise<CataloguePrice[]> {
  const { waitForUpdate } = await import('@pydantic/genai-prices');
  const providers = (await waitForUpdate()) ?? [];
  return providers.flatMap((provider) => provider.models.flatMap((model) => toPrices(provider, model)));
}

function toPrices(provider: Provider, model: ModelInfo): CataloguePrice[] {
  const { price, hasConditions } = presentPrice(model);
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
      // Embeddings have no output and therefore no price for it.
      outputAttoUsd: output?.attoUsd ?? 0n,
      hasOtherPrices: hasConditions || input.isTiered || output?.isTiered === true,
    },
  ];
}

/** Of several prices the newest that had begun when the catalogue was made. */
function presentPrice({ prices }: ModelInfo): { price: ModelPrice | undefined; hasConditions: boolean } {
  if (!Array.isArray(prices)) return { price: prices, hasConditions: false };
  const begun = prices.filter(
    ({ constraint }) =>
      constraint === undefined ||
      (constraint.type === 'start_date' && constraint.start_date <= CATALOGUE_AS_OF),
  );
  return {
    price: begun.at(-1)?.prices,
    hasConditions: prices.some(({ constraint }) => constraint?.type === 'time_of_date'),
  };
}

function tokenPrice(perMillion: ModelPrice[string]): { attoUsd: AttoUsd; isTiered: boolean } | null {
  if (perMillion === undefined) return null;
  const isTiered = typeof perMillion === 'object';
  // Twelve digits are more than any list price has; they take away what adding floats left behind (0.18000000000000002).
  const usd = Number((isTiered ? perMillion.base : perMillion).toPrecision(PER_MILLION_DIGITS));
  const attoUsd = toAttoUsd(usd);
  if (attoUsd === null || attoUsd % TOKENS_PER_PRICE !== 0n) return null;
  return { attoUsd: attoUsd / TOKENS_PER_PRICE, isTiered };
}
