import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATALOGUE_AS_OF, CATALOGUE_VERSION } from '../../src/control/price-catalogue.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.register();
});

afterAll(async () => {
  await service.stop();
});

test('the catalogue has the version of the installed package', () => {
  const manifest = new URL('../../../node_modules/@pydantic/genai-prices/package.json', import.meta.url);
  expect(JSON.parse(readFileSync(manifest, 'utf8')).version).toBe(CATALOGUE_VERSION);
});

test('a model is found by name, with exact prices per token and the date of the list', async () => {
  const { status, body } = await tenant.person.get('/v1/model-pricing-catalogue?query=gpt-4o');
  expect(status).toBe(200);
  expect(body[0]).toEqual({
    provider: 'OpenAI',
    model: 'gpt-4o',
    name: expect.any(String),
    input_cost_per_token: 0.0000025,
    output_cost_per_token: 0.00001,
    cache_read_cost_per_token: 0.00000125,
    cache_write_cost_per_token: null,
    has_other_prices: false,
    as_of: CATALOGUE_AS_OF,
  });
});

test('every word of the query must match, in any order and case, including the provider', async () => {
  const { body } = await tenant.machine.get('/v1/model-pricing-catalogue?query=SONNET%20anthropic&limit=100');
  expect(body.length).toBeGreaterThan(1);
  for (const { provider, model, name } of body) {
    expect(`${provider} ${model} ${name}`.toLowerCase()).toMatch(/sonnet/);
  }
});

test('every price can be set unchanged', async () => {
  const { body } = await tenant.person.get('/v1/model-pricing-catalogue?query=&limit=100');
  expect(body).toHaveLength(100);
  for (const listed of body.slice(0, 20)) {
    const { model, provider: _, name: __, has_other_prices: ___, as_of: ____, ...price } = listed;
    expect(Object.keys(price)).toHaveLength(4);
    const reply = await tenant.person.put(`/v1/model-pricing/${encodeURIComponent(model)}`, price);
    expect([reply.status, reply.body]).toEqual([200, expect.objectContaining(price)]);
  }
});

test('the prices of the cache are those of the list', async () => {
  const { body } = await tenant.person.get('/v1/model-pricing-catalogue?query=claude-sonnet-4-5&limit=1');
  expect(body[0]).toMatchObject({
    provider: 'Anthropic',
    input_cost_per_token: 0.000003,
    cache_read_cost_per_token: 0.0000003,
    cache_write_cost_per_token: 0.00000375,
    has_other_prices: true,
  });
});

test('a search for a dated name or one with a provider finds the model first', async () => {
  for (const query of ['gpt-4o-2024-08-06', 'openai/gpt-4o']) {
    const { body } = await tenant.person.get(
      `/v1/model-pricing-catalogue?query=${encodeURIComponent(query)}&limit=1`,
    );
    expect([query, body[0].provider, body[0].model]).toEqual([query, 'OpenAI', 'gpt-4o']);
  }
});

test('stubs of fine-tuning are not listed', async () => {
  expect((await tenant.person.get('/v1/model-pricing-catalogue?query=ft:')).body).toEqual([]);
});

test('names are looked up in their order, known or not', async () => {
  const models = ['claude-sonnet-4-5-20250929', 'no-such-model', 'openai/gpt-4o', 'openai/gpt-4o'];
  const query = models.map((model) => `model=${encodeURIComponent(model)}`).join('&');
  for (const client of [tenant.person, tenant.machine]) {
    const { status, body } = await client.get(`/v1/model-pricing-catalogue/lookup?${query}`);
    expect(status).toBe(200);
    expect(body.map(({ model }: { model: string }) => model)).toEqual(models);
    expect(body.map((match: { price: { model: string } | null }) => match.price?.model ?? null)).toEqual([
      'claude-sonnet-4-5',
      null,
      'gpt-4o',
      'gpt-4o',
    ]);
    expect(body[1]).toEqual({ model: 'no-such-model', price: null, other_prices: [] });
  }
});

test('one name is enough, and none finds nothing', async () => {
  const one = await tenant.person.get('/v1/model-pricing-catalogue/lookup?model=gpt-4o-2024-08-06');
  expect(one.body).toHaveLength(1);
  expect(one.body[0].price).toMatchObject({ model: 'gpt-4o', cache_read_cost_per_token: 0.00000125 });
  expect((await tenant.person.get('/v1/model-pricing-catalogue/lookup')).body).toEqual([]);
});

test('a lookup is bounded in the number and the length of its names', async () => {
  const lookUp = (models: readonly string[]) =>
    tenant.person.get(
      `/v1/model-pricing-catalogue/lookup?${models.map((model) => `model=${model}`).join('&')}`,
    );
  expect((await lookUp(Array.from({ length: 50 }, (_, index) => `m${index}`))).body).toHaveLength(50);
  expect((await lookUp(Array.from({ length: 51 }, (_, index) => `m${index}`))).status).toBe(422);
  expect((await lookUp(['x'.repeat(255)])).status).toBe(200);
  expect((await lookUp(['x'.repeat(256)])).status).toBe(422);
  expect((await lookUp([''])).status).toBe(422);
});

test('a query without a match returns nothing, and the answer is bounded', async () => {
  expect((await tenant.person.get('/v1/model-pricing-catalogue?query=no-such-model')).body).toEqual([]);
  expect((await tenant.person.get('/v1/model-pricing-catalogue?query=a')).body).toHaveLength(50);
  expect((await tenant.person.get('/v1/model-pricing-catalogue?limit=101')).status).toBe(422);
});

test('it needs a credential', async () => {
  expect((await service.anonymous.get('/v1/model-pricing-catalogue')).status).toBe(401);
  expect((await service.anonymous.get('/v1/model-pricing-catalogue/lookup?model=gpt-4o')).status).toBe(401);
});
