/** Registration, sign-in and passwords. */

import type { AccessTokens } from '../auth/access-tokens.js';
import type { PasswordHasher } from '../auth/password-hasher.js';
import type { Account } from '../domain/account.js';
import { badRequest, unauthenticated } from '../domain/app-error.js';
import type { Plan } from '../domain/plan.js';
import { newWorkspace, type Workspace } from '../domain/workspace.js';
import type { Store } from '../store/store.js';
import { newApiKey } from './api-keys.js';
import { LoginThrottle, type SignInAttempt } from './login-throttle.js';

export interface AccountsOptions {
  readonly store: Store;
  readonly hasher: PasswordHasher;
  readonly tokens: AccessTokens;
  readonly newId: () => string;
  readonly defaultPlan: Plan;
}

export interface Registration {
  readonly account: Account;
  readonly workspace: Workspace;
  readonly accessToken: string;
  readonly apiKey: string;
}

export class Accounts {
  readonly #store: Store;
  readonly #hasher: PasswordHasher;
  readonly #tokens: AccessTokens;
  readonly #newId: () => string;
  readonly #defaultPlan: Plan;
  readonly #throttle: LoginThrottle;

  constructor({ store, hasher, tokens, newId, defaultPlan }: AccountsOptions) {
    this.#store = store;
    this.#hasher = hasher;
    this.#tokens = tokens;
    this.#newId = newId;
    this.#defaultPlan = defaultPlan;
    this.#throttle = new LoginThrottle(store.loginFailures, () => store.now());
  }

  async register(given: {
    email: string;
    password: string;
    name: string | null;
    workspaceName: string | null;
  }): Promise<Registration> {
    const passwordHash = await this.#hasher.hash(given.password);
    const now = await this.#store.now();
    const workspace = newWorkspace({
      id: this.#newId(),
      name: given.workspaceName ?? defaultWorkspaceName(given),
      plan: this.#defaultPlan,
      now,
    });
    const account: Account = {
      id: this.#newId(),
      workspaceId: workspace.id,
      email: given.email,
      name: given.name,
      passwordHash,
      tokenVersion: 1,
      createdAt: now,
    };
    const { apiKey, key } = newApiKey({
      id: this.#newId(),
      workspaceId: workspace.id,
      label: 'default',
      now,
    });
    const created = await this.#store.accounts.register(account, workspace, apiKey);
    if (!created) throw badRequest('An account with this e-mail already exists');
    return { account, workspace, accessToken: await this.#issueToken(account), apiKey: key };
  }

  /** A fresh token; an unknown e-mail and a wrong password are refused alike. */
  async login({ password, ...attempt }: SignInAttempt & { password: string }): Promise<string> {
    const account = await this.#withVerifiedPassword(attempt, password, async () =>
      this.#store.accounts.findByEmail(attempt.email),
    );
    if (account === null) throw unauthenticated('Incorrect e-mail or password');
    return this.#issueToken(account);
  }

  /** A fresh token; every older one stops working. */
  async changePassword(given: {
    account: Account;
    address: string;
    currentPassword: string;
    newPassword: string;
  }): Promise<string> {
    const attempt = { email: given.account.email, address: given.address };
    const verified = await this.#withVerifiedPassword(
      attempt,
      given.currentPassword,
      async () => given.account,
    );
    if (verified === null) throw badRequest('The current password is incorrect');
    const changed = await this.#store.accounts.changePassword({
      accountId: given.account.id,
      passwordHash: await this.#hasher.hash(given.newPassword),
      expectedTokenVersion: given.account.tokenVersion,
    });
    if (changed === null) throw unauthenticated('The password was changed meanwhile, sign in again');
    return this.#issueToken(changed);
  }

  /**
   * The throttle is asked inside the hashing slot, so that guesses sent all at once are counted one after the other
   * and not let through together.
   */
  async #withVerifiedPassword(
    attempt: SignInAttempt,
    password: string,
    find: () => Promise<Account | null>,
  ): Promise<Account | null> {
    return this.#hasher.withSlot(async () => {
      await this.#throttle.requireAllowed(attempt);
      const account = await find();
      if (await this.#hasher.verify(password, account?.passwordHash ?? null)) return account;
      await this.#throttle.recordFailure(attempt);
      return null;
    });
  }

  #issueToken(account: Account): Promise<string> {
    return this.#tokens.issue({ accountId: account.id, tokenVersion: account.tokenVersion });
  }
}

function defaultWorkspaceName({ name, email }: { name: string | null; email: string }): string {
  const owner = name ?? email.slice(0, email.lastIndexOf('@'));
  return `${owner}'s workspace`;
}
