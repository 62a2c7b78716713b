/**
 * The load generator, a separate process. It shares the machine with what it measures, so it does as little as possible:
 * requests are prepared bytes, one write sends one, and only the status, the length and the id of a reply are read. Each
 * connection plays one agent after the other: start, 3 × (create step, update step), end. load-client.ts controls it, one
 * load at a time.
 */

import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

/** 1 kB, the size of a prompt with some context. */
const INPUT_DATA = { messages: [{ role: 'user', content: 'x'.repeat(960) }] };
const STEPS_PER_RUN = 3;
/** Placeholder for an id. */
const ID_SLOT = '00000000-0000-0000-0000-000000000000';
const ID_LENGTH = ID_SLOT.length;
/** Placeholder of the same length for an Idempotency-Key. */
const KEY_SLOT = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Every reply of the data plane begins with its id: {"id":"… */
const ID_OFFSET = 7;
const PACE_TICK_MS = 1;
/** The first requests wait for all connections to be accepted, which takes tens of milliseconds and is not measured. */
const SETTLE_MS = 100;

process.on('message', (options) => {
  runLoad(options).then(
    (result) => process.send({ result }),
    (error) => process.send({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());

async function runLoad(options) {
  const load = new Load(options);
  const connections = await Promise.all(
    Array.from({ length: options.connections }, (_, index) => Connection.open(load, index)),
  );
  const result = await load.run(connections);
  for (const connection of connections) connection.close();
  return result;
}

/** The state that all connections share: the end of the load, the schedule, and the results. */
class Load {
  failures = 0;
  firstFailure = null;
  requests = 0;
  isOver = false;
  /** Answers between these times count, and the latency of requests sent between them. */
  measuredFrom = 0;
  deadline = Number.POSITIVE_INFINITY;
  #latencies = new Float64Array(65_536);
  #latencyCount = 0;
  #open = 0;
  #idle = [];
  #due = [];
  #finish = () => {};

  constructor(options) {
    this.options = options;
    this.maxRequests = options.requests ?? Number.POSITIVE_INFINITY;
  }

  async run(connections) {
    const finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.#open = connections.length;
    const cpuBefore = process.cpuUsage();
    const started = performance.now();
    let ended = started;
    this.onOver = () => {
      ended = Math.min(performance.now(), this.deadline);
      this.cpu = process.cpuUsage(cpuBefore);
    };
    this.measuredFrom = started;
    if (this.options.seconds !== undefined) {
      this.measuredFrom += SETTLE_MS;
      this.deadline = this.measuredFrom + this.options.seconds * 1_000;
      setTimeout(() => this.end(), this.deadline - started);
    }
    const stopPace = this.options.rate === undefined ? () => {} : this.#pace(started);
    for (const connection of connections) this.ready(connection);
    await finished;
    stopPace();
    const seconds = (ended - this.measuredFrom) / 1_000;
    return {
      requests: this.requests,
      seconds,
      latencies: this.#latencies.subarray(0, this.#latencyCount).slice().sort(),
      failures: this.failures,
      firstFailure: this.firstFailure,
      cpuShare: (this.cpu.user + this.cpu.system) / 1_000 / (ended - started),
    };
  }

  /** The connection may send: at once, or when its turn comes if there is a rate. */
  ready(connection) {
    if (this.isOver && connection.isBetweenLives) this.#close();
    else if (this.options.rate === undefined || this.isOver) connection.send(performance.now());
    else if (this.#due.length > 0) connection.send(this.#due.shift());
    else this.#idle.push(connection);
  }

  answered(sentAt) {
    const now = performance.now();
    this.#count(now);
    if (sentAt < this.measuredFrom || sentAt >= this.deadline) return;
    if (this.#latencyCount === this.#latencies.length) {
      const larger = new Float64Array(this.#latencies.length * 2);
      larger.set(this.#latencies);
      this.#latencies = larger;
    }
    this.#latencies[this.#latencyCount] = now - sentAt;
    this.#latencyCount += 1;
  }

  #count(now) {
    if (this.isOver || now < this.measuredFrom || now > this.deadline) return;
    this.requests += 1;
    if (this.requests >= this.maxRequests) this.end();
  }

  failed(text) {
    this.failures += 1;
    this.firstFailure ??= text;
  }

  /** A lost connection sends nothing more. */
  lost(text) {
    this.failed(text);
    this.#close();
  }

  /** Agents still finish their runs, but that is not measured. */
  end() {
    if (this.isOver) return;
    this.onOver();
    this.isOver = true;
    this.#due.length = 0;
    for (const connection of this.#idle.splice(0)) this.ready(connection);
  }

  #close() {
    this.#open -= 1;
    if (this.#open === 0) this.#finish();
  }

  /**
   * Latency is measured from the tick at which the request was due, even if no connection was free: waiting for a slow server
   * is included, the resolution of the timer is not.
   */
  #pace(started) {
    let issued = 0;
    const timer = setInterval(() => {
      const now = performance.now();
      const wanted = Math.floor(((now - started) * this.options.rate) / 1_000);
      for (; issued < wanted && !this.isOver; issued += 1) {
        const connection = this.#idle.shift();
        if (connection === undefined) this.#due.push(now);
        else connection.send(now);
      }
    }, PACE_TICK_MS);
    return () => clearInterval(timer);
  }
}

class Connection {
  #load;
  #socket;
  #life;
  #next = 0;
  #sentAt = 0;
  #received = null;

  constructor(load, socket, life) {
    this.#load = load;
    this.#socket = socket;
    this.#life = life;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket !== null) load.lost('a connection was closed by the server');
    });
  }

  static open(load, index) {
    const { port, apiKeys, isKeyed } = load.options;
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.off('error', reject);
        const apiKey = apiKeys[index % apiKeys.length];
        resolve(new Connection(load, socket, lifeOf({ apiKey, userId: `user-${index}`, isKeyed })));
      });
      socket.once('error', reject);
    });
  }

  get isBetweenLives() {
    return this.#next === 0;
  }

  send(at) {
    this.#sentAt = at;
    const { bytes, keyAt } = this.#life[this.#next];
    if (keyAt >= 0) bytes.write(newKey(), keyAt, 'latin1');
    this.#socket.write(bytes);
  }

  close() {
    const socket = this.#socket;
    this.#socket = null;
    socket.destroy();
  }

  #read(chunk) {
    const reply = this.#received === null ? chunk : Buffer.concat([this.#received, chunk]);
    const body = wholeBody(reply);
    if (body < 0) {
      this.#received = reply;
      return;
    }
    this.#received = null;
    this.#load.answered(this.#sentAt);
    if (reply[9] !== 0x32 || reply[body + ID_OFFSET - 1] !== 0x22) {
      this.#load.failed(reply.toString('latin1'));
      this.#next = 0;
    } else {
      for (const { request, at } of this.#life[this.#next].idGoesTo) {
        reply.copy(request.bytes, at, body + ID_OFFSET, body + ID_OFFSET + ID_LENGTH);
      }
      this.#next = (this.#next + 1) % this.#life.length;
    }
    this.#load.ready(this);
  }
}

