/** A call that was forwarded is settled once, however it ends: with what the provider stated, else with what it held. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayFixture, MODEL, startGateway } from './support/gateway-fixture.js';
import { BEHAVIOUR_HEADER, type Behaviour, PROMPT_TOKENS } from './support/provider-stand-in.js';

let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

interface Given {
  readonly path?: string;
  readonly behaviour?: Behaviour;
  readonly body?: object;
}

/** The status, or null if the answer was cut off; and the step of the call. */
async function settled({ path = 'openai/v1/chat/completions', behaviour = {}, body = {} }: Given) {
  const response = await fetch(`${gateway.service.url}/gateway/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.tenant.apiKey}`,
      'content-type': 'application/json',
      [BEHAVIOUR_HEADER]: JSON.stringify(behaviour),
    },
    body: JSON.stringify({
      model: MODEL,
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: 50,
      ...body,
    }),
  });
  const isWhole = await response.text().then(
    () => true,
    () => false,
  );
  const list = async () => (await gateway.tenant.person.get('/v1/runs/?per_page=1')).body.items;
  await expect.poll(async () => (await list())[0].status).not.toBe('RUNNING');
  const run = (await gateway.tenant.person.get(`/v1/runs/${(await list())[0].id}`)).body;
  return { status: response.status, isWhole, run, step: run.steps[0] };
}

const heldNow = async () => (await gateway.tenant.person.get('/v1/usage/summary')).body.held_usd;

describe('refused by the provider: nothing is charged', () => {
  test.each([400, 401, 429, 500, 529])('status %i', async (status) => {
    const { status: answered, step, run } = await settled({ behaviour: { status } });
    expect([answered, run.status]).toEqual([status, 'FAILED']);
    expect(step).toMatchObject({
      status: 'FAILED',
      cost_usd: null,
      error: `The provider answered with status ${status}`,
    });
    expect(await heldNow()).toBe(0);
  });

  test.each([
    ['refuses connections', () => 'http://127.0.0.1:1'],
    ['does not speak TLS', () => gateway.provider.url.replace('http:', 'https:')],
  ])('a provider that %s is 502', async (_name, url) => {
    const away = await startGateway({ GATEWAY_OPENAI_URL: url() });
    const response = await fetch(`${away.openaiUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${away.tenant.apiKey}` },
      body: JSON.stringify({ model: MODEL, messages: [] }),
    });
    expect([response.status, await response.json()]).toMatchObject([
      502,
      { error: { code: 'upstream_unavailable' } },
    ]);
    const [run] = (await away.tenant.person.get('/v1/runs/?per_page=1')).body.items;
    expect(run).toMatchObject({ status: 'FAILED', total_cost_usd: 0 });
    expect((await away.tenant.person.get('/v1/usage/summary')).body.held_usd).toBe(0);
    await away.stop();
  });
});

describe('broken: what was not stated is charged as it was held, because the provider may bill it', () => {
  test('a connection that is reset before the answer', async () => {
    const { status, step } = await settled({ behaviour: { resets: true } });
    expect(status).toBe(502);
    expect(step).toMatchObject({
      status: 'FAILED',
      completion_tokens: 50,
      cost_source: 'estimated',
      cost_usd: step.hold_usd,
    });
    expect(await heldNow()).toBe(0);
  });

  test('a whole answer that is cut', async () => {
    const { isWhole, step } = await settled({ behaviour: { cutAfter: 100 } });
    expect(isWhole).toBe(false);
    expect(step).toMatchObject({ status: 'FAILED', completion_tokens: 50, cost_usd: step.hold_usd });
  });

  test('a stream of OpenAI, whose usage comes last', async () => {
    const { isWhole, step } = await settled({ body: { stream: true }, behaviour: { cutAfter: 3 } });
    expect(isWhole).toBe(false);
    expect(step).toMatchObject({ status: 'FAILED', completion_tokens: 50, cost_usd: step.hold_usd });
  });

  test('a stream of Anthropic has stated its prompt', async () => {
    const { isWhole, step } = await settled({
      path: 'anthropic/v1/messages',
      body: { stream: true },
      behaviour: { cutAfter: 5 },
    });
    expect(isWhole).toBe(false);
    expect(step).toMatchObject({
      status: 'FAILED',
      prompt_tokens: PROMPT_TOKENS,
      completion_tokens: 50,
      cache_read_tokens: 2,
      cache_write_tokens: 4,
    });
  });

  test.each(['openai/v1/chat/completions', 'anthropic/v1/messages'])(
    'a stream of %s that the provider ends with an error',
    async (path) => {
      const { step, isWhole } = await settled({ path, body: { stream: true }, behaviour: { failsAfter: 3 } });
      expect(isWhole).toBe(true);
      expect(step).toMatchObject({ status: 'FAILED', completion_tokens: 50, cost_source: 'estimated' });
      expect(step.error).toContain('with an error');
    },
  );

  test('a stream whose run the agent ends itself', async () => {
    const { body: run } = await gateway.tenant.machine.post('/v1/runs/', { user_id: 'sly' });
    const response = await fetch(`${gateway.openaiUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.tenant.apiKey}`,
        'x-guarded-run-id': run.id,
        [BEHAVIOUR_HEADER]: JSON.stringify({ tokens: 2_000, pauseMs: 20 }),
      },
      body: JSON.stringify({ model: MODEL, messages: [], max_tokens: 50, stream: true }),
    });
    expect(response.status).toBe(200);
    await gateway.tenant.machine.post(`/v1/runs/${run.id}/end`, { status: 'COMPLETED' });
    await expect(response.text()).rejects.toThrow();
    const shown = async () => (await gateway.tenant.person.get(`/v1/runs/${run.id}`)).body.steps[0];
    await expect.poll(async () => (await shown()).status).toBe('FAILED');
    expect(await shown()).toMatchObject({ completion_tokens: 50, cost_source: 'estimated' });
  });

  test('a stream that has stated its usage is charged with that', async () => {
    // 5 words, the end of the choice, the usage.
    const { step } = await settled({ body: { stream: true }, behaviour: { cutAfter: 7 } });
    expect(step).toMatchObject({ status: 'FAILED', prompt_tokens: PROMPT_TOKENS, completion_tokens: 5 });
  });
});

