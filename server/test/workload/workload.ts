/**
 * Sends random requests to a service while a naive model predicts every answer. The seed determines everything: the same seed
 * makes the same requests, and the service must give the same answers on every store.
 */

import { expect } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import { ApiClient, type ApiReply } from '../support/api-client.js';
import type { TestService } from '../support/test-service.js';
import { AnswerDigest } from './answer-digest.js';
import { MALFORMED_REQUESTS, type MalformedRequest } from './malformed-requests.js';
import type { NaiveAccount } from './naive-accounts.js';
import type { Answer, NaiveRequest } from './naive-answer.js';
import { NaiveModel } from './naive-model.js';
import type { NaiveKey } from './naive-workspace.js';
import { WorkloadClock } from './workload-clock.js';
import { COMMAND_KINDS, type CommandContext, createAdminKey, login, register } from './workload-commands.js';

export const WORKLOAD_TTL_SECONDS = 30 * 86_400;

const MALFORMED = 0.04;
/** Most requests go to the newest workspaces, so that every workspace is busy first and rarely used later. */
const BUSY_WORKSPACES = 8;
const FIRST_WORKSPACES = 3;
const LAST_USED_RESOLUTION_MS = 60_000;

/** Also a request that the model does not know. */
interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly credential: string | null;
  readonly body?: unknown;
}

export class Workload {
  readonly seed: number;
  readonly clock: WorkloadClock;
  readonly random: SeededRandom;
  readonly digest: AnswerDigest;
  readonly model = new NaiveModel({ ttlSeconds: WORKLOAD_TTL_SECONDS });
  /** The number of requests of each kind, and of answers with each decision and status. */
  readonly commands = new Map<string, number>();
  readonly reasons = new Map<string, number>();
  readonly statuses = new Map<number, number>();
  readonly #service: TestService;
  readonly #operations: number;
  readonly #keyed = new Map<NaiveAccount, NaiveRequest[]>();
  #operation = 0;
  #serial = 0;

  constructor(given: { service: TestService; seed: number; operations: number; keepsLines?: boolean }) {
    this.seed = given.seed;
    this.random = new SeededRandom(given.seed);
    this.digest = new AnswerDigest({ keepsLines: given.keepsLines ?? false });
    this.#service = given.service;
    this.#operations = given.operations;
    this.clock = new WorkloadClock({
      clock: given.service.clock,
      random: this.random,
      operations: given.operations,
    });
  }