/** The offset of the body, or -1 while a part of it is missing. */
function wholeBody(reply) {
  const headEnd = reply.indexOf('\r\n\r\n');
  if (headEnd < 0) return -1;
  let at = reply.indexOf('content-length: ') + 16;
  let length = 0;
  for (let digit = reply[at] - 48; digit >= 0 && digit <= 9; digit = reply[at] - 48) {
    length = length * 10 + digit;
    at += 1;
  }
  return reply.length >= headEnd + 4 + length ? headEnd + 4 : -1;
}

/** The requests of one agent, in order. The id in a reply is copied into the requests that need it. */
function lifeOf({ apiKey, userId, isKeyed }) {
  const make = (method, path, body) => {
    const bytes = requestBytes({ apiKey, method, path, body, isKeyed });
    return { bytes, idGoesTo: [], keyAt: isKeyed ? bytes.indexOf(KEY_SLOT) : -1 };
  };
  const startOfRun = make('POST', '/v1/runs/', { user_id: userId, metadata: { source: 'bench' } });
  const endOfRun = make('POST', `/v1/runs/${ID_SLOT}/end`, { status: 'COMPLETED' });
  const steps = Array.from({ length: STEPS_PER_RUN }, (_, index) => {
    const created = make('POST', `/v1/runs/${ID_SLOT}/steps`, {
      type: 'MODEL_CALL',
      sequence: index + 1,
      model: 'gpt-4o',
      input_data: INPUT_DATA,
    });
    const updated = make('PATCH', `/v1/runs/${ID_SLOT}/steps/${ID_SLOT}`, {
      status: 'COMPLETED',
      duration_ms: 1_200,
      prompt_tokens: 800,
      completion_tokens: 200,
    });
    created.idGoesTo.push({ request: updated, at: updated.bytes.lastIndexOf(ID_SLOT) });
    return [created, updated];
  }).flat();
  for (const request of [...steps, endOfRun]) {
    startOfRun.idGoesTo.push({ request, at: request.bytes.indexOf(ID_SLOT) });
  }
  return [startOfRun, ...steps, endOfRun];
}

function requestBytes({ apiKey, method, path, body, isKeyed }) {
  const text = JSON.stringify(body);
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${apiKey}\r\n` +
      (isKeyed ? `Idempotency-Key: ${KEY_SLOT}\r\n` : '') +
      `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    'latin1',
  );
}

/** A version 7 UUID, as the SDK sends it. */
function newKey() {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
