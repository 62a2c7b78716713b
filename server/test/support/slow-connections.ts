/** Slow connections: the ways in which a client can occupy a server with little traffic. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { rawRequest } from './raw-http.js';

export const SLOW_KINDS = [
  'idle',
  'slow headers',
  'slow body',
  'invalid chunks of an upgrade',
  'replies not read',
] as const;
export type SlowKind = (typeof SLOW_KINDS)[number];

const DRIP_TURNS = 20;

/** The number of connections of each kind. */
export function ofEachKind(count: number): Record<SlowKind, number> {
  return Object.fromEntries(SLOW_KINDS.map((kind) => [kind, count])) as Record<SlowKind, number>;
}

export interface SlowConnections {
  /** How many of them are open, as far as a client that does not read can know. */
  openCount(): number;
  close(): void;
}

export async function openSlowConnections(given: {
  url: string;
  apiKey: string;
  /** Unread replies fill the buffers of the system, several megabytes each. */
  counts: Readonly<Record<SlowKind, number>>;
  dripEveryMs: number;
}): Promise<SlowConnections> {
  const { url, apiKey, counts, dripEveryMs } = given;
  const { hostname, port } = new URL(url);
  const open = new Set<Socket>();
  const dripping: Socket[] = [];
  const starts = SLOW_KINDS.flatMap((kind) =>
    Array.from({ length: counts[kind] }, async () => {
      const socket = connect({ port: Number(port), host: hostname });
      socket.on('error', () => {});
      await once(socket, 'connect');
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      socket.write(firstBytes(kind, apiKey));
      // Without reads, the flow stops when the buffers are full.
      if (kind === 'replies not read') socket.pause();
      else socket.resume();
      if (kind === 'slow headers' || kind === 'slow body') dripping.push(socket);
    }),
  );
  await Promise.all(starts);
  // A few at a time, so that opening them does not keep the sender busy.
  let turn = 0;
  const drip = setInterval(() => {
    turn = (turn + 1) % DRIP_TURNS;
    for (let index = turn; index < dripping.length; index += DRIP_TURNS) {
      const socket = dripping[index];
      if (socket?.writable) socket.write('x');
    }
  }, dripEveryMs / DRIP_TURNS);
  return {
    openCount: () => open.size,
    close: () => {
      clearInterval(drip);
      for (const socket of open) socket.destroy();
    },
  };
}

function firstBytes(kind: SlowKind, apiKey: string): string {
  switch (kind) {
    case 'idle':
      return '';
    case 'slow headers':
      return 'GET /health HTTP/1.1\r\nhost: localhost\r\nx-slow: ';
    case 'slow body':
      return rawRequest('POST /v1/runs/ HTTP/1.1', {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'content-length': 1_000_000,
      });
    // Node.js does not report them, so the request lasts until its time is up.
    case 'invalid chunks of an upgrade':
      return `${rawRequest('POST /v1/runs/ HTTP/1.1', {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        connection: 'upgrade',
        upgrade: 'websocket',
        'transfer-encoding': 'chunked',
      })}zz\r\n`;
    // Far more than the buffers of the system hold.
    case 'replies not read':
      return rawRequest('GET /docs/js/scalar.js HTTP/1.1').repeat(4);
  }
}
