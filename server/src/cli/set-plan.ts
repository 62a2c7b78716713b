import { setPlan as changePlan } from '../control/billing.js';
import { OPERATOR } from '../domain/audit.js';
import { isPlan, PLANS } from '../domain/plan.js';
import { type Command, CommandError } from './command.js';
import { withStore } from './with-store.js';
import { workspaceIn } from './workspace-in.js';

export const setPlan: Command = {
  name: 'set-plan',
  summary: 'Change the plan of a workspace',
  parameters: ['email|slug', 'plan'],
  help: `Changes the plan of the workspace with this slug or of the member with this e-mail. The change takes effect at once, even
while the service is running. Plans: ${PLANS.join(', ')}. A downgrade resets settings that the new plan does not include.`,
  run: async ([emailOrSlug = '', plan = ''], config) => {
    if (!isPlan(plan)) throw new CommandError(`Unknown plan "${plan}". Plans: ${PLANS.join(', ')}`);
    return withStore(config, async (store) => {
      const workspaceId = await workspaceIn(store, emailOrSlug);
      const workspace = await changePlan(store.workspaces, { workspaceId, plan }, OPERATOR);
      process.stdout.write(`${workspace.slug} is now on the ${plan} plan\n`);
      return 0;
    });
  },
};
