/** Which run a call belongs to: the one that it names, the open one of its session, or one of its own. */

import type { Caller } from '../engine/command.js';
import type { Engine } from '../engine/engine.js';
import { idempotencyDigest as digest } from '../engine/idempotency-digest.js';
import type { RunStore } from '../store/store.js';
import { denied } from './gateway-error.js';

export interface RunOfCall {
  readonly runId: string;
  /** Whether the run has only this call, and ends with it. */
  readonly isOwn: boolean;
}

export interface RunChoice {
  readonly runId: string | null;
  readonly session: string | null;
  readonly userId: string;
  readonly provider: string;
}

export interface RunsOfCallsOptions {
  readonly engine: Engine;
  readonly runs: Pick<RunStore, 'findNewestWith'>;
  readonly now: () => Promise<number>;
  readonly newId: () => string;
}

/** A run of its own ends soon if the service dies. While the call takes longer, heartbeats renew the lease. */
const OWN_LEASE_SECONDS = 300;

/** The entry of the metadata by which the run of a session is found. */
const SESSION_KEY = 'session_key';

export class RunsOfCalls {
  readonly #options: RunsOfCallsOptions;

  constructor(options: RunsOfCallsOptions) {
    this.#options = options;
  }

  /** Throws GatewayError if a new run is denied. */
  async open(caller: Caller, choice: RunChoice): Promise<RunOfCall> {
    if (choice.runId !== null) return { runId: choice.runId, isOwn: false };
    const { userId, provider: gateway, session } = choice;
    if (session !== null)
      return { runId: await this.#openSession(caller, { ...choice, session }), isOwn: false };
    const runId = await this.#start(caller, {
      userId,
      metadata: { gateway },
      leaseSeconds: OWN_LEASE_SECONDS,
    });
    return { runId, isOwn: true };
  }

  /**
   * Calls that find the same run before them start the next one with the same idempotency key: only one of them does, in any
   * instance.
   */
  async #openSession(caller: Caller, choice: RunChoice & { session: string }): Promise<string> {
    const { workspaceId } = caller;
    const { userId, provider: gateway, session } = choice;
    // A session belongs to a user: another one with a session of the same name must not spend their budget.
    const key = digest(JSON.stringify([userId, session]));
    const newest = await this.#options.runs.findNewestWith({ workspaceId, name: SESSION_KEY, value: key });
    const isOpen =
      newest?.status === 'RUNNING' &&
      newest.userId === userId &&
      (newest.leaseExpiresAt === null || newest.leaseExpiresAt > (await this.#options.now()));
    if (newest !== null && isOpen) return newest.id;
    const idempotency = {
      keyHash: digest(JSON.stringify(['gateway session', workspaceId, key, newest?.id ?? null])),
      requestHash: key,
    };
    const metadata = { gateway, session, [SESSION_KEY]: key };
    return this.#start({ ...caller, idempotency }, { userId, metadata });
  }

  async #start(
    caller: Caller,
    given: { userId: string; metadata: Record<string, string>; leaseSeconds?: number },
  ): Promise<string> {
    const { userId, leaseSeconds } = given;
    const metadata = JSON.stringify(given.metadata);
    const { id, decision } = await this.#options.engine.startRun(caller, {
      id: this.#options.newId(),
      userId,
      metadata,
      leaseSeconds,
    });
    if (decision.outcome === 'DENY') throw denied(decision.reason);
    return id;
  }
}
