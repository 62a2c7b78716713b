/**
 * The latency that a guarded call adds at rest: the question and the report as two requests, compared with the report
 * travelling with the next question. The bare framework and the disk alone, at the same rate in the same rounds, show how
 * much of the slowest calls is due to the machine.
 */

import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type TestContext, test } from 'vitest';
import { campaignSize } from '../../server/test/support/campaign.js';
import { syncTimes } from '../disk-sync.js';
import { median, medianRatio, recordFigure } from '../figure.js';
import { inTurns } from '../in-turns.js';
import {
  type BenchDatabase,
  newPostgresDatabase,
  newSqliteDatabase,
  type Subject,
  startPostgresServer,
  startService,
  startYardstick,
  verifyStore,
} from '../subjects.js';

const CALLS_PER_SECOND = 50;
const AGENTS = 16;
const SECONDS = campaignSize({ short: 4, full: 20 });
const WARM_UP_ROUNDS = 1;
const ROUNDS = campaignSize({ short: 3, full: 9 });
/** The model call: question and report are not in the same batch. */
const MODEL_MS = 10;
const MAX_P99_TO_P50 = 4;
/** 1 kB, as in the load generator. */
const INPUT_DATA = { messages: [{ role: 'user', content: 'x'.repeat(960) }] };
const REPORT = { status: 'COMPLETED', duration_ms: 1_200, prompt_tokens: 800, completion_tokens: 200 };

type Way = 'two requests' | 'one request';

const SUBJECTS = ['two requests', 'one request', 'bare framework', 'one sync'] as const;

test('a guarded call on SQLite', async (context) => measureCalls(context, await newSqliteDatabase()));

test('a guarded call on PostgreSQL', async (context) =>
  measureCalls(context, await newPostgresDatabase(await startPostgresServer())));

async function measureCalls(context: TestContext, { name, url }: BenchDatabase): Promise<void> {
  const yardstick = await startYardstick();
  const service = await startService({ name, databaseUrl: url });
  const measured = await inTurns({
    subjects: SUBJECTS,
    rounds: WARM_UP_ROUNDS + ROUNDS,
    measure: (subject) => {
      if (subject === 'one sync')
        return syncTimes({ count: SECONDS * CALLS_PER_SECOND, rate: CALLS_PER_SECOND });
      if (subject === 'bare framework') return callLatencies(yardstick, 'one request');
      return callLatencies(service, subject);
    },
  });
  const at = (subject: (typeof SUBJECTS)[number], share: number) =>
    (measured.get(subject) ?? []).slice(WARM_UP_ROUNDS).map((latencies) => quantile(latencies, share));
  const describe = (subject: (typeof SUBJECTS)[number]) =>
    `${subject} p50 ${median(at(subject, 0.5)).toFixed(2)} ms, p99 ${median(at(subject, 0.99)).toFixed(2)} ms`;
  for (const share of [0.5, 0.99]) {
    recordFigure(context, {
      name: `p${share * 100} of a guarded call on ${name}, one request ÷ two`,
      value: medianRatio(at('one request', share), at('two requests', share)),
      goal: { atMost: 1 },
      behind: `${describe('one request')}; ${describe('two requests')}; ${CALLS_PER_SECOND} calls a second`,
      samples: {
        'one request, ms': at('one request', share),
        'two requests, ms': at('two requests', share),
      },
    });
  }
  recordFigure(context, {
    name: `p99 ÷ p50 of a guarded call on ${name}`,
    value: medianRatio(at('one request', 0.99), at('one request', 0.5)),
    goal: { atMost: MAX_P99_TO_P50 },
    behind: (['one request', 'bare framework', 'one sync'] as const).map(describe).join('; '),
    samples: Object.fromEntries(
      SUBJECTS.flatMap((subject) => [
        [`${subject}, p50 ms`, at(subject, 0.5)],
        [`${subject}, p99 ms`, at(subject, 0.99)],
      ]),
    ),
  });
  await service.stop();
  await verifyStore(url);
}

/** Calls at fixed times, the agents in turn: one that is slow does not delay the others. */
async function callLatencies(service: Subject, way: Way): Promise<number[]> {
  const agents = await Promise.all(Array.from({ length: AGENTS }, () => BenchAgent.start(service, way)));
  const begunAt = performance.now();
  const calls: Promise<number>[] = [];
  for (let index = 0; index < SECONDS * CALLS_PER_SECOND; index += 1) {
    await pause(begunAt + (index * 1_000) / CALLS_PER_SECOND - performance.now());
    calls.push(agents[index % AGENTS]?.call() ?? Promise.reject(new Error('There is no agent')));
  }
  const latencies = await Promise.all(calls);
  await Promise.all(agents.map((agent) => agent.end()));
  return latencies;
}

class BenchAgent {
  readonly #connection = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #service: Subject;
  readonly #way: Way;
  #runPath = '';
  #sequence = 0;
  #reports: object[] = [];
  #latest: Promise<unknown> = Promise.resolve();

  private constructor(service: Subject, way: Way) {
    this.#service = service;
    this.#way = way;
  }

  static async start(service: Subject, way: Way): Promise<BenchAgent> {
    const agent = new BenchAgent(service, way);
    const { id } = await agent.#send('POST', '/v1/runs/', { user_id: 'bench' });
    agent.#runPath = `/v1/runs/${id}`;
    return agent;
  }

  /** The milliseconds that the agent waits for the service, from when the call was due. */
  call(): Promise<number> {
    const dueAt = performance.now();
    const call = this.#latest.then(() => this.#callDue(dueAt));
    this.#latest = call;
    return call;
  }

  async end(): Promise<void> {
    await this.#latest;
    await this.#send('POST', `${this.#runPath}/end`, { status: 'COMPLETED', reports: this.#reports });
    this.#connection.destroy();
  }

  async #callDue(dueAt: number): Promise<number> {
    this.#sequence += 1;
    const step = {
      type: 'MODEL_CALL',
      sequence: this.#sequence,
      model: 'gpt-4o',
      input_data: INPUT_DATA,
      ...(this.#reports.length === 0 ? {} : { reports: this.#reports }),
    };
    const { id } = await this.#send('POST', `${this.#runPath}/steps`, step);
    const askMs = performance.now() - dueAt;
    await pause(MODEL_MS);
    if (this.#way === 'one request') {
      this.#reports = [{ step_id: id, ...REPORT }];
      return askMs;
    }
    const reportedAt = performance.now();
    await this.#send('PATCH', `${this.#runPath}/steps/${id}`, REPORT);
    return askMs + performance.now() - reportedAt;
  }

  #send(method: string, path: string, body: object): Promise<{ id: string }> {
    const text = JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.#service.apiKeys[0]}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'idempotency-key': randomUUID(),
    };
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: this.#connection };
      const sent = request(this.#service.url + path, options, async (response) => {
        let reply = '';
        for await (const chunk of response) reply += chunk;
        if (response.statusCode === 200 || response.statusCode === 201) resolve(JSON.parse(reply));
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${reply}`));
      });
      sent.on('error', reject);
      sent.end(text);
    });
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
