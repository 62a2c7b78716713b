import { AccountTokens } from '../auth/account-tokens.js';
import { type Command, CommandError } from './command.js';
import { withStore } from './with-store.js';

export const resetPassword: Command = {
  name: 'reset-password',
  summary: 'Print a link that sets a new password',
  parameters: ['email'],
  help: `Prints a link for the account with this e-mail, which is valid for one hour and one use. Whoever opens it can set a new
password; every older token of the account then stops working. Set PUBLIC_URL to where people open the dashboard, and use the
JWT_SECRET of the service, if it has one.`,
  run: async ([email = ''], config) =>
    withStore(config, async (store) => {
      const account = await store.accounts.findByEmail(email);
      if (account === null) throw new CommandError(`No account found for "${email}"`);
      const tokens = await AccountTokens.open({ config, secrets: store.maintenance, clock: Date.now });
      const token = await tokens.issue(
        { accountId: account.id, tokenVersion: account.tokenVersion },
        'password reset',
      );
      // Browsers do not send what follows #, so the token is in no log of a proxy.
      process.stdout.write(`${config.publicUrl}/reset-password#${token}\n`);
      return 0;
    }),
};
