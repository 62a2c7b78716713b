import { toIsoTimestamp } from '../domain/period.js';
import type { Command } from './command.js';
import { withStore } from './with-store.js';
import { workspaceIn } from './workspace-in.js';

export const members: Command = {
  name: 'members',
  summary: 'List the members of a workspace',
  parameters: ['email|slug'],
  help: `Lists the members of the workspace of an account or with a slug, in the order in which they joined: role, e-mail, and
since when. The role can be changed with set-role, also while the service is running.`,
  run: async ([emailOrSlug = ''], config) =>
    withStore(config, async (store) => {
      const found = await store.members.list(await workspaceIn(store, emailOrSlug));
      for (const { role, email, createdAt } of found) {
        process.stdout.write(`${role.padEnd(6)}  ${toIsoTimestamp(createdAt)}  ${email}\n`);
      }
      return 0;
    }),
};
