/** The SDKs of the providers, unchanged but for their base URL. */

import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectStatus } from '../support/test-service.js';
import { type GatewayFixture, MODEL, PROVIDER_KEY, startGateway } from './support/gateway-fixture.js';
import { BEHAVIOUR_HEADER, type Behaviour } from './support/provider-stand-in.js';

let gateway: GatewayFixture;
let openai: OpenAI;
let anthropic: Anthropic;
/** The same, without the gateway. */
let direct: { openai: OpenAI; anthropic: Anthropic };

beforeAll(async () => {
  gateway = await startGateway();
  const { apiKey } = gateway.tenant;
  openai = new OpenAI({ apiKey, baseURL: gateway.openaiUrl });
  anthropic = new Anthropic({ apiKey, baseURL: gateway.anthropicUrl });
  direct = {
    openai: new OpenAI({ apiKey: PROVIDER_KEY, baseURL: `${gateway.provider.url}/v1` }),
    anthropic: new Anthropic({ apiKey: PROVIDER_KEY, baseURL: gateway.provider.url }),
  };
});
beforeEach(() => {
  gateway.provider.requests.length = 0;
});
afterAll(() => gateway.stop());

const behaving = (behaviour: Behaviour) => ({ headers: { [BEHAVIOUR_HEADER]: JSON.stringify(behaviour) } });

const MESSAGES = [{ role: 'user' as const, content: 'Hi' }];
const IMAGE = `data:image/png;base64,${'A'.repeat(100_000)}`;
const SCHEMA = {
  type: 'object',
  properties: { answer: { type: 'number' } },
  required: ['answer'],
  additionalProperties: false,
};
const TOOL = { type: 'function' as const, function: { name: 'add', parameters: { type: 'object' } } };

/** All that was read of a stream. */
async function read(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe('each answer is the same as without the gateway', () => {
  type Clients = { openai: OpenAI; anthropic: Anthropic };
  const cases: Record<string, (clients: Clients) => Promise<unknown>> = {
    chat: ({ openai }) => openai.chat.completions.create({ model: MODEL, messages: MESSAGES }),
    'chat, streamed': async ({ openai }) =>
      read(await openai.chat.completions.create({ model: MODEL, messages: MESSAGES, stream: true })),
    'chat, streamed with its usage': async ({ openai }) =>
      read(
        await openai.chat.completions.create({
          model: MODEL,
          messages: MESSAGES,
          stream: true,
          stream_options: { include_usage: true },
        }),
      ),
    'chat with tools': ({ openai }) =>
      openai.chat.completions.create({ model: MODEL, messages: MESSAGES, tools: [TOOL] }),
    'chat with structured output': ({ openai }) =>
      openai.chat.completions.parse({
        model: MODEL,
        messages: MESSAGES,
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA } },
      }),
    'chat with an image': ({ openai }) =>
      openai.chat.completions.create({
        model: MODEL,
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: IMAGE } }] }],
      }),
    responses: ({ openai }) => openai.responses.create({ model: MODEL, input: 'Hi' }),
    'responses, streamed': async ({ openai }) =>
      read(await openai.responses.create({ model: MODEL, input: 'Hi', stream: true })),
    embeddings: ({ openai }) => openai.embeddings.create({ model: MODEL, input: 'Hi' }),
    models: async ({ openai }) => (await openai.models.list()).data,
    messages: ({ anthropic }) =>
      anthropic.messages.create({ model: MODEL, max_tokens: 9, messages: MESSAGES }),
    'messages, streamed': async ({ anthropic }) =>
      read(
        await anthropic.messages.create({ model: MODEL, max_tokens: 9, messages: MESSAGES, stream: true }),
      ),
    'messages, as a message stream': ({ anthropic }) =>
      anthropic.messages.stream({ model: MODEL, max_tokens: 9, messages: MESSAGES }).finalMessage(),
    'messages with tools': ({ anthropic }) =>
      anthropic.messages.create({
        model: MODEL,
        max_tokens: 9,
        messages: MESSAGES,
        tools: [{ name: 'add', input_schema: { type: 'object' } }],
      }),
    'messages with an image': ({ anthropic }) =>
      anthropic.messages.create({
        model: MODEL,
        max_tokens: 9,
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'image',
                source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(100_000) },
              },
            ],
          },
        ],
      }),
    'counted tokens': ({ anthropic }) => anthropic.messages.countTokens({ model: MODEL, messages: MESSAGES }),
    'models of Anthropic': async ({ anthropic }) => (await anthropic.models.list()).data,
  };

  test.each(Object.entries(cases))('%s', async (_name, run) => {
    const expected = await run(direct);
    const [sent] = gateway.provider.requests.splice(0);
    expect(JSON.stringify(await run({ openai, anthropic }))).toBe(JSON.stringify(expected));
    const [forwarded] = gateway.provider.requests;
    expect([forwarded?.method, forwarded?.path]).toEqual([sent?.method, sent?.path]);
  });

  test('with the headers of the provider, and the ids of run and step', async () => {
    const { response, request_id } = await openai.chat.completions
      .create({ model: MODEL, messages: MESSAGES })
      .withResponse();
    expect(request_id).toBe('req_stand_in');
    expect(response.headers.get('openai-processing-ms')).toBe('12');
    const run = await gateway.tenant.person.get(`/v1/runs/${response.headers.get('x-guarded-run-id')}`);
    expect(run.body.steps[0].id).toBe(response.headers.get('x-guarded-step-id'));
  });

  test('the request is forwarded as it came; only the key is another one', async () => {
    const body = { model: MODEL, messages: MESSAGES, seed: 7, logit_bias: { '50256': -100 } };
    await direct.openai.chat.completions.create(body);
    await openai.chat.completions.create(body);
    const [sent, forwarded] = gateway.provider.requests;
    expect(forwarded?.body.toString()).toBe(sent?.body.toString());
    const {
      host: _,
      connection: _connection,
      'accept-encoding': _encoding,
      ...headers
    } = sent?.headers ?? {};
    expect(forwarded?.headers).toMatchObject({ ...headers, authorization: `Bearer ${PROVIDER_KEY}` });
  });
});

