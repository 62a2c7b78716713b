import { openai } from '@ai-sdk/openai';
import { GuardedRuns } from '@guarded-runs/sdk';
import { guardMiddleware } from '@guarded-runs/sdk/ai-sdk';
import { generateText, wrapLanguageModel } from 'ai';

const guard = new GuardedRuns();

await guard.run({ userId: 'ada' }, async (run) => {
  const model = wrapLanguageModel({ model: openai('gpt-4o'), middleware: guardMiddleware(run) });
  const { text } = await generateText({ model, prompt: 'Say hello' });
  console.log(text);
});
