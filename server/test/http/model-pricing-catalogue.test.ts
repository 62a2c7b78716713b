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
  for (const { model, input_cost_per_token, output_cost_per_token } of body.slice(0, 20)) {
    const price = { input_cost_per_token, output_cost_per_token };
    const reply = await tenant.person.put(`/v1/model-pricing/${encodeURIComponent(model)}`, price);
    expect([reply.status, reply.body]).toEqual([200, expect.objectContaining(price)]);
  }
});

test('a query without a match returns nothing, and the answer is bounded', async () => {
  expect((await tenant.person.get('/v1/model-pricing-catalogue?query=no-such-model')).body).toEqual([]);
  expect((await tenant.person.get('/v1/model-pricing-catalogue?query=a')).body).toHaveLength(50);
  expect((await tenant.person.get('/v1/model-pricing-catalogue?limit=101')).status).toBe(422);
});

test('it needs a credential', async () => {
  expect((await service.anonymous.get('/v1/model-pricing-catalogue')).status).toBe(401);
});
