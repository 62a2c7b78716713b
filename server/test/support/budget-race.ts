/**
 * Many agents at once with holds, and a budget for a few calls: whatever dies in between, the spend never exceeds the budget.
 * Every call costs what it holds or less.
 */

import { expect } from 'vitest';
import type { SeededRandom } from '../../src/cli/seeded-random.js';
import { picoUsdToNumber } from '../../src/domain/money.js';
import { dayOf } from '../../src/domain/period.js';
import type { Store } from '../../src/store/store.js';
import { ApiClient, type ApiReply } from './api-client.js';
import { expectStatus } from './test-service.js';

const AGENTS = 50;
/** Calls that the budget of a round has room for. */
const CALLS = 10;
const TOKENS = 10;
const USD_PER_TOKEN = 0.0001;
const CALL_PICO_USD = BigInt(TOKENS) * 10n ** 8n;
const MODEL = 'gpt';
const STEP = {
  type: 'MODEL_CALL',
  sequence: 1,
  model: MODEL,
  estimated_prompt_tokens: TOKENS,
  max_completion_tokens: 0,
};

export interface BudgetRaceOptions {
  /** Of the instances that are up. */
  readonly urls: () => readonly string[];
  readonly apiKey: string;
  readonly workspaceId: string;
  readonly random: SeededRandom;
}

export class BudgetRace {
  readonly figures = {
    rounds: 0,
    allowed: 0,
    denied: 0,
    'agents that died': 0,
    'requests without answer': 0,
  };
  readonly #options: BudgetRaceOptions;

  constructor(options: BudgetRaceOptions) {
    this.#options = options;
  }

  async prepare(): Promise<void> {
    const client = this.#client(0);
    const price = { input_cost_per_token: USD_PER_TOKEN, output_cost_per_token: 0 };
    expectStatus(await client.put(`/v1/model-pricing/${MODEL}`, price), 200);
    expectStatus(await client.patch('/v1/workspace/', { max_concurrent_runs: 1_000_000 }), 200);
  }

  /** Sets a budget, and lets the agents use it up; `disturb` kills something in the meantime. */
  async round(store: Store, disturb: () => Promise<void>): Promise<void> {
    this.figures.rounds += 1;
    const budget = (await this.#spendToday(store)) + BigInt(CALLS) * CALL_PICO_USD;
    const settings = { daily_budget_usd: picoUsdToNumber(budget) };
    expectStatus(await this.#client(0).patch('/v1/workspace/', settings), 200);
    const agents = Array.from({ length: AGENTS }, (_, index) => this.#agent(index));
    await Promise.all([...agents, disturb()]);
    await this.#stopAll();
    const spend = await this.#spendToday(store);
    expect(spend, `round ${this.figures.rounds}: the budget was ${budget}`).toBeLessThanOrEqual(budget);
    const { body } = expectStatus(await this.#client(0).get('/v1/usage/summary'), 200);
    expect(body.held_usd).toBe(0);
  }

  /** Until a call is denied, a request has no answer, or the agent dies. */
  async #agent(index: number): Promise<void> {
    const { random } = this.#options;
    const started = await this.#send(index, 'POST', '/v1/runs/', { user_id: `user-${index % 5}` });
    if (started?.status !== 201 || started.body.status !== 'RUNNING') return;
    const runPath = `/v1/runs/${started.body.id}`;
    let reports: object[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      const asked = await this.#send(index + call, 'POST', `${runPath}/steps`, { ...STEP, reports });
      if (asked === null || asked.status !== 201) return;
      if (asked.body.status === 'BLOCKED') {
        this.figures.denied += 1;
        break;
      }
      this.figures.allowed += 1;
      reports = [];
      const fate = random.next();
      if (fate < 0.1) {
        this.figures['agents that died'] += 1;
        return;
      }
      const report =
        fate < 0.25 ? { status: 'FAILED' } : { status: 'COMPLETED', prompt_tokens: fate < 0.5 ? 3 : TOKENS };
      if (random.chance(0.5)) reports = [{ step_id: asked.body.id, ...report }];
      else await this.#send(index, 'PATCH', `${runPath}/steps/${asked.body.id}`, report);
    }
    await this.#send(index, 'POST', `${runPath}/end`, { status: 'COMPLETED', reports });
  }

  /** What agents have left behind, as its operator would. */
  async #stopAll(): Promise<void> {
    for (;;) {
      const { body } = expectStatus(await this.#client(0).get('/v1/runs/?status=RUNNING&per_page=100'), 200);
      if (body.items.length === 0) return;
      for (const { id } of body.items) expectStatus(await this.#client(0).post(`/v1/runs/${id}/stop`), 200);
    }
  }

  async #spendToday(store: Store): Promise<bigint> {
    const today = dayOf(await store.now());
    const { workspaceId } = this.#options;
    const [day] = await store.usage.listDays({ workspaceId, from: today, to: today });
    return day?.costPicoUsd ?? 0n;
  }

  /** Null without an answer: the service was killed. */
  async #send(index: number, method: string, path: string, body: object): Promise<ApiReply | null> {
    try {
      return await this.#client(index).send(method, path, body);
    } catch {
      this.figures['requests without answer'] += 1;
      return null;
    }
  }

  #client(index: number): ApiClient {
    const urls = this.#options.urls();
    return new ApiClient(urls[index % urls.length] ?? '', this.#options.apiKey);
  }
}
