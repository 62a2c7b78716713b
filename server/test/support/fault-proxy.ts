/** A TCP proxy that injects network faults: delays, silence, resets in the middle of a message, refusals. */

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export type Direction = 'to-server' | 'to-client';

/**
 * `latency`: all bytes arrive, later. `silence`: nothing passes in these directions, without an error; the delayed bytes
 * arrive when it is over, as after lost packets. `reset`: every connection is reset after this many more bytes in a
 * direction, at any place in a message. `refuse`: new connections are reset at once, and so are open ones.
 */
export type NetworkFault =
  | { readonly kind: 'latency'; readonly latencyMs: number }
  | { readonly kind: 'silence'; readonly directions: readonly Direction[] }
  | { readonly kind: 'reset'; readonly direction: Direction; readonly afterBytes: number }
  | { readonly kind: 'refuse' };

export class FaultProxy {
  readonly #server: Server;
  readonly #target: { host: string; port: number };
  readonly #connections = new Set<ProxiedConnection>();
  #fault: NetworkFault | null = null;

  private constructor(target: { host: string; port: number }) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async start(target: { host: string; port: number }): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** From now on, also for open connections. */
  begin(fault: NetworkFault): void {
    this.#fault = fault;
    for (const connection of this.#connections) {
      if (fault.kind === 'refuse') connection.reset();
      else connection.apply(fault);
    }
  }

  /** Ends the fault; the delayed bytes arrive. */
  end(): void {
    this.#fault = null;
    for (const connection of this.#connections) connection.apply(null);
  }

  /** Like a firewall that has lost its connection table. */
  resetAll(): void {
    for (const connection of this.#connections) connection.reset();
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.resetAll();
    await closed;
  }

  #accept(client: Socket): void {
    if (this.#fault?.kind === 'refuse') {
      client.on('error', () => {});
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.#target.port, this.#target.host);
    const connection = new ProxiedConnection({ client, server });
    this.#connections.add(connection);
    client.once('close', () => this.#connections.delete(connection));
    connection.apply(this.#fault);
  }
}

class ProxiedConnection {
  readonly #pipes: readonly Pipe[];
  readonly #sockets: readonly Socket[];

  constructor({ client, server }: { client: Socket; server: Socket }) {
    this.#sockets = [client, server];
    this.#pipes = [
      new Pipe({ from: client, to: server, direction: 'to-server', reset: () => this.reset() }),
      new Pipe({ from: server, to: client, direction: 'to-client', reset: () => this.reset() }),
    ];
    for (const socket of this.#sockets) {
      socket.setNoDelay(true);
      // Each side sees only what happens to its own connection.
      socket.on('error', () => this.reset());
    }
  }

  apply(fault: NetworkFault | null): void {
    for (const pipe of this.#pipes) pipe.apply(fault);
  }

  reset(): void {
    for (const socket of this.#sockets) if (!socket.destroyed) socket.resetAndDestroy();
  }
}

/** The bytes of one direction. */
class Pipe {
  readonly direction: Direction;
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #reset: () => void;
  #latencyMs = 0;
  #bytesUntilReset = Number.POSITIVE_INFINITY;
  /** Delayed chunks, in order. */
  #delivered: Promise<void> = Promise.resolve();

  constructor(given: { from: Socket; to: Socket; direction: Direction; reset: () => void }) {
    this.direction = given.direction;
    this.#from = given.from;
    this.#to = given.to;
    this.#reset = given.reset;
    this.#from.on('data', (chunk: Buffer) => this.#pass(chunk));
    this.#from.once('end', () => this.#later(() => this.#to.end()));
    this.#from.once('close', () => this.#later(() => this.#to.destroy()));
  }

  apply(fault: NetworkFault | null): void {
    this.#latencyMs = fault?.kind === 'latency' ? fault.latencyMs : 0;
    this.#bytesUntilReset =
      fault?.kind === 'reset' && fault.direction === this.direction
        ? fault.afterBytes
        : Number.POSITIVE_INFINITY;
    if (fault?.kind === 'silence' && fault.directions.includes(this.direction)) this.#from.pause();
    else this.#from.resume();
  }

  #pass(chunk: Buffer): void {
    if (chunk.length < this.#bytesUntilReset) {
      this.#bytesUntilReset -= chunk.length;
      this.#later(() => this.#to.write(chunk));
      return;
    }
    this.#to.write(chunk.subarray(0, this.#bytesUntilReset), () => this.#reset());
  }

  /** Sends in order; at once when nothing is delayed. */
  #later(deliver: () => void): void {
    const latencyMs = this.#latencyMs;
    const arrives = performance.now() + latencyMs;
    this.#delivered = this.#delivered.then(async () => {
      const waitMs = arrives - performance.now();
      if (latencyMs > 0 && waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (!this.#to.destroyed) deliver();
    });
  }
}
