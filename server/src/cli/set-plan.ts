import { setPlan as changePlan } from '../control/billing.js';
import { isPlan, PLANS } from '../domain/plan.js';
import { type Command, CommandError } from './command.js';
import { withStore } from './with-store.js';

export const setPlan: Command = {
  name: 'set-plan',
  summary: 'Change the plan of a workspace',
  parameters: ['email|slug', 'plan'],
  help: `Changes the plan of the workspace with this owner's e-mail or this slug, at once, also while the service runs.
Plans: ${PLANS.join(', ')}. A downgrade resets what the new plan lacks.`,
  run: async ([emailOrSlug = '', plan = ''], config) => {
    if (!isPlan(plan)) throw new CommandError(`Unknown plan "${plan}". Plans: ${PLANS.join(', ')}`);
    return withStore(config, async (store) => {
      const workspaceId = await store.workspaces.findIdByEmailOrSlug(emailOrSlug);
      if (workspaceId === null) throw new CommandError(`No account or workspace is called "${emailOrSlug}"`);
      const workspace = await changePlan(store.workspaces, { workspaceId, plan });
      process.stdout.write(`${workspace.slug} is now on the ${plan} plan\n`);
      return 0;
    });
  },
};
