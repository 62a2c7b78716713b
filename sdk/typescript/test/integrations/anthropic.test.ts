import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardAnthropic } from '../../src/integrations/anthropic.js';
import { type GuardFixture, MODEL, startGuard } from '../support/guard-fixture.js';
import { type ProviderStandIn, startProvider } from '../support/provider-stand-in.js';
import { type Call, describeIntegration } from './integration-contract.js';

const messages = [{ role: 'user' as const, content: 'Hi' }];
const guarded = ({ run, provider }: Omit<Call, 'model'>) =>
  guardAnthropic(new Anthropic({ apiKey: 'none', baseURL: provider.url, maxRetries: 0 }), run);

describeIntegration({
  name: 'Anthropic messages, with cached tokens as input',
  generate: async (call) => {
    const message = await guarded(call).messages.create({ model: call.model, max_tokens: 10, messages });
    return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  },
  stream: async (call) => {
    const { model } = call;
    const stream = await guarded(call).messages.create({ model, max_tokens: 10, messages, stream: true });
    const texts: string[] = [];
    for await (const event of stream) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
        texts.push(event.delta.text);
    }
    return texts;
  },
  abandon: async (call) => {
    const { model } = call;
    const stream = await guarded(call).messages.create({ model, max_tokens: 10, messages, stream: true });
    for await (const _ of stream) break;
  },
});

describeIntegration({
  name: 'Anthropic message stream helper',
  generate: async (call) => {
    const stream = guarded(call).messages.stream({ model: call.model, max_tokens: 10, messages });
    return stream.finalText();
  },
  stream: async (call) => {
    const texts: string[] = [];
    const stream = guarded(call).messages.stream({ model: call.model, max_tokens: 10, messages });
    stream.on('text', (text) => texts.push(text));
    await stream.finalMessage();
    return texts;
  },
});

describeIntegration({
  name: 'Anthropic beta messages',
  generate: async (call) => {
    const message = await guarded(call).beta.messages.create({ model: call.model, max_tokens: 10, messages });
    return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  },
  stream: async (call) => {
    const texts: string[] = [];
    const stream = guarded(call).beta.messages.stream({ model: call.model, max_tokens: 10, messages });
    stream.on('text', (text) => texts.push(text));
    await stream.finalMessage();
    return texts;
  },
});

let fixture: GuardFixture;
let provider: ProviderStandIn;
beforeAll(async () => {
  [fixture, provider] = await Promise.all([startGuard(), startProvider()]);
});
afterAll(() => Promise.all([fixture.stop(), provider.stop()]));

test('an interrupted stream is charged for the tokens received so far', async () => {
  const userId = 'leaving';
  await fixture.guard.run({ userId }, async (run) => {
    const client = guarded({ run, provider });
    const stream = await client.messages.create({ model: MODEL, max_tokens: 10, messages, stream: true });
    for await (const _ of stream) break;
  });
  expect(await fixture.stepsOf(userId)).toMatchObject([
    { status: 'FAILED', prompt_tokens: 11, completion_tokens: 1, cost_usd: 0.000_032 },
  ]);
});
