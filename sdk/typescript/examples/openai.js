import { GuardedRuns } from '@guarded-runs/sdk';
import { guardOpenAI } from '@guarded-runs/sdk/openai';
import OpenAI from 'openai';

const guard = new GuardedRuns();
const client = new OpenAI();

await guard.run({ userId: 'ada' }, async (run) => {
  const openai = guardOpenAI(client, run);
  const stream = await openai.chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'Say hello' }],
    stream: true,
  });
  for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
  console.log();
});
