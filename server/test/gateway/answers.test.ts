/** What comes through the gateway is what the provider sends, byte for byte, and every call is in the ledger. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GatewayFixture, MODEL, startGateway } from './support/gateway-fixture.js';
import { BEHAVIOUR_HEADER, type Behaviour, PROMPT_TOKENS } from './support/provider-stand-in.js';

let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  gateway.provider.requests.length = 0;
});
afterAll(() => gateway.stop());

/** Set by the gateway, or about the connection. */
const OWN_HEADERS = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'date',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
  'x-guarded-run-id',
  'x-guarded-step-id',
]);

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

async function call(base: string, path: string, body: object, behaviour: Behaviour = {}): Promise<Answer> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.tenant.apiKey}`,
      'x-api-key': gateway.tenant.apiKey,
      'content-type': 'application/json',
      [BEHAVIOUR_HEADER]: JSON.stringify(behaviour),
    },
    body: JSON.stringify(body),
  });
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !OWN_HEADERS.has(name)));
  return { status: response.status, headers, text: await response.text() };
}

const CALLS = [
  { provider: 'openai', path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'Hi' }] } },
  { provider: 'openai', path: '/v1/responses', body: { input: 'Hi' } },
  {
    provider: 'anthropic',
    path: '/v1/messages',
    body: { max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] },
  },
].flatMap((given) => [false, true].map((stream) => ({ ...given, stream })));
const EMBEDDING = { provider: 'openai', path: '/v1/embeddings', body: { input: 'Hi' }, stream: false };

const BEHAVIOURS: readonly Behaviour[] = [
  {},
  { pieceBytes: 1 },
  { pieceBytes: 7 },
  { status: 429, headers: { 'retry-after': '1', 'x-ratelimit-remaining-requests': '0' } },
  { status: 500 },
];

describe.each([...CALLS, EMBEDDING])(
  '$provider $path, streamed: $stream',
  ({ provider, path, body, stream }) => {
    const sent = { model: MODEL, ...body, ...(stream ? { stream } : {}) };

    test.each(BEHAVIOURS)('the answer is the one of the provider, byte for byte: %j', async (behaviour) => {
      const direct = await call(gateway.provider.url, path, sent, behaviour);
      const guarded = await call(`${gateway.service.url}/gateway/${provider}`, path, sent, behaviour);
      expect(guarded).toEqual(direct);
    });

    test('the call is a step of a run that has ended, with the tokens that the provider states', async () => {
      await call(`${gateway.service.url}/gateway/${provider}`, path, sent);
      const [run] = (await gateway.tenant.person.get('/v1/runs/?per_page=1')).body.items;
      const detail = (await gateway.tenant.person.get(`/v1/runs/${run.id}`)).body;
      const completion = path.includes('embeddings') ? 0 : 5;
      expect(detail).toMatchObject({
        status: 'COMPLETED',
        user_id: 'gateway',
        metadata: { gateway: provider },
        steps: [{ type: 'MODEL_CALL', status: 'COMPLETED', model: MODEL, sequence: 1 }],
      });
      const [step] = detail.steps;
      expect([step.prompt_tokens, step.completion_tokens]).toEqual([PROMPT_TOKENS, completion]);
      expect(step.cost_usd).toBeCloseTo(PROMPT_TOKENS * 0.001 + completion * 0.01, 12);
      expect(step.input_data).toBeNull();
    });
  },
);
