/** What the gateway reads of a request, and what it adds to it. */

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ANTHROPIC } from '../../src/gateway/anthropic.js';
import { type AddedMembers, type CallRequest, readCallRequest } from '../../src/gateway/call-request.js';
import { OPENAI } from '../../src/gateway/openai.js';
import type { BilledEndpoint, Provider } from '../../src/gateway/provider.js';
import { FairLimiter } from '../../src/runtime/fair-limiter.js';

const room = new FairLimiter({
  maxRunning: 1e9,
  maxRunningPerOwner: 1e9,
  maxWaiting: 0,
  maxWaitingPerOwner: 0,
  maxWaitMs: 1,
});

function endpointOf({ endpoints }: Provider, path: string): BilledEndpoint {
  const billed = endpoints.find((endpoint) => endpoint.path === path)?.billed;
  if (billed == null) throw new Error(`${path} is not billed`);
  return billed;
}
const CHAT = endpointOf(OPENAI, '/v1/chat/completions');
const RESPONSES = endpointOf(OPENAI, '/v1/responses');
const EMBEDDINGS = endpointOf(OPENAI, '/v1/embeddings');
const MESSAGES = endpointOf(ANTHROPIC, '/v1/messages');

async function read(body: object | string, endpoint = CHAT): Promise<CallRequest> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const request = Object.assign(Readable.from([Buffer.from(text)]), {
    headers: {},
  }) as unknown as IncomingMessage;
  const { call } = await readCallRequest(request, endpoint, {
    limitBytes: 1e8,
    room,
    turns: room,
    owner: 'w',
  });
  return call;
}

describe('the bound of the completion', () => {
  test.each([
    ['chat', CHAT, { max_completion_tokens: 7 }, 7],
    ['chat, the older name', CHAT, { max_tokens: 9 }, 9],
    ['chat, both: the larger', CHAT, { max_completion_tokens: 7, max_tokens: 9 }, 9],
    ['chat without one', CHAT, {}, null],
    ['chat with null', CHAT, { max_tokens: null }, null],
    ['responses', RESPONSES, { max_output_tokens: 5 }, 5],
    ['messages', MESSAGES, { max_tokens: 3 }, 3],
    ['embeddings have none', EMBEDDINGS, { max_tokens: 3 }, 0],
  ] as const)('%s', async (_name, endpoint, members, expected) => {
    expect((await read({ model: 'm', ...members }, endpoint)).maxCompletionTokens).toBe(expected);
  });

  test('applies to each of the choices', async () => {
    expect((await read({ model: 'm', n: 3 })).choices).toBe(3);
    expect((await read({ model: 'm', n: 3 }, RESPONSES)).choices).toBe(1);
  });
});

describe('the size of the prompt', () => {
  const content = (part: object) => ({ model: 'm', messages: [{ role: 'user', content: [part] }] });

  test('is a third of the bytes of its text, and all bytes as a bound', async () => {
    const small = (await read({ model: 'm', messages: [] })).prompt;
    const large = (await read({ model: 'm', messages: [{ content: 'é'.repeat(3_000) }] })).prompt;
    expect(large.tokens - small.tokens).toBe(2_000);
    expect(large.mostTokens - small.mostTokens).toBeGreaterThanOrEqual(6_000);
  });

  test.each([
    [
      'a data URL',
      { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1_000_000)}` } },
    ],
    ['an image of Anthropic', { type: 'image', source: { type: 'base64', data: 'A'.repeat(1_000_000) } }],
    ['an image by its address', { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
  ])('counts %s as one image, whatever its bytes', async (_name, part) => {
    const { tokens, mostTokens } = (await read(content(part))).prompt;
    expect(tokens).toBeLessThan(1_700);
    expect(mostTokens).toBeGreaterThanOrEqual(50_000);
    expect(mostTokens).toBeLessThan(51_000);
  });

  test('counts an image of responses as one image, too', async () => {
    const image = { type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat(1_000_000)}` };
    const { prompt } = await read({ model: 'm', input: [{ role: 'user', content: [image] }] }, RESPONSES);
    expect(prompt.tokens).toBeLessThan(1_700);
  });

  test.each([
    ['text where data is expected', { type: 'image', source: { data: 'some words '.repeat(10_000) } }],
    ['what looks like data elsewhere', { type: 'tool_use', input: { data: 'A'.repeat(100_000) } }],
    ['what looks like data in a text', { type: 'text', data: 'A'.repeat(100_000) }],
  ])('counts %s as text', async (_name, part) => {
    expect((await read(content(part), MESSAGES)).prompt.mostTokens).toBeGreaterThan(100_000);
  });

  test.each([
    [
      'whose type is escaped',
      { type: '@', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } },
    ],
    [
      'whose type is unknown',
      { type: 'hologram', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } },
    ],
  ])('counts a part %s at least as an image', async (_name, part) => {
    const text = JSON.stringify(content(part)).replace('"@"', '"\\u0069mage_url"');
    expect((await read(text)).prompt.mostTokens).toBeGreaterThan(50_000);
  });
});

