/** Accounts with plain-text passwords, a list of tokens, and every failed sign-in, never deleted. */

import { type Answer, created, type IssuedValues, type NaiveBody, ok, refused } from './naive-answer.js';
import { iso } from './naive-time.js';
import { NaiveWorkspace } from './naive-workspace.js';

export interface NaiveAccount {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly createdAt: number;
  readonly workspace: NaiveWorkspace;
  password: string;
  tokenVersion: number;
  /** The newest token. */
  token: string;
  /** Tokens from before a change of password. */
  readonly oldTokens: string[];
}

interface NaiveToken {
  readonly account: NaiveAccount;
  readonly version: number;
  readonly expiresAtSeconds: number;
}

interface Limit {
  readonly subject: string;
  readonly failures: number;
  readonly withinMs: number;
}

const signInLimits = (email: string): Limit[] => [
  { subject: `email ${email.toLowerCase()}`, failures: 10, withinMs: 15 * 60_000 },
  { subject: 'address', failures: 100, withinMs: 60 * 60_000 },
];
const changeLimits = ({ id }: NaiveAccount): Limit[] => [
  { subject: `account ${id}`, failures: 10, withinMs: 15 * 60_000 },
];

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
export const API_KEY = /^lg_[a-z0-9]{8}_[\w-]{43}$/;

export class NaiveAccounts {
  readonly all: NaiveAccount[] = [];
  readonly #tokens = new Map<string, NaiveToken>();
  readonly #failures: { subject: string; at: number }[] = [];
  readonly #ttlSeconds: number;
  readonly #issued: IssuedValues;

  constructor(given: { ttlSeconds: number; issued: IssuedValues }) {
    this.#ttlSeconds = given.ttlSeconds;
    this.#issued = given.issued;
  }

  register(now: number, body: NaiveBody): Answer {
    const email = body.email ?? '';
    if (this.#find(email) !== undefined) return refused(400, 'An account with this e-mail already exists');
    const owner = body.name ?? email.slice(0, email.lastIndexOf('@'));
    const name = body.workspace_name ?? `${owner}'s workspace`;
    const id = this.#issued.freshId('workspace', 'id');
    const workspace = new NaiveWorkspace({ id, slug: slugOf(name, id), name });
    const text = this.#issued.text(API_KEY, 'api_key');
    const prefix = text.slice(3, 11);
    workspace.keys.push({
      id: null,
      text,
      prefix,
      label: 'default',
      scope: 'admin',
      user: null,
      madeBy: email,
      isActive: true,
      createdAt: now,
      lastUsedAt: null,
    });
    const account: NaiveAccount = {
      id: this.#issued.freshId('user', 'id'),
      email,
      name: body.name ?? null,
      createdAt: now,
      workspace,
      password: body.password ?? '',
      tokenVersion: 1,
      token: '',
      oldTokens: [],
    };
    this.all.push(account);
    return created({
      ...this.#issueToken(now, account),
      api_key: text,
      user: accountBody(account),
      workspace: workspace.toApi(),
    });
  }

  login(now: number, body: NaiveBody): Answer {
    const email = body.email ?? '';
    const limits = signInLimits(email);
    const refusal = this.#throttle(now, limits, 'Too many failed sign-ins, try again later');
    if (refusal !== null) return refusal;
    const account = this.#find(email);
    if (account === undefined || account.password !== body.password) {
      this.#recordFailure(now, limits);
      return refused(401, 'Incorrect e-mail or password');
    }
    return ok(this.#issueToken(now, account));
  }

  changePassword(now: number, account: NaiveAccount, body: NaiveBody): Answer {
    const limits = changeLimits(account);
    const refusal = this.#throttle(now, limits, 'Too many wrong passwords, try again later');
    if (refusal !== null) return refusal;
    if (account.password !== body.current_password) {
      this.#recordFailure(now, limits);
      return refused(400, 'The current password is incorrect');
    }
    account.password = body.new_password ?? '';
    account.tokenVersion += 1;
    account.oldTokens.push(account.token);
    return ok(this.#issueToken(now, account));
  }

  me(account: NaiveAccount): Answer {
    const { workspace } = account;
    return ok({ ...accountBody(account), workspace_id: workspace.id, plan: workspace.plan });
  }

  /** The owner of a token, unless it has expired or is from before a change of password. */
  ownerOf(token: string, now: number): NaiveAccount | null {
    const found = this.#tokens.get(token);
    if (found === undefined || found.version !== found.account.tokenVersion) return null;
    return Math.floor(now / 1_000) < found.expiresAtSeconds ? found.account : null;
  }

  #find(email: string): NaiveAccount | undefined {
    return this.all.find((account) => account.email.toLowerCase() === email.toLowerCase());
  }

  #issueToken(now: number, account: NaiveAccount): { access_token: string; token_type: string } {
    const token = this.#issued.text(JWT, 'access_token');
    const expiresAtSeconds = Math.floor(now / 1_000) + this.#ttlSeconds;
    this.#tokens.set(token, { account, version: account.tokenVersion, expiresAtSeconds });
    account.token = token;
    return { access_token: token, token_type: 'bearer' };
  }

  #throttle(now: number, limits: readonly Limit[], detail: string): Answer | null {
    for (const { subject, failures, withinMs } of limits) {
      const recent = this.#failures.filter(
        (failure) => failure.subject === subject && failure.at > now - withinMs,
      );
      const decisive = recent.at(-failures);
      if (decisive === undefined) continue;
      const seconds = Math.max(1, Math.ceil((decisive.at + withinMs - now) / 1_000));
      return { ...refused(429, detail), retryAfter: String(seconds) };
    }
    return null;
  }

  #recordFailure(now: number, limits: readonly Limit[]): void {
    for (const { subject } of limits) this.#failures.push({ subject, at: now });
  }
}

const accountBody = ({ id, email, name, createdAt }: NaiveAccount) => ({
  id,
  email,
  name,
  role: 'owner',
  created_at: iso(createdAt),
});

/** Enough for the names of the workload: letters lose their marks, everything else becomes a dash. */
function slugOf(name: string, id: string): string {
  const letters = [...name.normalize('NFKD').toLowerCase()].filter((letter) => !/\p{Mark}/u.test(letter));
  const words = letters.map((letter) => (/[a-z0-9]/.test(letter) ? letter : ' ')).join('');
  const slug = words.trim().split(/ +/).join('-');
  return `${slug === '' ? 'workspace' : slug}-${id.slice(-8)}`;
}
