import { GuardedRuns } from '@guarded-runs/sdk';
import { guardRunner } from '@guarded-runs/sdk/openai-agents';
import { guardTool } from '@guarded-runs/sdk/tools';
import { Agent, OpenAIProvider, tool } from '@openai/agents';
import { z } from 'zod';

const guard = new GuardedRuns();
const provider = new OpenAIProvider();

await guard.run({ userId: 'ada' }, async (run) => {
  const add = tool({
    name: 'add',
    description: 'Adds two numbers',
    parameters: z.object({ left: z.number(), right: z.number() }),
    execute: guardTool(async ({ left, right }) => String(left + right), { name: 'add', run }),
  });
  const agent = new Agent({ name: 'Greeter', model: 'gpt-4o', tools: [add] });
  const runner = guardRunner({ modelProvider: provider, tracingDisabled: true }, run);
  const { finalOutput } = await runner.run(agent, 'Say hello');
  console.log(finalOutput);
});