describe('what is added', () => {
  const added = async (body: object | string, given: Partial<AddedMembers>) =>
    Buffer.concat((await read(body)).take({ maxTokens: null, asksForUsage: false, ...given })).toString();

  test('leaves every other byte as it was', async () => {
    const body = '  { "seed" : 12345678901234567890 , "model":"m" }  ';
    expect(await added(body, {})).toBe(body);
    expect(await added(body, { asksForUsage: true })).toBe(
      '  {"stream_options":{"include_usage":true}, "seed" : 12345678901234567890 , "model":"m" }  ',
    );
  });

  test('is merged with the options that the client has sent', async () => {
    const body = '{"model":"m","stream_options":{"include_usage":false,"x":1},"z":0}';
    expect(JSON.parse(await added(body, { asksForUsage: true }))).toEqual({
      model: 'm',
      stream_options: { include_usage: true, x: 1 },
      z: 0,
    });
    expect(JSON.parse(await added('{"stream_options":null,"model":"m"}', { asksForUsage: true }))).toEqual({
      model: 'm',
      stream_options: { include_usage: true },
    });
  });

  test('leaves nothing of the request in memory: its answer may take minutes', async () => {
    const call = await read({ model: 'm', messages: ['x'.repeat(100_000)] });
    expect(call.body).toHaveLength(1);
    expect(call.take({ maxTokens: null, asksForUsage: false })).toHaveLength(1);
    expect(call.body).toEqual([]);
  });

  test('may be two members', async () => {
    const maxTokens = { name: 'max_completion_tokens', value: 4_096 };
    expect(
      JSON.parse(
        await added('{"max_completion_tokens":null,"model":"m"}', { maxTokens, asksForUsage: true }),
      ),
    ).toEqual({
      model: 'm',
      max_completion_tokens: 4_096,
      stream_options: { include_usage: true },
    });
  });
});

describe('a request that providers may read in two ways is refused', () => {
  test.each([
    ['a model twice', '{"model":"cheap","model":"dear"}'],
    ['a model twice, once with escapes', '{"model":"cheap","\\u006dodel":"dear"}'],
    ['no model', '{}'],
    ['an empty model', '{"model":""}'],
    ['a model that is no text', '{"model":["m"]}'],
    ['a model of 256 characters', `{"model":"${'m'.repeat(256)}"}`],
    ['a list', '[{"model":"m"}]'],
    ['two texts', '{"model":"m"}{"model":"n"}'],
    ['no JSON', 'model=m'],
    ['half of it', '{"model":"m"'],
    ['a model twice, in another case', '{"model":"cheap","Model":"dear"}'],
    ['a limit in another case', '{"model":"m","Max_Tokens":9}'],
    ['a limit with the Kelvin sign and the long s', '{"model":"m","max_to\u212aen\u017f":9}'],
    ['a limit as text', '{"model":"m","max_tokens":"9"}'],
    ['a negative limit', '{"model":"m","max_tokens":-1}'],
    ['a limit beyond all numbers', '{"model":"m","max_tokens":1e999}'],
    ['choices as text', '{"model":"m","n":"8"}'],
    ['choices beyond all numbers', '{"model":"m","max_tokens":0,"n":1e999}'],
    ['a stream as text', '{"model":"m","stream":"true"}'],
  ])('%s', async (_name, text) => {
    await expect(read(text)).rejects.toMatchObject({ status: 400 });
  });
});
