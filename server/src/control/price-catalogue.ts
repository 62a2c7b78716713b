/**
 * Public list prices of well-known models, from the data in the package `@pydantic/genai-prices`. It works offline, and is as
 * recent as the installed version. Users copy prices from it; it never changes the prices of a workspace.
 */

import type { findProvider, MatchLogic, ModelInfo, ModelPrice, Provider } from '@pydantic/genai-prices';
import { type AttoUsd, toAttoUsd } from '../domain/money.js';
import {
  isNameOfProvider,
  type NameRule,
  prefixOf,
  statedNames,
  toNameRule,
  withPlainDate,
} from './model-name-rules.js';

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
  /** null: the list has none. */
  readonly cacheReadAttoUsd: AttoUsd | null;
  readonly cacheWriteAttoUsd: AttoUsd | null;
  /** Whether long prompts, certain times of day or longer caching have a different price. */
  readonly hasOtherPrices: boolean;
}

/** What the catalogue has for the name of a model. */
export interface CatalogueMatch {
  /** Of the provider that the name tells, or the only one of the model; null if there is none. */
  readonly price: CataloguePrice | null;
  /** Different prices of other providers for a model of this name. */
  readonly otherPrices: readonly CataloguePrice[];
}

const PER_MILLION_DIGITS = 12;
const TOKENS_PER_PRICE = 1_000_000n;
const MAX_OTHER_PRICES = 20;

/** Providers that resell models of others. Their prices are listed after those of the model's own provider. */
const RESELLERS = /^(aws|azure|openrouter|github-copilot|huggingface_.+|cloudflare|cursor)$/;

/** A model that a user can train, but not call by this name: `ft:gpt-4o`, `gpt-4o-mini-2024-07-18.ft-`. */
const FINE_TUNING_STUB = /^ft:|-$/;

interface Entry {
  readonly providerId: string;
  /** The order of the package, in which the first match counts. */
  readonly position: number;
  readonly names: readonly string[];
  /** Matches further names. */
  readonly matches: NameRule | null;
  /** null: the model has no price for tokens, or is not offered any more. */
  readonly price: CataloguePrice | null;
  /** Whether the price has a name by which the model can be called. */
  readonly isListed: boolean;
}

interface Catalogue {
  readonly byName: ReadonlyMap<string, readonly Entry[]>;
  /** The entries that match further names. */
  readonly withRules: readonly Entry[];
  /** Resellers last. */
  readonly listed: readonly CataloguePrice[];
  readonly findProvider: typeof findProvider;
}

let loading: Promise<Catalogue> | undefined;

/**
 * Returns entries whose model or provider contains every word of the query. The model that has the query as one of its names
 * comes first, then exact names, then names that start with the query; among equals, resellers come last.
 */
