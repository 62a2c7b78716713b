/** A proxy in front of the service that injects faults and records requests. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * `lose-reply`: the service processes the request, and the response is lost. `cut`: the connection is closed before the
 * service receives the request. `silence`: there is no response. A status: the proxy itself responds. A delay: the request is
 * held back.
 */
export type Fault =
  | 'lose-reply'
  | 'cut'
  | 'silence'
  | { status: number; retryAfter?: string; text?: string }
  | { delayMs: number };

export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly body: unknown;
}

export interface FaultyProxy {
  readonly url: string;
  readonly requests: ProxiedRequest[];
  /** Faults for the next requests, one each. Null: none. */
  readonly faults: (Fault | null)[];
  /** The fault of a request when `faults` is empty. */
  nextFault: () => Fault | null;
  connectionCount(): number;
  stop(): Promise<void>;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const requests: ProxiedRequest[] = [];
  const faults: (Fault | null)[] = [];
  const server = createServer(async (request, response) => {
    const fault = faults.shift() ?? proxy.nextFault();
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      idempotencyKey: String(request.headers['idempotency-key'] ?? '') || null,
      body: body === '' ? null : JSON.parse(body),
    });
    // A service that is away looks like a connection that is cut.
    handle({ request, response, body, fault, target }).catch(() => request.socket.destroy());
  });
  let connectionCount = 0;
  server.on('connection', () => {
    connectionCount += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${port}`,
    requests,
    faults,
    nextFault: () => null,
    connectionCount: () => connectionCount,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}

async function handle(given: {
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
  fault: Fault | null;
  target: string;
}): Promise<void> {
  const { request, response, body, fault, target } = given;
  if (fault === 'silence') return;
  if (fault === 'cut') {
    request.socket.destroy();
    return;
  }
  if (typeof fault === 'object' && fault !== null && 'delayMs' in fault) await pause(fault.delayMs);
  else if (typeof fault === 'object' && fault !== null) {
    const { status, retryAfter, text = '{"detail":"made up"}' } = fault;
    const headers = {
      'x-request-id': 'made-up-id',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    };
    response.writeHead(status, headers).end(text);
    return;
  }
  const answer = await fetch(`${target}${request.url}`, {
    method: request.method ?? 'GET',
    headers: {
      authorization: request.headers.authorization ?? '',
      ...forwardedHeader(request, 'idempotency-key'),
      ...forwardedHeader(request, 'content-type'),
    },
    body: body === '' ? null : body,
  });
  const text = await answer.text();
  if (fault === 'lose-reply') request.socket.destroy();
  else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
}

function forwardedHeader(request: IncomingMessage, name: string): Record<string, string> {
  const value = request.headers[name];
  return typeof value === 'string' ? { [name]: value } : {};
}