  /** `also` is called before each operation, for actions that are not random. */
  async run(also: (operation: number) => Promise<void> = async () => {}): Promise<void> {
    const registerEvery = Math.max(250, Math.floor(this.#operations / 100));
    for (this.#operation = 0; this.#operation < this.#operations; this.#operation += 1) {
      this.clock.moveTo(this.#operation, this.#memorableTimes());
      if (this.#operation < FIRST_WORKSPACES || this.#operation % registerEvery === 0) await this.#register();
      await also(this.#operation);
      await this.#operate();
    }
  }

  /** Sends a request and expects the answer that the model predicts. */
  async ask(kind: string, request: NaiveRequest): Promise<ApiReply> {
    this.count(kind);
    const reply = await this.send(request);
    this.expectPredicted(request, reply);
    return reply;
  }

  send(request: NaiveRequest): Promise<ApiReply> {
    const headers = request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey };
    return this.#client(request.credential).send(request.method, request.path, request.body, headers);
  }

  /** In the order in which the service executed the requests. */
  expectPredicted(request: NaiveRequest, reply: ApiReply): void {
    this.#expect(request, reply, this.model.answer(this.clock.now, request, reply.body));
  }

  count(kind: string): void {
    increase(this.commands, kind);
  }

  contextOf(account: NaiveAccount): CommandContext {
    this.#serial += 1;
    return {
      random: this.random,
      account,
      accounts: this.model.accounts.all,
      keyed: this.#keyed.get(account) ?? [],
      serial: this.#serial,
    };
  }

  /** An account with a valid token and a key that may do everything: it signs in, or creates one. */
  async readyAccount(): Promise<NaiveAccount> {
    const { all } = this.model.accounts;
    const account = this.random.pick(this.random.chance(0.97) ? all.slice(-BUSY_WORKSPACES) : all);
    if (this.model.accounts.ownerOf(account.token, this.clock.now) === null)
      await this.ask('login', login(this.contextOf(account)));
    if (adminKeyOf(account) === undefined) {
      this.#separateKeys();
      await this.ask('create key', createAdminKey(this.contextOf(account)));
    }
    return account;
  }

  async #operate(): Promise<void> {
    const account = await this.readyAccount();
    const context = this.contextOf(account);
    if (this.random.chance(MALFORMED)) return this.#sendMalformed(context);
    const { name, make } = this.#pickKind();
    if (name.includes('key')) this.#separateKeys();
    const request = make(context);
    await this.ask(name, request);
    if (request.idempotencyKey !== undefined)
      this.#keyed.set(account, [...context.keyed, request].slice(-200));
  }

  #pickKind() {
    let roll = this.random.next() * COMMAND_KINDS.reduce((total, { weight }) => total + weight, 0);
    const kind = COMMAND_KINDS.find(({ weight }) => {
      roll -= weight;
      return roll < 0;
    });
    if (kind === undefined) throw new Error('The weights must cover every roll');
    return kind;
  }

  async #register(): Promise<void> {
    this.#serial += 1;
    this.#separateKeys();
    await this.ask('register', register({ random: this.random, serial: this.#serial }));
    const account = this.model.accounts.all.at(-1);
    if (account === undefined) throw new Error('The registration was refused');
    await this.ask('read', { method: 'GET', path: '/v1/api-keys/', credential: account.token });
  }

  /** Keys of the same millisecond are listed by their random ids, which the seed does not determine. */
  #separateKeys(): void {
    this.clock.advance(1);
  }

  /** The model does not see it: if it changed anything, a later answer would differ. */
  async #sendMalformed(context: CommandContext): Promise<void> {
    this.count('malformed');
    const malformed = this.random.pick(MALFORMED_REQUESTS);
    const runs = context.account.workspace.runs.filter(({ steps }) => steps.length > 0);
    const run = runs.length === 0 ? undefined : this.random.pick(runs);
    if (malformed.path.includes('RUN') && run === undefined) return;
    const path = malformed.path.replace('RUN', run?.id ?? '').replace('STEP', run?.steps[0]?.id ?? '');
    const { method, body, headers, status, detail } = malformed;
    const credential = this.#credentialOf(malformed, context);
    const reply = await this.#client(credential).send(method, path, body, { ...headers });
    this.#expect({ method, path, credential, body }, reply, { status, body: { detail } });
  }

  #credentialOf({ credential, detail, status }: MalformedRequest, context: CommandContext): string | null {
    const { token } = context.account;
    const key = adminKeyOf(context.account);
    // The key is not checked if there is no such route, or if the route needs a token.
    const isSeen = status !== 401 && status !== 405 && detail !== 'Not found';
    if (credential === 'key' && key !== undefined && isSeen) key.lastUsedAt = this.clock.now;
    return {
      key: key?.text ?? '',
      token,
      none: null,
      'wrong key': `lg_aaaaaaaa_${'x'.repeat(43)}`,
      'wrong token': 'a.b.c',
    }[credential];
  }

  #client(credential: string | null): ApiClient {
    return new ApiClient(this.#service.url, credential);
  }

  #memorableTimes(): number[] {
    return this.model.accounts.all
      .slice(-BUSY_WORKSPACES)
      .flatMap(({ workspace }) => [...workspace.recorded.values()].slice(-3).map(({ at }) => at));
  }

  #expect(request: SentRequest, reply: ApiReply, predicted: Answer): void {
    const retryAfter = reply.headers.get('retry-after');
    const real: Answer = {
      status: reply.status,
      body: reply.body,
      ...(retryAfter === null ? {} : { retryAfter }),
    };
    try {
      expect(real).toEqual({ ...predicted, body: allowingForMinutes(predicted.body) });
    } catch (error) {
      throw new Error(this.#describe({ request, real, predicted, error }), { cause: error });
    }
    this.digest.add(request, real);
    increase(this.statuses, reply.status);
    const reason = reply.status === 201 ? reply.body.decision?.reason : undefined;
    if (reason !== undefined) increase(this.reasons, reason ?? 'ALLOW');
  }

  #describe(given: { request: SentRequest; real: Answer; predicted: Answer; error: unknown }): string {
    const difference = given.error instanceof Error ? given.error.message : String(given.error);
    return [
      `TEST_SEED=${this.seed}, operation ${this.#operation} at ${new Date(this.clock.now).toISOString()}`,
      `request    ${JSON.stringify(given.request)}`,
      `predicted  ${JSON.stringify(given.predicted)}`,
      `real       ${JSON.stringify(given.real)}`,
      difference,
    ].join('\n');
  }
}

function adminKeyOf({ workspace }: NaiveAccount): NaiveKey | undefined {
  return workspace.keys.find(({ isActive, scope }) => isActive && scope === 'admin');
}

/** When a key was last used is shown to the minute. */
function allowingForMinutes(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  return body.map((element) => {
    const usedAt = element?.last_used_at;
    if (typeof usedAt !== 'string') return element;
    const isClose = (shown: unknown) => {
      const age = typeof shown === 'string' ? Date.parse(usedAt) - Date.parse(shown) : -1;
      return age >= 0 && age < LAST_USED_RESOLUTION_MS;
    };
    return { ...element, last_used_at: expect.toSatisfy(isClose, `within a minute before ${usedAt}`) };
  });
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
