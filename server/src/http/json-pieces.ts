/**
 * Responses of any size, made piece by piece and only as fast as the client reads. A short one is sent whole, so that it has
 * a length and an ETag.
 */

import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { FairLimiter } from '../runtime/fair-limiter.js';
import { LoadShare } from '../runtime/load-share.js';

/** Text, or UTF-8 that is text already. */
export type Piece = string | Uint8Array;

/** Until a response is longer it is collected. */
const WHOLE_LENGTH = 64 * 1024;

/** Each holds a page in memory for as long as its client takes to read it. */
const STREAMS = {
  maxRunning: 64,
  maxRunningPerOwner: 2,
  maxWaiting: 1_000,
  maxWaitingPerOwner: 50,
  maxWaitMs: 10_000,
};

/** Of the streams of one workspace together: sending takes time of the thread that all requests share. */
const CHARACTERS_PER_MS = 25_000;
const CHARACTERS_PER_MS_WHILE_BUSY = 5_000;

export class JsonPieces {
  readonly #streams = new FairLimiter(STREAMS);
  readonly #load = new LoadShare({ max: 1 });
  /** By workspace, when the next piece may be sent. */
  readonly #nextAt = new Map<string, number>();

  /**
   * `owner` is the workspace that has these streams: one of them cannot use up those of others. `read` begins the response; a
   * long one that has to wait for its turn holds nothing meanwhile, and is begun again.
   */
  async send(
    reply: FastifyReply,
    owner: string,
    read: () => Promise<AsyncGenerator<Piece>>,
  ): Promise<FastifyReply> {
    reply.type('application/json; charset=utf-8');
    const response = await begin(await read());
    if (response.rest === null) return reply.send(joined(response.begun));
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
      // The client may have left while it waited.
      if (!reply.raw.destroyed) return this.#stream(reply, owner, { begun: [], rest: await read(), release });
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
    { begun, rest, release }: Begun & { readonly release: () => void },
  ): FastifyReply {
    const stream = Readable.from(this.#pieces(owner, begun, rest), { objectMode: true, highWaterMark: 1 });
    stream.once('close', release);
    reply.raw.once('close', () => stream.destroy());
    return reply.send(stream);
  }

  /** Waits before it reads on, and not with a page in memory. */
  async *#pieces(
    owner: string,
    begun: readonly Piece[],
    rest: AsyncGenerator<Piece> | null,
  ): AsyncGenerator<Piece> {
    yield* begun;
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
    // What lies in the past slows nothing down.
    for (const [name, at] of this.#nextAt) if (at <= now) this.#nextAt.delete(name);
  }
}

interface Begun {
  readonly begun: readonly Piece[];
  /** null: there is no more. */
  readonly rest: AsyncGenerator<Piece> | null;
}

async function begin(pieces: AsyncGenerator<Piece>): Promise<Begun> {
  const begun: Piece[] = [];
  for (let length = 0; length <= WHOLE_LENGTH; ) {
    const { done, value } = await pieces.next();
    if (done === true) return { begun, rest: null };
    begun.push(value);
    length += value.length;
  }
  return { begun, rest: pieces };
}

function joined(pieces: readonly Piece[]): string | Buffer {
  return pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('')
    : Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

/** An array of items that come some at a time. */
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

/** An object whose values are JSON text already: client data is sent as it is stored, without being parsed. */
export function jsonObject(values: Readonly<Record<string, string>>): string {
  return `{${Object.entries(values)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;
}
