/**
 * Clients that start runs, report steps and end runs while things break around them, and remember what was
 * acknowledged to them. What was refused or lost on the way may or may not have happened; what was acknowledged must
 * be in the store, exactly once.
 */

import { expect } from 'vitest';
import type { Store } from '../../src/store/store.js';
import { ApiClient, type ApiReply } from './api-client.js';

export const TOKENS_PER_STEP = 3;

export class AcknowledgedLoad {
  readonly #urls: () => readonly string[];
  readonly #apiKey: string;
  readonly #clients: Promise<void>[];
  #runs = new Map<string, AcknowledgedRun>();
  #isOver = false;
  acknowledgedCount = 0;

  /** `urls` is asked before every request, since instances come and go. */
  constructor(given: { urls: () => readonly string[]; apiKey: string; clients: number }) {
    this.#urls = given.urls;
    this.#apiKey = given.apiKey;
    this.#clients = Array.from({ length: given.clients }, (_, index) => this.#client(index));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  /** Looks up everything that has been acknowledged since the last time. */
  async expectStored(store: Store, workspaceId: string): Promise<void> {
    const runs = this.#runs;
    this.#runs = new Map();
    for (const [runId, { stepIds, isEnded }] of runs) {
      const run = await store.runs.find({ workspaceId, runId });
      expect(run, `run ${runId}`).not.toBeNull();
      if (isEnded) expect(run?.status).toBe('COMPLETED');
      const steps = await store.runs.listSteps({ workspaceId, runId });
      const reported = steps.filter(({ promptTokens }) => promptTokens === TOKENS_PER_STEP);
      expect(reported.map(({ id }) => id)).toEqual(expect.arrayContaining(stepIds));
      expect(run?.totalTokens).toBe(BigInt(reported.length * TOKENS_PER_STEP));
    }
  }

  async #client(index: number): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const start = await this.#post(index + turn, '/v1/runs/', { user_id: `user-${index}` });
      if (start === null) continue;
      const run: AcknowledgedRun = { stepIds: [], isEnded: false };
      this.#runs.set(start.body.id, run);
      const steps = `/v1/runs/${start.body.id}/steps`;
      const step = await this.#post(index + turn, steps, { type: 'MODEL_CALL', sequence: 1, model: 'm' });
      if (step !== null) {
        const report = { status: 'COMPLETED', prompt_tokens: TOKENS_PER_STEP };
        const reported = await this.#send(index + turn, 'PATCH', `${steps}/${step.body.id}`, report);
        if (reported !== null) run.stepIds.push(step.body.id);
      }
      const end = await this.#post(index + turn, `/v1/runs/${start.body.id}/end`, { status: 'COMPLETED' });
      run.isEnded = end !== null;
    }
  }

  #post(turn: number, path: string, body: object): Promise<ApiReply | null> {
    return this.#send(turn, 'POST', path, body);
  }

  /** null: nobody knows whether it happened. */
  async #send(turn: number, method: string, path: string, body: object): Promise<ApiReply | null> {
    const urls = this.#urls();
    const client = new ApiClient(urls[turn % urls.length] ?? '', this.#apiKey);
    const reply = await client.send(method, path, body).catch(() => null);
    if (reply === null || reply.status === 503) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return null;
    }
    expect([200, 201]).toContain(reply.status);
    this.acknowledgedCount += 1;
    return reply;
  }
}

interface AcknowledgedRun {
  readonly stepIds: string[];
  isEnded: boolean;
}
