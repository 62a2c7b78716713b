/** An agent in a loop: the same step again and again. Random steps are rarely equal often enough to be denied for it. */

import type { NaiveAccount } from './naive-accounts.js';
import type { NaiveBody } from './naive-answer.js';
import type { Workload } from './workload.js';
import { machine } from './workload-commands.js';

const TOOLS = ['search', 'zoë', null];
const MODELS = ['gpt-4o', '😀', null];

/** Until a little after the limit of repeats. Now and then another step is in between, or the keys have another order. */
export async function loop(workload: Workload, account: NaiveAccount): Promise<void> {
  const { random } = workload;
  const maxRepeats = random.pick([1, 2, 3]);
  const started = await ask('/v1/runs/', { user_id: 'ada', limits: { max_repeats: maxRepeats } });
  if (started.body.status !== 'RUNNING') return;
  const step = {
    type: random.pick(['MODEL_CALL', 'TOOL_CALL']),
    sequence: 1,
    model: random.pick(MODELS),
    tool_name: random.pick(TOOLS),
    // Without an estimate, a workspace that requires one denies for that reason; which is also to be predicted.
    ...(random.chance(0.8) ? { estimated_cost_usd: 0 } : {}),
  };
  for (let repeat = 0; repeat < maxRepeats + 2; repeat += 1) {
    const input = random.chance(0.5)
      ? { a: [1, {}], b: { c: 'ü', d: 0 } }
      : { b: { d: 0, c: 'ü' }, a: [1, {}] };
    await ask(`/v1/runs/${started.body.id}/steps`, { ...step, input_data: input });
    if (random.chance(0.3))
      await ask(`/v1/runs/${started.body.id}/steps`, { ...step, input_data: { a: [1] } });
  }

  function ask(path: string, body: NaiveBody) {
    const credential = machine(workload.contextOf(account));
    return workload.ask('loop', { method: 'POST', path, credential, body });
  }
}
