/**
 * Clients that start runs, report steps and end runs during faults, and record what was acknowledged. A write that was
 * refused or whose answer was lost may or may not have taken effect; an acknowledged write must be in the store, exactly
 * once. Some of the agents send Idempotency-Keys: they retry a write whose answer was lost until they get one, even after a
 * restart, and it must have one effect.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { SeededRandom } from '../../src/cli/seeded-random.js';
import type { Store } from '../../src/store/store.js';
import { ApiClient, type ApiReply } from './api-client.js';
import { listAllSteps } from './run-steps.js';

export const LOAD_MODEL = 'm';
const STEPS_PER_RUN = 2;
const TOKENS_PER_STEP = 3;
const RETRY_AFTER_MS = 10;
/** After the end of the load, for writes without an answer. */
const LAST_ANSWERS_WITHIN_MS = 30_000;
/** Runs that are looked up at the same time. */
const LOOKUPS = 8;

export interface AcknowledgedLoadOptions {
  /** Called before every request, since instances start and stop; while there are none, the clients wait. */
  readonly urls: () => readonly string[];
  readonly apiKey: string;
  readonly clients: number;
  readonly seed: number;
  /** The share of agents that send Idempotency-Keys. */
  readonly keyedShare: number;
}

export class AcknowledgedLoad {
  readonly #options: AcknowledgedLoadOptions;
  /** Distinguishes this load's users and keys from those of another one on the same workspace. */
  readonly #name = randomBytes(4).toString('hex');
  readonly #clients: Promise<void>[];
  readonly #runs = new Map<string, AcknowledgedRun>();
  readonly #starts = new Map<string, { sent: number; acknowledged: number }>();
  /** Runs with acknowledged writes since they were last looked up. */
  #changed = new Set<string>();
  #isPaused = false;
  #inFlight = 0;
  #endsAt: number | null = null;
  #failure: unknown;

  acknowledgedCount = 0;
  /** Answered with 503. */
  refusedCount = 0;
  /** Retried with the same key, because there was no answer or it was 503. */
  retriedCount = 0;
  slowestAnswerMs = 0;

