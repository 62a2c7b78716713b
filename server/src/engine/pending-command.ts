/** A command with its caller waiting. What it throws while being decided is its own answer and changes nothing. */

import type { IdempotentRequest } from '../domain/idempotency.js';
import type { WorkingSet } from './working-set.js';

/** Who asks: commands are only taken from machines. */
export interface Caller {
  readonly workspaceId: string;
  readonly apiKeyId: string;
  /** How the request is known again when it is sent again; without it every request is a new one. */
  readonly idempotency?: IdempotentRequest | undefined;
}

/** What the command asks about. */
export interface CommandNeeds {
  readonly startingUserId?: string;
  readonly runId?: string;
  readonly stepId?: string;
}

export interface PendingCommand {
  readonly caller: Caller;
  readonly needs: CommandNeeds;
  /** May be called more than once; the last outcome counts. */
  execute(set: WorkingSet): void;
  settle(): void;
  fail(error: unknown): void;
}

export interface Answer<Reply> {
  readonly reply: Reply;
  /** Whether it was given before and only repeated. */
  readonly isReplay: boolean;
}

export interface PendingOptions<Reply> {
  readonly caller: Caller;
  readonly needs: CommandNeeds;
  readonly execute: (set: WorkingSet) => Reply;
  readonly resolve: (answer: Answer<Reply>) => void;
  readonly reject: (error: unknown) => void;
}

export class Pending<Reply> implements PendingCommand {
  readonly caller: Caller;
  readonly needs: CommandNeeds;
  readonly #options: PendingOptions<Reply>;
  #settle: () => void = () => {};

  constructor(options: PendingOptions<Reply>) {
    this.caller = options.caller;
    this.needs = options.needs;
    this.#options = options;
  }

  execute(set: WorkingSet): void {
    try {
      set.requireActiveKey(this.caller.apiKeyId);
      const answer = this.#answer(set);
      this.#settle = () => this.#options.resolve(answer);
    } catch (error) {
      this.#settle = () => this.#options.reject(error);
    }
  }

  settle(): void {
    this.#settle();
  }

  fail(error: unknown): void {
    this.#options.reject(error);
  }

  /** Only what was decided is remembered: a refused request may be mended and sent again. */
  #answer(set: WorkingSet): Answer<Reply> {
    const { idempotency } = this.caller;
    if (idempotency === undefined) return { reply: this.#options.execute(set), isReplay: false };
    const replay = set.replayOf(idempotency);
    if (replay !== null) return { reply: JSON.parse(replay) as Reply, isReplay: true };
    const reply = this.#options.execute(set);
    set.remember(idempotency, JSON.stringify(reply));
    return { reply, isReplay: false };
  }
}