describe('answered', () => {
  test('an answer that is compressed although it must not be passes as it is, and is charged as it was held', async () => {
    const { isWhole, step } = await settled({ behaviour: { headers: { 'content-encoding': 'x-unknown' } } });
    expect(isWhole).toBe(true);
    expect(step).toMatchObject({ status: 'COMPLETED', completion_tokens: 50, cost_usd: step.hold_usd });
  });

  test('all parts of the tokens are reported', async () => {
    expect((await settled({})).step).toMatchObject({ cache_read_tokens: 2, reasoning_tokens: 1 });
    expect((await settled({ path: 'anthropic/v1/messages' })).step).toMatchObject({
      prompt_tokens: PROMPT_TOKENS,
      cache_read_tokens: 2,
      cache_write_tokens: 4,
    });
  });
});

test('a run that is stopped, or a kill switch, ends the call in flight with a denial', async () => {
  const { body: run } = await gateway.tenant.machine.post('/v1/runs/', { user_id: 'ann' });
  const calling = fetch(`${gateway.openaiUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.tenant.apiKey}`,
      'x-guarded-run-id': run.id,
      [BEHAVIOUR_HEADER]: JSON.stringify({ hangs: true }),
    },
    body: JSON.stringify({ model: MODEL, messages: [], max_tokens: 50 }),
  });
  await expect
    .poll(async () => (await gateway.tenant.person.get(`/v1/runs/${run.id}`)).body.steps.length)
    .toBe(1);
  await gateway.tenant.person.post(`/v1/runs/${run.id}/stop`);
  const response = await calling;
  expect([response.status, response.headers.get('x-should-retry')]).toEqual([403, 'false']);
  expect(await response.json()).toMatchObject({ error: { code: 'RUN_ALREADY_ENDED' } });
  const [step] = (await gateway.tenant.person.get(`/v1/runs/${run.id}`)).body.steps;
  expect(step).toMatchObject({ status: 'FAILED', completion_tokens: 50, cost_source: 'estimated' });
});

describe('a workspace that requires holds', () => {
  test('gets a bound: all bytes of the prompt, and a limit of the completion that is added to the request', async () => {
    await gateway.tenant.person.patch('/v1/workspace/', { require_holds: true });
    gateway.provider.requests.length = 0;
    const { step, status } = await settled({ body: { max_tokens: undefined } });
    expect(status).toBe(200);
    const forwarded = JSON.parse(gateway.provider.requests[0]?.body.toString() ?? '{}');
    expect(forwarded.max_completion_tokens).toBe(4_096);
    const bytes = Buffer.byteLength(
      JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }),
    );
    expect(step.hold_usd).toBeCloseTo(bytes * 0.001 + 4_096 * 0.01, 9);
    await gateway.tenant.person.patch('/v1/workspace/', { require_holds: false });
  });

  test('otherwise the request stays as it is', async () => {
    gateway.provider.requests.length = 0;
    await settled({ body: { max_tokens: undefined } });
    expect(
      JSON.parse(gateway.provider.requests[0]?.body.toString() ?? '{}').max_completion_tokens,
    ).toBeUndefined();
  });
});

describe('recorded payloads', () => {
  test('are kept only if the operator wants it', async () => {
    expect((await settled({})).step.input_data).toBeNull();
    const recording = await startGateway({ GATEWAY_RECORD_PAYLOADS: 'true' });
    await fetch(`${recording.openaiUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${recording.tenant.apiKey}` },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    const [{ id }] = (await recording.tenant.person.get('/v1/runs/')).body.items;
    const { steps } = (await recording.tenant.person.get(`/v1/runs/${id}`)).body;
    expect(steps[0].input_data).toEqual({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] });
    await recording.stop();
  });
});

test('equal calls in one run are repeats, although their input is not stored', async () => {
  const { body: run } = await gateway.tenant.machine.post('/v1/runs/', {
    user_id: 'loop',
    limits: { max_repeats: 2 },
  });
  const statuses: number[] = [];
  for (let index = 0; index < 3; index += 1) {
    const response = await fetch(`${gateway.openaiUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.tenant.apiKey}`, 'x-guarded-run-id': run.id },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'again' }] }),
    });
    statuses.push(response.status);
    await response.text();
  }
  expect(statuses).toEqual([200, 200, 403]);
});
