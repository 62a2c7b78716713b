/** Registration, sign-in and passwords. */

import type { AccountTokens } from '../auth/account-tokens.js';
import { type HashingKind, HashingSlots } from '../auth/hashing-slots.js';
import type { PasswordHasher } from '../auth/password-hasher.js';
import type { Role } from '../domain/access.js';
import { type Account, emailKey } from '../domain/account.js';
import { badRequest, unauthenticated } from '../domain/app-error.js';
import type { Origin } from '../domain/audit.js';
import type { Plan } from '../domain/plan.js';
import { newWorkspace, type Workspace } from '../domain/workspace.js';
import type { PasswordChange, Store } from '../store/store.js';
import { passwordChangeLimits, registrationLimits, signInLimits } from './account-limits.js';
import { newApiKey } from './api-keys.js';
import { type AttemptLimit, AttemptThrottle } from './attempt-throttle.js';
import { hashOfInvitationToken } from './members.js';

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

/** Where a request comes from. */
export interface Source {
  readonly address: string;
  readonly requestId: string | null;
}

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly name: string | null;
  /** null for a registration by the operator, which is not limited. */
  readonly source: Source | null;
}

/** Of a member who was invited. */
export interface Joining {
  readonly account: Account;
  readonly workspace: Workspace;
  readonly accessToken: string;
}

export interface Registration extends Joining {
  readonly apiKey: string;
}

