import { ROLES } from '../domain/access.js';
import { OPERATOR } from '../domain/audit.js';
import { type Command, CommandError } from './command.js';
import { withStore } from './with-store.js';

export const setRole: Command = {
  name: 'set-role',
  summary: 'Change the role of a member',
  parameters: ['email', 'role'],
  help: `Changes the role of the account with this e-mail in its workspace, for example when no owner can sign in any more. The
service may be running: the role applies to the next request. Roles: ${ROLES.join(', ')}. The last owner must stay an owner.`,
  run: async ([email = '', wanted = ''], config) => {
    const role = ROLES.find((name) => name === wanted);
    if (role === undefined) throw new CommandError(`Unknown role "${wanted}". Roles: ${ROLES.join(', ')}`);
    return withStore(config, async (store) => {
      const account = await store.accounts.findByEmail(email);
      if (account === null) throw new CommandError(`No account found for "${email}"`);
      const { id: accountId, workspaceId } = account;
      await store.members.changeRole({ workspaceId, accountId, role }, OPERATOR);
      process.stdout.write(`${account.email} is now ${role}\n`);
      return 0;
    });
  },
};
