import { type MatchLogic, waitForUpdate } from '@pydantic/genai-prices';
import { describe, expect, test } from 'vitest';
import {
  type CataloguePrice,
  lookUpInCatalogue,
  searchCatalogue,
} from '../../src/control/price-catalogue.js';

const MAX_NAME_LENGTH = 255;
const MAX_NAMES = 50;
const EVERYTHING = 10_000;

async function lookUp(model: string): Promise<CataloguePrice | null> {
  const [match] = await lookUpInCatalogue([model]);
  return match?.price ?? null;
}

describe('a name finds its model', () => {
  test.each([
    ['gpt-4o', 'openai', 'gpt-4o'],
    ['gpt-4o-2024-08-06', 'openai', 'gpt-4o'],
    ['gpt-4o-20240806', 'openai', 'gpt-4o'],
    ['gpt-4o-2024-11-20', 'openai', 'gpt-4o'],
    ['gpt-4o-2024-05-13', 'openai', 'gpt-4o-2024-05-13'],
    ['GPT-4o', 'openai', 'gpt-4o'],
    ['openai/gpt-4o', 'openai', 'gpt-4o'],
    ['OpenAI/gpt-4o-2024-08-06', 'openai', 'gpt-4o'],
    ['openai/gpt-4o-mini', 'openai', 'gpt-4o-mini'],
    ['gpt-4o-mini-2024-07-18', 'openai', 'gpt-4o-mini'],
    ['gpt-4o-audio-preview-2024-12-17', 'openai', 'gpt-4o-audio-preview'],
    ['gpt-5-nano-2025-08-07', 'openai', 'gpt-5-nano'],
    ['o3-mini-2025-01-31', 'openai', 'o3-mini'],
    ['text-embedding-3-small', 'openai', 'text-embedding-3-small'],
    ['claude-sonnet-4-5-20250929', 'anthropic', 'claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4.5', 'anthropic', 'claude-sonnet-4-5'],
    ['claude-3-5-sonnet-latest', 'anthropic', 'claude-3-5-sonnet'],
    ['claude-sonnet-4-20250514', 'anthropic', 'claude-sonnet-4-0'],
    ['claude-sonnet-4@20250514', 'anthropic', 'claude-sonnet-4-0'],
    ['claude-opus-4-20250514', 'anthropic', 'claude-opus-4-0'],
    ['claude-opus-4-1-20250805', 'anthropic', 'claude-opus-4-1'],
    ['gemini/gemini-2.5-flash', 'google', 'gemini-2.5-flash'],
    ['vertex_ai/gemini-2.5-pro', 'google', 'gemini-2.5-pro'],
    ['gemini-2.5-pro-preview-05-06', 'google', 'gemini-2.5-pro'],
    ['gemini-1.5-flash-002', 'google', 'gemini-1.5-flash'],
    ['azure/gpt-4o', 'openai', 'gpt-4o'],
    ['azure/o4-mini', 'azure', 'o4-mini'],
    ['azure/o4-mini-deep-research', 'openai', 'o4-mini-deep-research'],
    ['openrouter/openai/gpt-4o', 'openrouter', 'openai/gpt-4o'],
    ['mistralai/mistral-large-2411', 'mistral', 'mistral-large'],
    ['xai/grok-4', 'x-ai', 'grok-4-0709'],
    ['groq/llama-3.1-8b-instant', 'groq', 'llama-3.1-8b-instant'],
    ['llama-3.1-8b-instant', 'groq', 'llama-3.1-8b-instant'],
    ['accounts/fireworks/models/gpt-oss-120b', 'fireworks', 'accounts/fireworks/models/gpt-oss-120b'],
    ['bedrock/anthropic.claude-3-5-sonnet-20240620-v1:0', 'aws', /claude-3-5-sonnet-20240620/],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws', /^regional\..*claude-sonnet-4-5/],
    ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws', /^global\..*claude-sonnet-4-5/],
  ])('%s', async (name, providerId, model) => {
    const price = await lookUp(name);
    expect(price?.providerId).toBe(providerId);
    expect(price?.model).toEqual(typeof model === 'string' ? model : expect.stringMatching(model));
  });
});