/** Stands for the client address of a registration from the command line. */
const COMMAND_LINE = 'operator';

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
  async register(given: NewAccount & { workspaceName: string | null }): Promise<Registration> {
    const passwordHash = await this.#hashForRegistration(given);
    const now = await this.#store.now();
    const workspace = newWorkspace({
      id: this.#newId(),
      name: given.workspaceName ?? defaultWorkspaceName(given),
      plan: this.#defaultPlan,
      now,
    });
    const { id: workspaceId } = workspace;
    const account = this.#newAccount(given, { workspaceId, role: 'owner', passwordHash, now });
    const { apiKey, key } = newApiKey({
      id: this.#newId(),
      workspaceId,
      label: 'default',
      createdBy: account.email,
      now,
    });
    const created = await this.#store.accounts.register(
      { account, workspace, apiKey },
      originOf(account, given.source),
    );
    if (!created) throw emailTaken();
    return { account, workspace, accessToken: await this.#issueToken(account), apiKey: key };
  }

  /**
   * Registers a member of the workspace that the invitation is for. The token is checked before the password is hashed, so
   * guessing is cheap for the service.
   */
  async join(given: NewAccount & { invitationToken: string }): Promise<Joining> {
    const tokenHash = hashOfInvitationToken(given.invitationToken);
    const now = await this.#store.now();
    const invitation = await this.#store.members.findInvitation(tokenHash);
    if (invitation === null || invitation.expiresAt <= now) throw invalidInvitation();
    if (emailKey(invitation.email) !== emailKey(given.email)) {
      throw badRequest('The invitation is for another e-mail');
    }
    const { workspaceId, role } = invitation;
    const passwordHash = await this.#hashForRegistration(given);
    const account = this.#newAccount(given, { workspaceId, role, passwordHash, now });
    const joined = await this.#store.members.join({ account, tokenHash }, originOf(account, given.source));
    if (joined === 'taken') throw emailTaken();
    if (joined === 'invalid') throw invalidInvitation();
    const workspace = await this.#store.workspaces.find(workspaceId);
    if (workspace === null) throw new Error('Every account has a workspace');
    return { account, workspace, accessToken: await this.#issueToken(account) };
  }

  /** Returns a new token. An unknown e-mail and a wrong password cause the same error. */
  async login(given: { email: string; password: string; source: Source }): Promise<string> {
    const { email, source } = given;
    const { address } = source;
    const account = await this.#hashing(
      { kind: 'sign-in', address, limits: signInLimits({ email, address }) },
      async (recordFailure) => {
        const found = await this.#store.accounts.findByEmail(given.email);
        if (await this.#hasher.verify(given.password, found?.passwordHash ?? null)) return found;
        await recordFailure();
        return null;
      },
    );
    const isSignedIn =
      account !== null && (await this.#store.accounts.recordSignIn(account, originOf(account, source)));
    if (!isSignedIn) throw unauthenticated('Incorrect e-mail or password');
    return this.#issueToken(account);
  }

  /** Returns a new token. Every older token of the account stops working. */
  async changePassword(given: {
    account: Account;
    source: Source;
    currentPassword: string;
    newPassword: string;
  }): Promise<string> {
    const { account, source } = given;
    const passwordHash = await this.#hashing(
      { kind: 'sign-in', address: source.address, limits: passwordChangeLimits(account.id) },
      async (recordFailure) => {
        if (await this.#hasher.verify(given.currentPassword, account.passwordHash))
          return this.#hasher.hash(given.newPassword);
        await recordFailure();
        return null;
      },
    );
    if (passwordHash === null) throw badRequest('The current password is incorrect');
    const token = await this.#setPassword(
      { account, passwordHash, action: 'account.password_changed' },
      source,
    );
    if (token === null) throw unauthenticated('The password has changed. Sign in again.');
    return token;
  }

  /**
   * Returns a new token. The token of the link is valid once, because it is valid for one version of the account. It is checked
   * before the password is hashed, so guessing is cheap for the service.
   */
  async resetPassword(given: { token: string; newPassword: string; source: Source }): Promise<string> {
    const claims = await this.#tokens.verify(given.token, 'password reset');
    const account = claims === null ? null : await this.#store.accounts.find(claims.accountId);
    if (claims === null || account?.tokenVersion !== claims.tokenVersion) throw invalidLink();
    const { address } = given.source;
    const passwordHash = await this.#hashing({ kind: 'sign-in', address, limits: [] }, () =>
      this.#hasher.hash(given.newPassword),
    );
    const token = await this.#setPassword(
      { account, passwordHash, action: 'account.password_reset' },
      given.source,
    );
    if (token === null) throw invalidLink();
    return token;
  }

  /** Every token of the account stops working with the next request, on every instance. */
  endSessions(account: Account, source: Source): Promise<void> {
    return this.#store.accounts.endSessions(account, originOf(account, source));
  }

  #newAccount(
    { email, name }: NewAccount,
    given: { workspaceId: string; role: Role; passwordHash: string; now: number },
  ): Account {
    const { workspaceId, role, passwordHash, now: createdAt } = given;
    return { id: this.#newId(), workspaceId, email, name, passwordHash, tokenVersion: 1, role, createdAt };
  }

  /** Returns a new token; null, and nothing is changed, when the account has changed since it was read. */
  async #setPassword(change: PasswordChange, source: Source): Promise<string | null> {
    const changed = await this.#store.accounts.changePassword(change, originOf(change.account, source));
    return changed && this.#issueToken(changed);
  }

  /** Counts every registration, before the password is hashed. */
  #hashForRegistration({ source, password }: { source: Source | null; password: string }): Promise<string> {
    const address = source?.address ?? null;
    const limits =
      address === null ? [] : registrationLimits({ address, perHour: this.#registrationsPerHour });
    return this.#hashing(
      { kind: 'registration', address: address ?? COMMAND_LINE, limits },
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

/** The account is the actor of its own changes. */
function originOf({ id, email }: Account, source: Source | null): Origin {
  return {
    actor: { type: 'account', id, label: email },
    requestId: source?.requestId ?? null,
    ipAddress: source?.address ?? null,
  };
}

function emailTaken() {
  return badRequest('An account with this e-mail already exists');
}

function invalidInvitation() {
  return badRequest('The invitation is invalid, has expired or was used before');
}

function invalidLink() {
  return badRequest('The link is invalid, has expired or was used before');
}

function defaultWorkspaceName({ name, email }: { name: string | null; email: string }): string {
  const owner = name ?? email.slice(0, email.lastIndexOf('@'));
  return `${owner}'s workspace`;
}