export async function searchCatalogue(query: string, limit: number): Promise<CataloguePrice[]> {
  loading ??= loadCatalogue();
  const catalogue = await loading;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = catalogue.listed.filter((price) => {
    const text =
      `${price.providerName} ${price.providerId} ${price.model} ${price.displayName ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const prefix = words.join(' ');
  const rank = ({ model }: CataloguePrice): number => {
    const name = model.toLowerCase();
    return name === prefix ? 0 : name.startsWith(prefix) ? 1 : 2;
  };
  const named = words.length === 1 ? matchName(catalogue, prefix).price : null;
  const others = matches.filter((price) => price !== named).sort((left, right) => rank(left) - rank(right));
  return (named === null ? others : [named, ...others]).slice(0, limit);
}

/** Finds the model of each name, dated (`gpt-4o-2024-08-06`) or with its provider (`openai/gpt-4o`). */
export async function lookUpInCatalogue(models: readonly string[]): Promise<CatalogueMatch[]> {
  loading ??= loadCatalogue();
  const catalogue = await loading;
  return models.map((model) => matchName(catalogue, model.toLowerCase()));
}

function matchName(catalogue: Catalogue, name: string): CatalogueMatch {
  const entries = entriesNamed(catalogue, name);
  const named = matchAtProvider(catalogue, { name, entries });
  const prices = entries
    .flatMap(({ price }) => price ?? [])
    .sort((left, right) => resellerRank(left) - resellerRank(right));
  const price = named === undefined ? onlyPrice(prices) : named.price;
  const otherPrices = prices.filter((other) => price === null || !isSamePrice(other, price));
  return { price, otherPrices: otherPrices.slice(0, MAX_OTHER_PRICES) };
}

/** The entry at the provider that the name tells: by its prefix, or else by the model. */
function matchAtProvider(
  catalogue: Catalogue,
  { name, entries }: { readonly name: string; readonly entries: readonly Entry[] },
): Entry | undefined {
  const slash = name.indexOf('/');
  const prefix = name.slice(0, Math.max(slash, 0));
  const byPrefix = prefix === '' ? undefined : catalogue.findProvider({ providerId: prefix });
  const isCertain = byPrefix !== undefined && isNameOfProvider(prefix, byPrefix);
  const entry = isCertain ? entryOf(byPrefix, entriesNamed(catalogue, name.slice(slash + 1))) : undefined;
  if (entry !== undefined) return entry;
  const byModel = catalogue.findProvider({ modelId: name });
  return byModel && entryOf(byModel, entries);
}

function entryOf(provider: Provider, entries: readonly Entry[]): Entry | undefined {
  for (const id of [provider.id, ...(provider.fallback_model_providers ?? [])]) {
    const entry = entries.find(({ providerId }) => providerId === id);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/** The entry of each provider that has a model of this name. */
function entriesNamed(catalogue: Catalogue, name: string): Entry[] {
  const dated = withPlainDate(name);
  const matches = [
    ...entriesNamedExactly(catalogue, name),
    ...(dated === name ? [] : entriesNamedExactly(catalogue, dated)),
  ];
  const firstOf = new Map<string, Entry>();
  for (const entry of matches) {
    if (!firstOf.has(entry.providerId)) firstOf.set(entry.providerId, entry);
  }
  return [...firstOf.values()];
}

function entriesNamedExactly({ byName, withRules }: Catalogue, name: string): Entry[] {
  return [...(byName.get(name) ?? []), ...withRules.filter(({ matches }) => matches?.(name) === true)].sort(
    (left, right) => left.position - right.position,
  );
}

/** The price on which all providers agree. */
function onlyPrice([first, ...others]: readonly CataloguePrice[]): CataloguePrice | null {
  return first !== undefined && others.every((other) => isSamePrice(first, other)) ? first : null;
}

function isSamePrice(left: CataloguePrice, right: CataloguePrice): boolean {
  return (
    left.inputAttoUsd === right.inputAttoUsd &&
    left.outputAttoUsd === right.outputAttoUsd &&
    left.cacheReadAttoUsd === right.cacheReadAttoUsd &&
    left.cacheWriteAttoUsd === right.cacheWriteAttoUsd
  );
}

function resellerRank({ model, providerId }: CataloguePrice): number {
  return model.includes('/') || RESELLERS.test(providerId) ? 1 : 0;
}

/** Loaded by the first request, because most instances never need it. */
async function loadCatalogue(): Promise<Catalogue> {
  const { findProvider, waitForUpdate } = await import('@pydantic/genai-prices');
  const providers = (await waitForUpdate()) ?? [];
  const entries = providers
    .flatMap((provider) => provider.models.map((model) => ({ provider, model })))
    .map(({ provider, model }, position) => toEntry({ provider, model, position }));
  const byName = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const name of entry.names) byName.set(name, [...(byName.get(name) ?? []), entry]);
  }
  const listed = entries
    .flatMap(({ price, isListed }) => (price !== null && isListed ? [price] : []))
    .sort((left, right) => resellerRank(left) - resellerRank(right));
  return { byName, withRules: entries.filter(({ matches }) => matches !== null), listed, findProvider };
}

interface EntrySource {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly position: number;
}

function toEntry({ provider, model, position }: EntrySource): Entry {
  const names = statedNames(model.match);
  const matches = toNameRule(model.match, { prefix: prefixOf(provider.id) });
  const isName = (name: string) => names.includes(name) || matches?.(name) === true;
  const name = callableName(model, isName);
  return {
    providerId: provider.id,
    position,
    names,
    matches,
    price: toPrice(provider, model, name ?? model.id),
    isListed: name !== null,
  };
}

/** The identifier of some entries stands for a group of names: `regional.anthropic.…` for those of each region. */
function callableName({ id, match }: ModelInfo, isName: NameRule): string | null {
  if (FINE_TUNING_STUB.test(id)) return null;
  return isName(id.toLowerCase()) ? id : firstName(match);
}

function firstName(rule: MatchLogic): string | null {
  if ('equals' in rule) return rule.equals;
  if (!('or' in rule)) return null;
  for (const part of rule.or) {
    const name = firstName(part);
    if (name !== null) return name;
  }
  return null;
}

function toPrice(provider: Provider, model: ModelInfo, name: string): CataloguePrice | null {
  const { price, hasConditions } = currentPrice(model);
  const [input, output, cacheRead, cacheWrite] = [
    tokenPrice(price?.['input_mtok']),
    tokenPrice(price?.['output_mtok']),
    tokenPrice(price?.['cache_read_mtok']),
    tokenPrice(price?.['cache_write_mtok']),
  ];
  if (input == null || output === null || cacheRead === null || cacheWrite === null) return null;
  if (model.deprecated === true) return null;
  return {
    providerId: provider.id,
    providerName: provider.name,
    model: name,
    displayName: model.name ?? null,
    inputAttoUsd: input.attoUsd,
    // Embedding models have no output tokens and no price for them.
    outputAttoUsd: output?.attoUsd ?? 0n,
    cacheReadAttoUsd: cacheRead?.attoUsd ?? null,
    cacheWriteAttoUsd: cacheWrite?.attoUsd ?? null,
    hasOtherPrices:
      hasConditions ||
      price?.['cache_write_1h_mtok'] !== undefined ||
      [input, output, cacheRead, cacheWrite].some((part) => part?.isTiered === true),
  };
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

/** undefined: there is none; null: it cannot be represented. */
function tokenPrice(
  perMillion: ModelPrice[string],
): { readonly attoUsd: AttoUsd; readonly isTiered: boolean } | null | undefined {
  if (perMillion === undefined) return undefined;
  const isTiered = typeof perMillion === 'object';
  // No list price has more than twelve digits. Rounding to them removes the float errors of the data (0.18000000000000002).
  const usd = Number((isTiered ? perMillion.base : perMillion).toPrecision(PER_MILLION_DIGITS));
  const attoUsd = toAttoUsd(usd);
  if (attoUsd === null || attoUsd % TOKENS_PER_PRICE !== 0n) return null;
  return { attoUsd: attoUsd / TOKENS_PER_PRICE, isTiered };
}
