/** Registration, sign-in and passwords. */

import type { AccountTokens } from '../auth/account-tokens.js';
import { type HashingKind, HashingSlots } from '../auth/hashing-slots.js';
import type { PasswordHasher } from '../auth/password-hasher.js';
import type { Account } from '../domain/account.js';
import { badRequest, unauthenticated } from '../domain/app-error.js';
import type { Plan } from '../domain/plan.js';
import { newWorkspace, type Workspace } from '../domain/workspace.js';
import type { Store } from '../store/store.js';
import { passwordChangeLimits, registrationLimits, signInLimits } from './account-limits.js';
import { newApiKey } from './api-keys.js';
import { type AttemptLimit, AttemptThrottle } from './attempt-throttle.js';

export interface AccountsOptions {
  readonly store: Store;
  readonly hasher: PasswordHasher;
  readonly tokens: AccountTokens;
  readonly newId: () => string;
  readonly defaultPlan: Plan;
  /** For each client address. */
  readonly registrationsPerHour: number;
  /** The clock of this process. */
  readonly clock: () => number;
}

export interface Registration {
  readonly account: Account;
  readonly workspace: Workspace;
  readonly accessToken: string;
  readonly apiKey: string;
}

/** Stands for the client address of a registration from the command line. */
const OPERATOR = 'operator';

export class Accounts {
  readonly #store: Store;
  readonly #hasher: PasswordHasher;
  readonly #tokens: AccountTokens;
  readonly #newId: () => string;
  readonly #defaultPlan: Plan;
  readonly #registrationsPerHour: number;
  readonly #throttle: AttemptThrottle;
  readonly #slots = new HashingSlots();

  constructor({ store, hasher, tokens, newId, defaultPlan, ...options }: AccountsOptions) {
    this.#store = store;
    this.#hasher = hasher;
    this.#tokens = tokens;
    this.#newId = newId;
    this.#defaultPlan = defaultPlan;
    this.#registrationsPerHour = options.registrationsPerHour;
    this.#throttle = new AttemptThrottle({
      attempts: store.loginFailures,
      storeClock: () => store.now(),
      clock: options.clock,
    });
  }

  /** A taken e-mail is rejected after the same work as for a free one, and counts towards the same limit. */
  async register(given: {
    email: string;
    password: string;
    name: string | null;
    workspaceName: string | null;
    /** null for a registration by the operator, which is not limited. */
    address: string | null;
  }): Promise<Registration> {
    const passwordHash = await this.#hashForRegistration(given);
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

  /** Returns a new token. An unknown e-mail and a wrong password cause the same error. */
  async login(given: { email: string; password: string; address: string }): Promise<string> {
    const account = await this.#hashing(
      { kind: 'sign-in', address: given.address, limits: signInLimits(given) },
      async (recordFailure) => {
        const found = await this.#store.accounts.findByEmail(given.email);
        if (await this.#hasher.verify(given.password, found?.passwordHash ?? null)) return found;
        await recordFailure();
        return null;
      },
    );
    if (account === null) throw unauthenticated('Incorrect e-mail or password');
    return this.#issueToken(account);
  }

  /** Returns a new token. Every older token of the account stops working. */
  async changePassword(given: {
    account: Account;
    address: string;
    currentPassword: string;
    newPassword: string;
  }): Promise<string> {
    const { account, address } = given;
    const passwordHash = await this.#hashing(
      { kind: 'sign-in', address, limits: passwordChangeLimits(account.id) },
      async (recordFailure) => {
        if (await this.#hasher.verify(given.currentPassword, account.passwordHash))
          return this.#hasher.hash(given.newPassword);
        await recordFailure();
        return null;
      },
    );
    if (passwordHash === null) throw badRequest('The current password is incorrect');
    const token = await this.#setPassword(account, passwordHash);
    if (token === null) throw unauthenticated('The password has changed. Sign in again.');
    return token;
  }

  /**
   * Returns a new token. The token of the link is valid once, because it is valid for one version of the account. It is checked
   * before the password is hashed, so guessing is cheap for the service.
   */
  async resetPassword(given: { token: string; newPassword: string; address: string }): Promise<string> {
    const claims = await this.#tokens.verify(given.token, 'password reset');
    const account = claims === null ? null : await this.#store.accounts.find(claims.accountId);
    if (claims === null || account?.tokenVersion !== claims.tokenVersion) throw invalidLink();
    const { address } = given;
    const passwordHash = await this.#hashing({ kind: 'sign-in', address, limits: [] }, () =>
      this.#hasher.hash(given.newPassword),
    );
    const token = await this.#setPassword(account, passwordHash);
    if (token === null) throw invalidLink();
    return token;
  }

  /** Every token of the account stops working with the next request, on every instance. */
  endSessions({ id }: Account): Promise<void> {
    return this.#store.accounts.endSessions(id);
  }

  /** Returns a new token; null, and nothing is changed, when the account has changed since it was read. */
  async #setPassword({ id, tokenVersion }: Account, passwordHash: string): Promise<string | null> {
    const changed = await this.#store.accounts.changePassword({
      accountId: id,
      passwordHash,
      expectedTokenVersion: tokenVersion,
    });
    return changed && this.#issueToken(changed);
  }

  /** Counts every registration, before the password is hashed. */
  #hashForRegistration({ address, password }: { address: string | null; password: string }): Promise<string> {
    const limits =
      address === null ? [] : registrationLimits({ address, perHour: this.#registrationsPerHour });
    return this.#hashing(
      { kind: 'registration', address: address ?? OPERATOR, limits },
      async (recordAttempt) => {
        await recordAttempt();
        return this.#hasher.hash(password);
      },
    );
  }

  /**
   * Attempts that are known to exceed a limit do not wait for a slot. The limits are checked again inside the slot, so that
   * concurrent attempts are counted one after the other.
   */
  async #hashing<Result>(
    { kind, address, limits }: { kind: HashingKind; address: string; limits: readonly AttemptLimit[] },
    work: (record: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    this.#throttle.requireNotRefused(limits);
    return this.#slots.withSlot({ kind, address }, async () => {
      await this.#throttle.requireAllowed(limits);
      return work(() => this.#throttle.record(limits));
    });
  }

  #issueToken(account: Account): Promise<string> {
    return this.#tokens.issue({ accountId: account.id, tokenVersion: account.tokenVersion });
  }
}

function invalidLink() {
  return badRequest('The link is invalid, has expired or was used before');
}

function defaultWorkspaceName({ name, email }: { name: string | null; email: string }): string {
  const owner = name ?? email.slice(0, email.lastIndexOf('@'));
  return `${owner}'s workspace`;
}
