import { GuardedRuns } from '@guarded-runs/sdk';
import OpenAI from 'openai';

const guard = new GuardedRuns(); // GUARDED_RUNS_URL, GUARDED_RUNS_API_KEY
const openai = new OpenAI();

const answer = await guard.run({ userId: 'ada' }, (run) =>
  run.modelCall({
    model: 'gpt-4o',
    call: () =>
      openai.chat.completions.create({
        model: 'gpt-4o',
        messages: [{ role: 'user', content: 'Say hello' }],
      }),
  }),
);
console.log(answer.choices[0]?.message.content);
