/** Long responses take turns by workspace, and a response that waits for its turn takes no memory. */

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { JsonPieces, type Piece } from '../../src/http/json-pieces.js';

/** More than the buffers of both sockets hold, so that an unread response stays open. */
const PIECE = `"${'x'.repeat(1024 * 1024)}"`;
const PIECES = 12;
const LENGTH = (PIECE.length + 1) * PIECES + 1;

let server: ReturnType<typeof fastify>;
let open: number;
let begun: number;
beforeEach(async () => {
  open = 0;
  begun = 0;
  const pieces = new JsonPieces();
  server = fastify();
  server.get('/long', (_request: FastifyRequest, reply: FastifyReply) =>
    pieces.send(reply, 'workspace', async () => longResponse()),
  );
  await server.listen();
});
afterEach(() => server.close());

async function* longResponse(): AsyncGenerator<Piece> {
  open += 1;
  begun += 1;
  try {
    for (let index = 0; index < PIECES; index += 1) yield `${index === 0 ? '[' : ','}${PIECE}`;
    yield ']';
  } finally {
    open -= 1;
  }
}

/** The response, of which nothing has been read. */
async function ask(): Promise<IncomingMessage> {
  const { port } = server.server.address() as AddressInfo;
  const sent = request({ port, path: '/long', agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function lengthOf(response: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of response) length += (chunk as Buffer).length;
  return length;
}

test('a long response that waits for its turn holds no data, and is complete afterwards', async () => {
  const unread = [await ask(), await ask()];
  const waiting = Array.from({ length: 4 }, ask);
  await expect.poll(() => begun).toBe(6);
  await expect.poll(() => open).toBe(2);
  for (const response of unread) response.destroy();
  const lengths = await Promise.all(waiting.map(async (response) => lengthOf(await response)));
  expect(lengths).toEqual(waiting.map(() => LENGTH));
  await expect.poll(() => open).toBe(0);
});

test('a client that disconnects while it waits for its turn leaves nothing behind', async () => {
  const unread = [await ask(), await ask()];
  const { port } = server.server.address() as AddressInfo;
  const leaving = request({ port, path: '/long', agent: false }).end();
  leaving.on('error', () => {});
  await expect.poll(() => begun).toBe(3);
  leaving.destroy();
  await Promise.all(unread.map(lengthOf));
  const after = await lengthOf(await ask());
  expect(after).toBe(LENGTH);
  await expect.poll(() => open).toBe(0);
});
