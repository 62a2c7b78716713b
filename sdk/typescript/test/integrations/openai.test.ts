import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardOpenAI } from '../../src/integrations/openai.js';
import { type GuardFixture, MODEL, startGuard } from '../support/guard-fixture.js';
import {
  ANSWER,
  type ProviderStandIn,
  STALLED_MODEL,
  startProvider,
  TOKENS,
} from '../support/provider-stand-in.js';
import { type Call, describeIntegration } from './integration-contract.js';

const messages = [{ role: 'user' as const, content: 'Hi' }];
const guarded = ({ run, provider }: Omit<Call, 'model'>) => guardOpenAI(newClient(provider), run);

function newClient(provider: ProviderStandIn): OpenAI {
  return new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1`, maxRetries: 0 });
}

describeIntegration({
  name: 'OpenAI chat completions',
  generate: async (call) => {
    const { choices } = await guarded(call).chat.completions.create({ model: call.model, messages });
    return choices[0]?.message.content ?? '';
  },
  stream: async (call) => {
    const { model } = call;
    const stream = await guarded(call).chat.completions.create({ model, messages, stream: true });
    const texts: string[] = [];
    for await (const { choices } of stream) {
      const [choice] = choices;
      if (choice === undefined)
        throw new Error('The usage chunk must be hidden from a caller who did not ask for it');
      if (choice.delta.content != null) texts.push(choice.delta.content);
    }
    return texts;
  },
  abandon: async (call) => {
    const { model } = call;
    for await (const _ of await guarded(call).chat.completions.create({ model, messages, stream: true }))
      break;
  },
});

describeIntegration({
  name: 'OpenAI chat completion stream helper',
  generate: async (call) => {
    const { choices } = await guarded(call).chat.completions.parse({ model: call.model, messages });
    return choices[0]?.message.content ?? '';
  },
  stream: async (call) => {
    const stream = guarded(call).chat.completions.stream({ model: call.model, messages });
    const texts: string[] = [];
    stream.on('content', (text) => texts.push(text));
    await stream.finalChatCompletion();
    return texts;
  },
});

describeIntegration({
  name: 'OpenAI responses',
  generate: async (call) => {
    const response = await guarded(call).responses.create({ model: call.model, input: 'Hi' });
    return response.output_text;
  },
  stream: async (call) => {
    const { model } = call;
    const texts: string[] = [];
    for await (const event of await guarded(call).responses.create({ model, input: 'Hi', stream: true })) {
      if (event.type === 'response.output_text.delta') texts.push(event.delta);
    }
    return texts;
  },
  abandon: async (call) => {
    const { model } = call;
    for await (const _ of await guarded(call).responses.create({ model, input: 'Hi', stream: true })) break;
  },
});

describeIntegration({
  name: 'OpenAI response stream helper',
  generate: async (call) => {
    const response = await guarded(call).responses.parse({ model: call.model, input: 'Hi' });
    return response.output_text;
  },
  stream: async (call) => {
    const stream = guarded(call).responses.stream({ model: call.model, input: 'Hi' });
    const texts: string[] = [];
    stream.on('response.output_text.delta', ({ delta }) => texts.push(delta));
    await stream.finalResponse();
    return texts;
  },
});

let fixture: GuardFixture;
let provider: ProviderStandIn;
beforeAll(async () => {
  [fixture, provider] = await Promise.all([startGuard(), startProvider()]);
});
afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

test('an aborted stream, which the client ends without an error, is recorded as FAILED', async () => {
  const userId = 'aborting';
  await fixture.guard.run({ userId }, async (run) => {
    const client = guarded({ run, provider });
    const stream = await client.chat.completions.create({ model: STALLED_MODEL, messages, stream: true });
    for await (const _ of stream) stream.controller.abort();
  });
  expect(await fixture.stepsOf(userId)).toMatchObject([{ status: 'FAILED' }]);
});

test('both branches of a teed stream yield every chunk, and the stream is counted once', async () => {
  const userId = 'splitting';
  await fixture.guard.run({ userId }, async (run) => {
    const client = guarded({ run, provider });
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
    const texts = await Promise.all(
      stream.tee().map(async (branch) => {
        let text = '';
        for await (const chunk of branch) text += chunk.choices[0]?.delta.content ?? '';
        return text;
      }),
    );
    expect(texts).toEqual([ANSWER.join(''), ANSWER.join('')]);
  });
  expect(await fixture.stepsOf(userId)).toMatchObject([
    { status: 'COMPLETED', prompt_tokens: TOKENS.prompt },
  ]);
});

test('a caller who requests the usage chunk receives it', async () => {
  await fixture.guard.run({ userId: 'asking' }, async (run) => {
    const client = guarded({ run, provider });
    const stream_options = { include_usage: true };
    const stream = await client.chat.completions.create({
      model: MODEL,
      messages,
      stream: true,
      stream_options,
    });
    let usage: unknown;
    for await (const chunk of stream) usage = chunk.usage ?? usage;
    expect(usage).toMatchObject({ prompt_tokens: TOKENS.prompt });
  });
});

test('embeddings are recorded with their input tokens', async () => {
  const userId = 'embedding';
  await fixture.guard.run({ userId }, (run) =>
    guarded({ run, provider }).embeddings.create({ model: MODEL, input: 'Hi' }),
  );
  expect(await fixture.stepsOf(userId)).toMatchObject([
    { prompt_tokens: TOKENS.prompt, cost_usd: 0.000_022 },
  ]);
});

test('withResponse works, and the original client stays unguarded', async () => {
  const client = newClient(provider);
  await fixture.guard.run({ userId: 'reaching' }, async (run) => {
    const call = guardOpenAI(client, run).chat.completions.create({ model: MODEL, messages });
    const { data, response } = await call.withResponse();
    expect(response.status).toBe(200);
    expect(data.choices[0]?.message.content).toBe(ANSWER.join(''));
    await client.chat.completions.create({ model: MODEL, messages });
  });
  expect(await fixture.stepsOf('reaching')).toHaveLength(1);
});
