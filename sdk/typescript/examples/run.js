/**
 * Runs an example against the local service without a provider key: `node examples/run.js openai`. Afterwards it prints
 * what the service has recorded.
 */

import { GuardedRuns } from '@guarded-runs/sdk';
import { startLocalProvider } from './local-provider.js';

const PRICE = { inputCostPerToken: 0.000_002_5, outputCostPerToken: 0.000_01 };

const guard = new GuardedRuns();
for (const model of ['gpt-4o', 'claude-sonnet-5-5']) await guard.prices.put(model, PRICE);

const provider = await startLocalProvider();
process.env.OPENAI_BASE_URL = `${provider.url}/v1`;
process.env.OPENAI_API_KEY = 'none';
process.env.ANTHROPIC_BASE_URL = provider.url;
process.env.ANTHROPIC_API_KEY = 'none';
await import(`./${process.argv[2] ?? 'quick-start'}.js`);
provider.stop();

const [newest] = (await guard.runs.list({ perPage: 1 })).items;
console.log(`${newest?.status}: ${newest?.stepCount} steps, $${newest?.totalCostUsd}`);
