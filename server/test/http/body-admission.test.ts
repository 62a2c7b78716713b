/** A body counts for as long as it is in memory, even after its client has disconnected. */

import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { admitLargeBodies } from '../../src/http/body-admission.js';
import type { HttpServer } from '../../src/http/server-types.js';

const BODY = Buffer.alloc(1024 * 1024, ' ');
/** The limit of one workspace: 2 MiB. */
const PLACES = 2;

let server: HttpServer;
/** Functions that end the work on each body that has arrived. */
let arrived: (() => void)[];
let seen: number;
let left: number;
beforeEach(async () => {
  arrived = [];
  seen = 0;
  left = 0;
  server = fastify({ bodyLimit: BODY.length }) as unknown as HttpServer;
  const admission = admitLargeBodies(server);
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (given: FastifyRequest, _body: Buffer, done) => {
    const work = new Promise<void>((resolve) => arrived.push(resolve));
    admission.holdUntil(given, work);
    work.then(() => done(null, null), done);
  });
  server.post('/', async () => 'done');
  server.get('/', async () => 'done');
  server.addHook('onRequest', (_request, reply, done) => {
    seen += 1;
    reply.raw.once('close', () => {
      left += 1;
    });
    done();
  });
  await server.listen();
});
afterEach(async () => {
  for (const end of arrived) end();
  await server.close();
});

function upload(): ClientRequest {
  const { port } = server.server.address() as AddressInfo;
  const sent = request({
    port,
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    agent: false,
  });
  sent.on('error', () => {});
  return sent.end(BODY);
}

test('a body whose client has disconnected counts until it is out of memory', async () => {
  const leaving = Array.from({ length: PLACES }, upload);
  await expect.poll(() => arrived.length).toBe(PLACES);
  for (const sent of leaving) sent.destroy();
  await expect.poll(() => left).toBe(PLACES);
  const next = upload();
  const answered = once(next, 'response');
  await expect.poll(() => seen).toBe(PLACES + 1);
  // By then more than its first chunk would have been read.
  await fetch(`http://localhost:${(server.server.address() as AddressInfo).port}/`);
  expect(arrived).toHaveLength(PLACES);
  for (const end of arrived) end();
  await expect.poll(() => arrived.length).toBe(PLACES + 1);
  for (const end of arrived) end();
  await answered;
});
