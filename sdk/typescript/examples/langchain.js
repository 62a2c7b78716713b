import { GuardedRuns } from '@guarded-runs/sdk';
import { guardCallbacks, guardMiddleware } from '@guarded-runs/sdk/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';

const guard = new GuardedRuns();
const model = new ChatOpenAI({ model: 'gpt-4o' });

await guard.run({ userId: 'ada' }, async (run) => {
  // An agent: its model and its tools are guarded.
  const agent = createAgent({ model, tools: [], middleware: [guardMiddleware(run)] });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Say hello' }] });
  console.log(messages.at(-1)?.text);

  // A model or a chain without an agent.
  const reply = await model.invoke('Say hello', { callbacks: [guardCallbacks(run)] });
  console.log(reply.text);
});