describe('a name that is not certain has no price', () => {
  test.each([
    'gpt-4o-audio',
    'gpt-4o-2025-01-01',
    'gpt-4o-latest',
    'gpt-4o-',
    'gpt-4o/',
    '/gpt-4o',
    'openai/',
    'openai//gpt-4o',
    'gpt-4oo',
    'not-gpt-4o',
    'evil/gpt-4o',
    'openai-evil/gpt-4o',
    'openai_compatible/gpt-4o',
    'not.anthropic/claude-sonnet-4-5',
    'vertex_evil/gemini-2.5-flash',
    'gpt-4o gpt-4o-mini',
    ' gpt-4o',
    'gpt-4o\n',
    'gpt-5-nano-cheap',
    'claude',
    'claude-sonnet-5-5',
    'claude-opus-4-15',
    'claude-opus-4-1-20259999',
    'claude-3-opus-mini',
    'my-claude-3-5-sonnet-20241022',
    'evil.anthropic.claude-3-5-sonnet-20240620-v1:0',
    'gemini-1.5-flash-8b',
    'gemini-2.5-flash-preview-05-20',
    'ft:gpt-4o',
    'ft:gpt-4o-2024-08-06:acme::abc',
    'gpt-4o-mini-2024-07-18.ft-abc',
    'meta-llama/llama-3.3-70b-instruct',
    '__proto__',
    'constructor',
    '%',
    '',
  ])('%j', async (name) => {
    expect(await lookUp(name)).toBeNull();
  });
});

test('every name that the list states in full has the price of its model', async () => {
  const providers = (await waitForUpdate()) ?? [];
  const listed = new Map((await searchCatalogue('', EVERYTHING)).map((price) => [keyOf(price), price]));
  let found = 0;
  for (const { id, models } of providers) {
    for (const { id: model, match } of models) {
      const expected = listed.get(keyOf({ providerId: id, model }));
      if (expected === undefined) continue;
      for (const name of statedNames(match)) {
        const price = await lookUp(`${id}/${name}`);
        if (price === null) continue;
        expect([name, pricesOf(price)]).toEqual([name, pricesOf(expected)]);
        found += 1;
      }
    }
  }
  expect(found).toBeGreaterThan(1_500);
});

test('no listed name finds a model of another price at its provider', async () => {
  const listed = await searchCatalogue('', EVERYTHING);
  for (const price of listed) {
    for (const release of ['', '-2026-01-01', '-latest', '-v1:0']) {
      const found = await lookUp(`${price.providerId}/${price.model}${release}`);
      if (found?.providerId !== price.providerId || found.model === price.model) continue;
      // The list has models whose name is that of another one with a release.
      const names = (await waitForUpdate())
        ?.find(({ id }) => id === price.providerId)
        ?.models.find(({ id }) => id === found.model);
      expect(statedNames(names?.match ?? { or: [] })).toContain(`${price.model}${release}`.toLowerCase());
    }
  }
});

test('different prices of other providers are given, too', async () => {
  const [match] = await lookUpInCatalogue(['deepseek/deepseek-chat']);
  expect(match?.price?.providerId).toBe('deepseek');
  expect(match?.otherPrices.map(({ providerId }) => providerId)).toEqual(['openrouter']);
});

test('no entry is a stub of fine-tuning or a group of names', async () => {
  const models = (await searchCatalogue('', EVERYTHING)).map(({ model }) => model);
  expect(models.length).toBeGreaterThan(1_400);
  expect(models.filter((model) => /^ft:|\.ft-|-$|^regional\./.test(model))).toEqual([]);
});

test('long names take little time', async () => {
  const names = ['claude-', 'gpt-4o-', 'gemini-2.5-pro-t', '-20240806', '/', 'a.', '00'].map((part) =>
    part.repeat(MAX_NAME_LENGTH).slice(0, MAX_NAME_LENGTH),
  );
  const models = Array.from({ length: MAX_NAMES }, (_, index) => names[index % names.length] ?? '');
  await lookUpInCatalogue(models);
  const start = performance.now();
  const matches = await lookUpInCatalogue(models);
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(matches.every(({ price }) => price === null)).toBe(true);
});

const keyOf = ({ providerId, model }: Pick<CataloguePrice, 'providerId' | 'model'>) =>
  `${providerId} ${model}`;

const pricesOf = ({ inputAttoUsd, outputAttoUsd, cacheReadAttoUsd, cacheWriteAttoUsd }: CataloguePrice) => [
  inputAttoUsd,
  outputAttoUsd,
  cacheReadAttoUsd,
  cacheWriteAttoUsd,
];

function statedNames(rule: MatchLogic): string[] {
  if ('or' in rule) return rule.or.flatMap(statedNames);
  return 'equals' in rule ? [rule.equals.toLowerCase()] : [];
}
