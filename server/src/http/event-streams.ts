/**
 * Streams of server-sent events, one for each tab of the dashboard. An event says what kind of thing has changed and nothing of it,
 * so a stream needs no more than the right to read. Streams are bounded in number and in memory, end when their credential is no
 * longer valid, and end at once when the server closes.
 */

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TOPICS, type Topic, type WorkspaceChanges } from '../control/workspace-changes.js';
import { unavailable } from '../domain/app-error.js';
import { type Authenticator, workspaceIdOf } from './authenticate.js';
import type { HttpServer } from './server-types.js';

/** Beyond them, a client gets 503 and reads at intervals instead. */
const MAX_STREAMS = 5_000;
const MAX_STREAMS_PER_WORKSPACE = 100;
/** Shorter than the timeouts of proxies, and short enough for a client to notice soon that the server is gone. */
const HEARTBEAT_MS = 10_000;
/** Heartbeats between two checks of the credential. It is checked after each change of settings, too. */
const BEATS_PER_CHECK = 6;
/** Bytes that the client has not read. */
const MAX_UNREAD = 1_024;
/** A client that has not read anything for as many heartbeats is gone. */
const MAX_UNREAD_BEATS = 6;

/** A client that lost its stream waits as long, and longer each time. */
const HELLO = 'retry: 2000\nevent: ready\ndata: {}\n\n';
const HEARTBEAT = ':\n\n';

export interface EventStreamsOptions {
  readonly changes: WorkspaceChanges;
  readonly authenticator: Pick<Authenticator, 'recheck'>;
  readonly heartbeatMs?: number;
  readonly maxStreams?: number;
  readonly maxStreamsPerWorkspace?: number;
}

export class EventStreams {
  readonly #changes: WorkspaceChanges;
  readonly #authenticator: Pick<Authenticator, 'recheck'>;
  readonly #heartbeatMs: number;
  readonly #maxStreams: number;
  readonly #maxStreamsPerWorkspace: number;
  readonly #open = new Set<EventStream>();
  readonly #countOf = new Map<string, number>();
  #count = 0;
  #isClosing = false;

  constructor(options: EventStreamsOptions) {
    this.#changes = options.changes;
    this.#authenticator = options.authenticator;
    this.#heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS;
    this.#maxStreams = options.maxStreams ?? MAX_STREAMS;
    this.#maxStreamsPerWorkspace = options.maxStreamsPerWorkspace ?? MAX_STREAMS_PER_WORKSPACE;
  }

  /** Including those that are being opened. */
  get count(): number {
    return this.#count;
  }

  /** Register before the server listens: its close would wait for the streams. */
  endOnStop(server: HttpServer): void {
    server.addHook('preClose', async () => {
      this.#isClosing = true;
      for (const stream of this.#open) stream.end();
    });
  }

  /** Responds with 503 if there are too many. */
  send(request: FastifyRequest, reply: FastifyReply): void {
    this.#send(request, reply).catch((error: unknown) => void reply.send(error));
  }

  async #send(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const stream = request.method === 'HEAD' ? Readable.from([]) : await this.#begin(request);
    // A reverse proxy that buffers responses would hold events back.
    reply.type('text/event-stream').header('x-accel-buffering', 'no');
    reply.raw.once('close', () => stream.destroy());
    // The client may have disconnected meanwhile.
    if (reply.raw.destroyed) stream.destroy();
    reply.send(stream);
  }

  /** When it begins, every change from then on is told. */
  async #begin(request: FastifyRequest): Promise<Readable> {
    const workspaceId = workspaceIdOf(request);
    const release = this.#enter(workspaceId);
    try {
      const stream = new EventStream({
        recheck: () => this.#authenticator.recheck(request),
        heartbeatMs: this.#heartbeatMs,
      });
      const endWatch = await this.#changes.watch(workspaceId, (topics) => stream.tell(topics));
      this.#open.add(stream);
      stream.readable.once('close', () => {
        endWatch();
        this.#open.delete(stream);
        release();
      });
      stream.begin();
      if (this.#isClosing) stream.end();
      return stream.readable;
    } catch (error) {
      release();
      throw error;
    }
  }

  #enter(workspaceId: string): () => void {
    const ofWorkspace = this.#countOf.get(workspaceId) ?? 0;
    if (this.#isClosing) throw unavailable('The service is stopping');
    if (this.#count >= this.#maxStreams || ofWorkspace >= this.#maxStreamsPerWorkspace)
      throw unavailable('There are too many streams; read at intervals instead');
    this.#count += 1;
    this.#countOf.set(workspaceId, ofWorkspace + 1);
    return () => {
      this.#count -= 1;
      const others = (this.#countOf.get(workspaceId) ?? 1) - 1;
      if (others > 0) this.#countOf.set(workspaceId, others);
      else this.#countOf.delete(workspaceId);
    };
  }
}

class EventStream {
  readonly readable: Readable;
  readonly #recheck: () => Promise<void>;
  readonly #heartbeatMs: number;
  /** What was not sent because the client reads too slowly, or because its credential is being checked. */
  readonly #untold = new Set<Topic>();
  #isChecking = false;
  #mustCheckAgain = false;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #beats = 0;
  #unreadBeats = 0;

  constructor({ recheck, heartbeatMs }: { recheck: () => Promise<void>; heartbeatMs: number }) {
    this.#recheck = recheck;
    this.#heartbeatMs = heartbeatMs;
    this.readable = new Readable({ highWaterMark: MAX_UNREAD, read: () => {} });
    this.readable.once('close', () => this.#stop());
  }

  begin(): void {
    this.readable.push(HELLO);
    this.#timer = setInterval(() => this.#beat(), this.#heartbeatMs).unref();
  }

  tell(topics: readonly Topic[]): void {
    for (const topic of topics) this.#untold.add(topic);
    // The change may have taken away the right to know of it.
    if (topics.includes('settings')) void this.#check();
    else this.#send();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#stop();
    // A client that does not read would keep the stream open.
    if (this.readable.readableLength > HELLO.length) this.readable.destroy();
    else this.readable.push(null);
  }

  #stop(): void {
    this.#hasEnded = true;
    clearInterval(this.#timer);
  }

  #beat(): void {
    this.#beats += 1;
    this.#unreadBeats = this.#isFull ? this.#unreadBeats + 1 : 0;
    if (this.#unreadBeats >= MAX_UNREAD_BEATS) {
      this.end();
      return;
    }
    if (this.#beats % BEATS_PER_CHECK === 0) void this.#check();
    if (!this.#isFull) this.readable.push(HEARTBEAT);
    this.#send();
  }

  async #check(): Promise<void> {
    this.#mustCheckAgain = true;
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      while (this.#mustCheckAgain) {
        this.#mustCheckAgain = false;
        await this.#recheck();
      }
      this.#isChecking = false;
      this.#send();
    } catch {
      // Also if it cannot be checked: the client then reads at intervals, and gets the error.
      this.end();
    }
  }

  #send(): void {
    if (this.#untold.size === 0 || this.#isChecking || this.#isFull || this.#hasEnded) return;
    const topics = TOPICS.filter((topic) => this.#untold.has(topic));
    this.#untold.clear();
    this.readable.push(`event: change\ndata: ${JSON.stringify({ topics })}\n\n`);
  }

  get #isFull(): boolean {
    return this.readable.readableLength >= MAX_UNREAD;
  }
}