describe('an error of the provider', () => {
  test.each([400, 404, 422])('%i is the error of the SDK that it is without the gateway', async (status) => {
    const attempt = (client: OpenAI) =>
      client.chat.completions.create({ model: MODEL, messages: MESSAGES }, behaving({ status })).then(
        () => null,
        (error: Error) => [error.constructor.name, error.message],
      );
    expect(await attempt(openai)).toEqual(await attempt(direct.openai));
  });

  test('that is temporary is retried by the SDK, and each attempt is a step', async () => {
    const options = { ...behaving({ status: 429, headers: { 'retry-after-ms': '1' } }), maxRetries: 2 };
    await expect(
      openai.chat.completions.create({ model: MODEL, messages: MESSAGES }, options),
    ).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    expect(gateway.provider.requests).toHaveLength(3);
    const { items } = (await gateway.tenant.person.get('/v1/runs/?per_page=3')).body;
    expect(items.map((run: { status: string }) => run.status)).toEqual(['FAILED', 'FAILED', 'FAILED']);
  });
});

describe('a denial', () => {
  const block = async (blocked: boolean) =>
    expectStatus(await gateway.tenant.person.post(`/v1/users/mallory/${blocked ? 'block' : 'unblock'}`), 200);

  test('raises one error in each SDK, and nothing is sent to the provider', async () => {
    await block(true);
    const headers = { 'x-guarded-user': 'mallory' };
    const ofOpenAI = await openai.chat.completions
      .create({ model: MODEL, messages: MESSAGES }, { headers })
      .catch((error: unknown) => error);
    expect(ofOpenAI).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(ofOpenAI).toMatchObject({ status: 403, code: 'USER_BLOCKED' });
    const ofAnthropic = await anthropic.messages
      .create({ model: MODEL, max_tokens: 9, messages: MESSAGES, stream: true }, { headers })
      .catch((error: unknown) => error);
    expect(ofAnthropic).toBeInstanceOf(Anthropic.PermissionDeniedError);
    expect(ofAnthropic).toMatchObject({
      status: 403,
      error: { type: 'error', error: { code: 'USER_BLOCKED' } },
    });
    expect(gateway.provider.requests).toEqual([]);
    const { items } = (await gateway.tenant.person.get('/v1/runs/?user_id=mallory')).body;
    expect(items.map((run: { status: string }) => run.status)).toEqual(['BLOCKED', 'BLOCKED']);
    await block(false);
  });

  test('for a budget is 402, with the reason in the body, and is not retried', async () => {
    await gateway.tenant.person.patch('/v1/workspace/', { user_daily_budget_usd: 0.0001 });
    const error = await openai.chat.completions
      .create({ model: MODEL, messages: MESSAGES, user: 'spender' })
      .catch((failure: unknown) => failure);
    expect(error).toMatchObject({ status: 402, code: 'USER_DAILY_BUDGET_EXCEEDED' });
    expect((error as { headers: Headers }).headers.get('x-should-retry')).toBe('false');
    expect(gateway.provider.requests).toEqual([]);
    await gateway.tenant.person.patch('/v1/workspace/', { user_daily_budget_usd: null });
  });
});

describe('an abort by the client', () => {
  test('ends the call at the provider, and what was not stated is charged as it was held', async () => {
    const stream = await openai.chat.completions.create(
      { model: MODEL, messages: MESSAGES, stream: true, max_completion_tokens: 50 },
      behaving({ tokens: 1_000, pauseMs: 5 }),
    );
    for await (const _ of stream) break;
    await expect
      .poll(async () => (await gateway.tenant.person.get('/v1/runs/?per_page=1')).body.items[0].status)
      .toBe('FAILED');
    const [run] = (await gateway.tenant.person.get('/v1/runs/?per_page=1')).body.items;
    const [step] = (await gateway.tenant.person.get(`/v1/runs/${run.id}`)).body.steps;
    expect(step).toMatchObject({ status: 'FAILED', completion_tokens: 50, cost_source: 'estimated' });
    expect(step.error).toContain('disconnected');
    expect(gateway.provider.bills.at(-1)?.completionTokens).toBeLessThan(1_000);
  });
});