  constructor(options: AcknowledgedLoadOptions) {
    this.#options = options;
    this.#clients = Array.from({ length: options.clients }, (_, index) =>
      this.#client(index).catch((error: unknown) => {
        this.#failure ??= error;
      }),
    );
  }

  /** Resolves when no request is in flight. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    while (this.#inFlight > 0) await pause(1);
    this.#throwFailure();
  }

  resume(): void {
    this.#isPaused = false;
  }

  /** Resolves when every write with a key has its answer; the service must be running. */
  async stop(): Promise<void> {
    this.#endsAt = performance.now() + LAST_ANSWERS_WITHIN_MS;
    this.#isPaused = false;
    await Promise.all(this.#clients);
    this.#throwFailure();
  }

  /** Checks everything that has been acknowledged since the last check; the clients may keep writing. */
  async expectStored(store: Store, workspaceId: string): Promise<LookedUp> {
    this.#throwFailure();
    const runIds = [...this.#changed];
    this.#changed = new Set();
    return this.#expectRuns(runIds, { store, workspaceId });
  }

  /** Checks everything that was ever acknowledged. */
  async expectAllStored(store: Store, workspaceId: string): Promise<LookedUp> {
    return this.#expectRuns([...this.#runs.keys()], { store, workspaceId });
  }

  async #expectRuns(runIds: readonly string[], where: Where): Promise<LookedUp> {
    for (let first = 0; first < runIds.length; first += LOOKUPS) {
      const group = runIds.slice(first, first + LOOKUPS);
      await Promise.all(group.map((runId) => this.#expectRun(runId, where)));
    }
    let unansweredStarts = 0;
    for (const [userId, starts] of this.#starts) {
      const acknowledgedBefore = starts.acknowledged;
      const query = { workspaceId: where.workspaceId, userId, status: null, offset: 0, limit: 1 };
      const { total } = await where.store.runs.list(query);
      expect(total, `runs of ${userId}`).toBeGreaterThanOrEqual(acknowledgedBefore);
      expect(total, `runs of ${userId}`).toBeLessThanOrEqual(starts.sent);
      unansweredStarts += total - acknowledgedBefore;
    }
    return { runs: runIds.length, unansweredStarts };
  }

  async #expectRun(runId: string, { store, workspaceId }: Where): Promise<void> {
    const acknowledged = this.#runs.get(runId);
    if (acknowledged === undefined) throw new Error(`Run ${runId} was never acknowledged`);
    // A copy of what was acknowledged until now: more follows during the read.
    const { isEnded } = acknowledged;
    const steps = [...acknowledged.steps].map(([stepId, { isReported }]) => ({ stepId, isReported }));
    const run = await store.runs.find({ workspaceId, runId });
    expect(run, `run ${runId}`).not.toBeNull();
    if (isEnded) expect(run?.status, `run ${runId}`).toBe('COMPLETED');
    const stored = await listAllSteps(store, { workspaceId, runId });
    // Each agent creates each step of its run once, however often it retries.
    expect(new Set(stored.map(({ sequence }) => sequence)).size, `steps of ${runId}`).toBe(stored.length);
    for (const { stepId, isReported } of steps) {
      const step = stored.find(({ id }) => id === stepId);
      expect(step, `step ${stepId}`).toBeDefined();
      if (isReported) expect(step).toMatchObject({ status: 'COMPLETED', promptTokens: TOKENS_PER_STEP });
    }
  }

  async #client(index: number): Promise<void> {
    const random = new SeededRandom(this.#options.seed + index);
    for (let turn = 0; this.#endsAt === null; turn += 1) {
      const isKeyed = random.chance(this.#options.keyedShare);
      await this.#agent({ index, turn, isKeyed, userId: this.#userId(index, isKeyed) });
    }
  }

  #userId(index: number, isKeyed: boolean): string {
    return `${isKeyed ? 'keyed' : 'plain'}-${this.#name}-${index}`;
  }

  /** One run from its start to its end. */
  async #agent(agent: Agent): Promise<void> {
    const runId = await this.#start(agent);
    if (runId === null) return;
    const run: AcknowledgedRun = { steps: new Map(), isEnded: false };
    this.#runs.set(runId, run);
    this.#changed.add(runId);
    for (let sequence = 1; sequence <= STEPS_PER_RUN; sequence += 1) {
      await this.#step(agent, { runId, run, sequence });
    }
    const end = { method: 'POST', path: `/v1/runs/${runId}/end`, body: { status: 'COMPLETED' } };
    if ((await this.#send(agent, end)) === null) return;
    run.isEnded = true;
    this.#changed.add(runId);
  }

  async #start(agent: Agent): Promise<string | null> {
    const starts = this.#starts.get(agent.userId) ?? { sent: 0, acknowledged: 0 };
    this.#starts.set(agent.userId, starts);
    starts.sent += 1;
    const start = { method: 'POST', path: '/v1/runs/', body: { user_id: agent.userId } };
    const reply = await this.#send(agent, start);
    if (reply === null) return null;
    starts.acknowledged += 1;
    return reply.body.id;
  }

  async #step(
    agent: Agent,
    { runId, run, sequence }: { runId: string; run: AcknowledgedRun; sequence: number },
  ): Promise<void> {
    const path = `/v1/runs/${runId}/steps`;
    const body = { type: 'MODEL_CALL', sequence, model: LOAD_MODEL };
    const created = await this.#send(agent, { method: 'POST', path, body });
    if (created === null) return;
    const step = { isReported: false };
    run.steps.set(created.body.id, step);
    this.#changed.add(runId);
    const report = { status: 'COMPLETED', prompt_tokens: TOKENS_PER_STEP };
    const update = { method: 'PATCH', path: `${path}/${created.body.id}`, body: report };
    if ((await this.#send(agent, update)) === null) return;
    step.isReported = true;
    this.#changed.add(runId);
  }

  /** null: it is unknown whether the write took effect. With a key it is retried until there is an answer. */
  async #send(agent: Agent, write: Write): Promise<ApiReply | null> {
    const sequence = 'sequence' in write.body ? write.body.sequence : '';
    const key = `${this.#name} ${agent.index} ${agent.turn} ${write.method} ${write.path} ${sequence}`;
    const headers: Record<string, string> = agent.isKeyed ? { 'idempotency-key': key } : {};
    for (let attempt = 0; ; attempt += 1) {
      const url = await this.#nextUrl(agent.index + agent.turn + attempt);
      const reply = await this.#attempt(new ApiClient(url, this.#options.apiKey), write, headers);
      if (reply !== null) return reply;
      await pause(RETRY_AFTER_MS);
      if (!agent.isKeyed) return null;
      if (this.#endsAt !== null && performance.now() > this.#endsAt) throw new Error(`No answer to ${key}`);
      this.retriedCount += 1;
    }
  }

  async #nextUrl(turn: number): Promise<string> {
    for (;;) {
      const urls = this.#options.urls();
      const url = urls[turn % urls.length];
      if (!this.#isPaused && url !== undefined) return url;
      await pause(1);
    }
  }

  async #attempt(
    client: ApiClient,
    { method, path, body }: Write,
    headers: Record<string, string>,
  ): Promise<ApiReply | null> {
    const begun = performance.now();
    this.#inFlight += 1;
    const reply = await client
      .send(method, path, body, headers)
      .catch(whenConnectionFailed)
      .finally(() => {
        this.#inFlight -= 1;
      });
    if (reply === null) return null;
    this.slowestAnswerMs = Math.max(this.slowestAnswerMs, performance.now() - begun);
    if (reply.status === 503) {
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      this.refusedCount += 1;
      return null;
    }
    expect([200, 201], `${method} ${path}: ${reply.text}`).toContain(reply.status);
    this.acknowledgedCount += 1;
    return reply;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}

export interface LookedUp {
  readonly runs: number;
  /** Runs in the store whose start has not been acknowledged: the answer was lost or is in flight. */
  readonly unansweredStarts: number;
}

interface Where {
  readonly store: Store;
  readonly workspaceId: string;
}

interface Agent {
  readonly index: number;
  readonly turn: number;
  readonly isKeyed: boolean;
  readonly userId: string;
}

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}

interface AcknowledgedRun {
  readonly steps: Map<string, { isReported: boolean }>;
  isEnded: boolean;
}

/** fetch fails with a TypeError when the connection does; any other error is a bug. */
function whenConnectionFailed(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}
