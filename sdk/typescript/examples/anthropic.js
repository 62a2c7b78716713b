import Anthropic from '@anthropic-ai/sdk';
import { GuardedRuns } from '@guarded-runs/sdk';
import { guardAnthropic } from '@guarded-runs/sdk/anthropic';

const guard = new GuardedRuns();
const client = new Anthropic();

await guard.run({ userId: 'ada' }, async (run) => {
  const anthropic = guardAnthropic(client, run);
  const message = await anthropic.messages.create({
    model: 'claude-sonnet-5-5',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Say hello' }],
  });
  for (const block of message.content) if (block.type === 'text') console.log(block.text);
});
