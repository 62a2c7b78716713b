/**
 * Sends responses of any size, generated piece by piece and only as fast as the client reads. A short response is sent as a
 * whole, so that it has a Content-Length and an ETag.
 */

import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { FairLimiter } from '../runtime/fair-limiter.js';
import { LoadShare } from '../runtime/load-share.js';

/** Text, or text that is already encoded as UTF-8. */
export type Piece = string | Uint8Array;

/** Responses up to this length are buffered and sent as a whole. */
const MAX_BUFFERED_LENGTH = 64 * 1024;

/** Each stream holds a page in memory until its client has read it. */
const STREAMS = {
  maxRunning: 64,
  maxRunningPerOwner: 2,
  maxWaiting: 1_000,
  maxWaitingPerOwner: 50,
  maxWaitMs: 10_000,
};

/** The rate of all streams of one workspace together: sending uses the main thread, which all requests share. */
const CHARACTERS_PER_MS = 25_000;
const CHARACTERS_PER_MS_WHILE_BUSY = 5_000;

export class JsonPieces {
  readonly #streams = new FairLimiter(STREAMS);
  readonly #load = new LoadShare({ max: 1 });
  /** When the next piece of each workspace may be sent. */
  readonly #nextAt = new Map<string, number>();

  /**
   * `owner` is the workspace whose limit the stream counts towards. `read` starts the response. A long response that has to
   * wait for its turn is discarded and started again, so that it holds no memory while it waits.
   */
  async send(
    reply: FastifyReply,
    owner: string,
    read: () => Promise<AsyncGenerator<Piece>>,
  ): Promise<FastifyReply> {
    if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8');
    const response = await readStart(await read());
    if (response.rest === null) return reply.send(join(response.head));
    const release = this.#streams.tryEnter(owner);
    if (release !== null) return this.#stream(reply, owner, { ...response, release });
    await response.rest.return(undefined);
    return this.#sendInTurn(reply, owner, read);
  }

  async #sendInTurn(
    reply: FastifyReply,
    owner: string,
    read: () => Promise<AsyncGenerator<Piece>>,
  ): Promise<FastifyReply> {
    const release = await this.#streams.enter(owner);
    try {
      // The client may have disconnected while it waited.
      if (!reply.raw.destroyed) return this.#stream(reply, owner, { head: [], rest: await read(), release });
    } catch (error) {
      release();
      throw error;
    }
    release();
    return reply.hijack();
  }

  #stream(
    reply: FastifyReply,
    owner: string,
    { head, rest, release }: ResponseStart & { readonly release: () => void },
  ): FastifyReply {
    const stream = Readable.from(this.#pieces(owner, head, rest), { objectMode: true, highWaterMark: 1 });
    stream.once('close', release);
    reply.raw.once('close', () => stream.destroy());
    return reply.send(stream);
  }

  /** Waits before it reads the next page, so that it holds no page in memory while it waits. */
  async *#pieces(
    owner: string,
    head: readonly Piece[],
    rest: AsyncGenerator<Piece> | null,
  ): AsyncGenerator<Piece> {
    yield* head;
    if (rest === null) return;
    for await (const piece of rest) {
      yield piece;
      await this.#pace(owner, piece.length);
    }
  }

  async #pace(owner: string, length: number): Promise<void> {
    const now = performance.now();
    const sendAt = Math.max(now, this.#nextAt.get(owner) ?? now);
    const pace = this.#load.isBusy ? CHARACTERS_PER_MS_WHILE_BUSY : CHARACTERS_PER_MS;
    this.#nextAt.set(owner, sendAt + length / pace);
    if (sendAt > now) await setTimeout(sendAt - now);
    // Times in the past have no effect any more.
    for (const [name, at] of this.#nextAt) if (at <= now) this.#nextAt.delete(name);
  }
}

interface ResponseStart {
  readonly head: readonly Piece[];
  /** null: the response is complete. */
  readonly rest: AsyncGenerator<Piece> | null;
}

async function readStart(pieces: AsyncGenerator<Piece>): Promise<ResponseStart> {
  const head: Piece[] = [];
  for (let length = 0; length <= MAX_BUFFERED_LENGTH; ) {
    const { done, value } = await pieces.next();
    if (done === true) return { head, rest: null };
    head.push(value);
    length += value.length;
  }
  return { head, rest: pieces };
}

function join(pieces: readonly Piece[]): string | Buffer {
  return pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('')
    : Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

/** Generates a JSON array from chunks of items. */
export async function* jsonArray<Item>(
  chunks: AsyncIterable<readonly Item[]>,
  toPieces: (item: Item) => Piece | readonly Piece[],
  { before = '[', after = ']' }: { before?: string; after?: string } = {},
): AsyncGenerator<Piece> {
  let text = before;
  let isFirst = true;
  for await (const chunk of chunks) {
    for (const item of chunk) {
      if (!isFirst) text += ',';
      isFirst = false;
      for (const piece of [toPieces(item)].flat()) {
        if (typeof piece === 'string') {
          text += piece;
        } else {
          yield text;
          yield piece as Uint8Array;
          text = '';
        }
      }
    }
    if (text !== '') yield text;
    text = '';
  }
  yield text + after;
}

/** Builds a JSON object from values that are already JSON text: client data is sent as it is stored, without parsing it. */
export function jsonObject(values: Readonly<Record<string, string>>): string {
  return `{${Object.entries(values)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;
}
