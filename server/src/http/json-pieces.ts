/**
 * Responses of any size, made piece by piece and only as fast as the client reads. A short one is sent whole, so that it has
 * a length and an ETag.
 */

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { FairLimiter } from '../runtime/fair-limiter.js';

/** Until a response is longer it is collected. */
const WHOLE_LENGTH = 64 * 1024;

/** Each holds a page in memory for as long as its client takes to read it. */
const STREAMS = {
  maxRunning: 64,
  maxRunningPerOwner: 4,
  maxWaiting: 1_000,
  maxWaitingPerOwner: 50,
  maxWaitMs: 10_000,
};

export class JsonPieces {
  readonly #streams = new FairLimiter(STREAMS);

  /** `owner` is the workspace that has these streams: one of them cannot use up those of others. */
  async send(reply: FastifyReply, owner: string, pieces: AsyncGenerator<string>): Promise<FastifyReply> {
    reply.type('application/json; charset=utf-8');
    let begun = '';
    while (begun.length <= WHOLE_LENGTH) {
      const { done, value } = await pieces.next();
      if (done === true) return reply.send(begun);
      begun += value;
    }
    const release = await this.#streams.enter(owner);
    const stream = Readable.from(continued(begun, pieces), { objectMode: true, highWaterMark: 1 });
    stream.once('close', release);
    return reply.send(stream);
  }
}

async function* continued(begun: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield begun;
  yield* rest;
}

/** An array of items that come some at a time. */
export async function* jsonArray<Item>(
  chunks: AsyncIterable<readonly Item[]>,
  toText: (item: Item) => string,
  { before = '[', after = ']' }: { before?: string; after?: string } = {},
): AsyncGenerator<string> {
  let separator = before;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield separator + chunk.map(toText).join(',');
    separator = ',';
  }
  yield separator === before ? before + after : after;
}

/** An object whose values are JSON text already: client data is sent as it is stored, without being parsed. */
export function jsonObject(values: Readonly<Record<string, string>>): string {
  return `{${Object.entries(values)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;
}
