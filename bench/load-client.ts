/**
 * A load generator that costs little itself: plain sockets, one request at a time per connection, replies read by their
 * Content-Length. It drives agents through their life: start, 3 × (create step, update step), end.
 */

import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly port: number;
  /** One agent after the other on each connection. */
  readonly connections: number;
  readonly seconds: number;
  /** Connections are spread over these credentials. */
  readonly apiKeys: readonly string[];
  /** Requests per second over all connections; without it every connection goes as fast as it is answered. */
  readonly rate?: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds, sorted. */
  readonly latencies: Float64Array;
  readonly failures: number;
}

/** 1 kB, as a prompt with some context has. */
const INPUT_DATA = { messages: [{ role: 'user', content: 'x'.repeat(960) }] };
const STEPS_PER_RUN = 3;

export async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  const started = performance.now();
  const deadline = started + options.seconds * 1000;
  const pace = options.rate === undefined ? null : new Pace(options.rate, started);
  const agents = await Promise.all(
    Array.from({ length: options.connections }, (_, index) => {
      const apiKey = options.apiKeys[index % options.apiKeys.length] ?? '';
      return Agent.connect(options.port, apiKey, pace);
    }),
  );
  await Promise.all(agents.map((agent) => agent.liveUntil(deadline)));
  const seconds = (performance.now() - started) / 1000;
  for (const agent of agents) agent.close();
  const latencies = Float64Array.from(agents.flatMap((agent) => agent.latencies)).sort();
  const failures = agents.reduce((sum, agent) => sum + agent.failures, 0);
  return { requests: latencies.length, seconds, latencies, failures };
}

export function percentile({ latencies }: LoadResult, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
}

/** Gives every request its moment. A latency counts from that moment, so waiting for a slow server is not hidden. */
class Pace {
  readonly #intervalMs: number;
  #next: number;

  constructor(rate: number, start: number) {
    this.#intervalMs = 1000 / rate;
    this.#next = start;
  }

  async turn(): Promise<number> {
    const moment = this.#next;
    this.#next += this.#intervalMs;
    const wait = moment - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    return Math.min(moment, performance.now());
  }
}

class Agent {
  readonly latencies: number[] = [];
  failures = 0;
  readonly #socket: Socket;
  readonly #headers: string;
  readonly #pace: Pace | null;
  #received = '';
  #answered: ((body: string) => void) | undefined;

  private constructor(socket: Socket, apiKey: string, pace: Pace | null) {
    this.#socket = socket;
    this.#pace = pace;
    this.#headers = `Host: localhost\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#read(chunk));
  }

  static connect(port: number, apiKey: string, pace: Pace | null): Promise<Agent> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Agent(socket, apiKey, pace)));
      socket.once('error', reject);
    });
  }

  async liveUntil(deadline: number): Promise<void> {
    while (performance.now() < deadline) {
      const run = await this.#send('POST', '/v1/runs/', { user_id: 'user-1', metadata: { source: 'bench' } });
      for (let sequence = 1; sequence <= STEPS_PER_RUN; sequence += 1) {
        const step = await this.#send('POST', `/v1/runs/${run}/steps`, {
          type: 'MODEL_CALL',
          sequence,
          model: 'gpt-4o',
          input_data: INPUT_DATA,
        });
        await this.#send('PATCH', `/v1/runs/${run}/steps/${step}`, {
          status: 'COMPLETED',
          duration_ms: 1200,
          prompt_tokens: 800,
          completion_tokens: 200,
        });
      }
      await this.#send('POST', `/v1/runs/${run}/end`, { status: 'COMPLETED' });
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The id in the answer. */
  async #send(method: string, path: string, body: object): Promise<string> {
    const text = JSON.stringify(body);
    const started = this.#pace === null ? performance.now() : await this.#pace.turn();
    const answer = new Promise<string>((resolve) => {
      this.#answered = resolve;
    });
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\n${this.#headers}Content-Length: ${text.length}\r\n\r\n${text}`,
    );
    const reply = await answer;
    this.latencies.push(performance.now() - started);
    return reply.slice(7, 43);
  }

  #read(chunk: string): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const lengthStart = this.#received.search(/content-length: /i) + 16;
    const length = Number.parseInt(this.#received.slice(lengthStart, lengthStart + 8), 10);
    if (this.#received.length < headEnd + 4 + length) return;
    if (!this.#received.startsWith('HTTP/1.1 20')) this.failures += 1;
    const body = this.#received.slice(headEnd + 4, headEnd + 4 + length);
    this.#received = '';
    this.#answered?.(body);
  }
}
