/**
 * The hostile tenant, a separate process with the lowest priority: in production it would run on another machine. Messages
 * start and stop its attacks, and it returns how its requests were answered.
 */

import { Agent, request } from 'node:http';
import { setPriority } from 'node:os';
import { attacksOn } from './attacks.js';

const LOWEST_PRIORITY = 19;
/** A client that is refused at once sends again after this time, so that its own CPU is not the bottleneck. */
const PAUSE_AFTER_REFUSAL_MS = 5;
const TIMEOUT_MS = 60_000;

setPriority(LOWEST_PRIORITY);

let running = [];

process.on('message', (message) => {
  if (message.kind === 'begin') {
    begin(message);
    process.send({ result: 'begun' });
  } else {
    end().then((result) => process.send({ result }));
  }
});
process.on('disconnect', () => process.exit());

function begin({ ports, names, pauseMs, ...target }) {
  const attacks = attacksOn(target);
  running = names.map((name) => new Attack({ name, ports, pauseMs: pauseMs[name] ?? 0, ...attacks[name] }));
}

async function end() {
  const results = await Promise.all(running.map((attack) => attack.end()));
  running = [];
  return Object.fromEntries(results);
}

class Attack {
  #name;
  #answers = {};
  #isOver = false;
  #agent;
  #pauseMs;
  #connections;

  constructor({ name, connections, requests, ports, pauseMs }) {
    this.#name = name;
    this.#pauseMs = pauseMs;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
    this.#connections = Array.from({ length: connections }, (_, index) =>
      this.#drive(index, requests, ports),
    );
  }

  async end() {
    this.#isOver = true;
    this.#agent.destroy();
    await Promise.all(this.#connections);
    return [this.#name, this.#answers];
  }

  async #drive(index, requests, ports) {
    for (let turn = index; !this.#isOver; turn += 1) {
      const status = await this.#send(requests[turn % requests.length], ports[turn % ports.length]);
      if (this.#isOver) return;
      this.#answers[status] = (this.#answers[status] ?? 0) + 1;
      await this.#pause(Math.max(this.#pauseMs, status >= 400 ? PAUSE_AFTER_REFUSAL_MS : 0));
    }
  }

  async #pause(ms) {
    const end = performance.now() + ms;
    while (!this.#isOver && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, Math.min(100, Math.ceil(end - performance.now()))));
  }

  #send({ method, path, headers, body }, port) {
    return new Promise((resolve) => {
      const length = body === undefined ? 0 : Buffer.byteLength(body);
      const sent = request(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port,
          method,
          path,
          timeout: TIMEOUT_MS,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-length': length }) },
        },
        (reply) => {
          reply.on('error', () => resolve('broken'));
          reply.on('end', () => resolve(reply.statusCode));
          reply.resume();
        },
      );
      sent.on('error', (error) => resolve(error.code ?? 'error'));
      sent.on('timeout', () => sent.destroy());
      sent.end(body);
    });
  }
}
