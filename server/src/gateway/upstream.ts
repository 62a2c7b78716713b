/** The connections to one provider: only to its origin, bounded, and without following redirects. */

import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import { lengthOf } from './call-request.js';
import type { RawHeaders } from './forwarded-headers.js';

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  readonly headers: readonly string[];
  /** Emptied while it is sent. */
  readonly body: Buffer[];
  /** Aborts the request, at any time. */
  readonly signal: AbortSignal;
  /** Called when the provider begins to get the body: from then on, it may bill the call. */
  readonly onSending: () => void;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly rawHeaders: RawHeaders;
  readonly body: Readable;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** As long as the SDKs of the providers wait: models may think for minutes before their first byte. */
const SILENCE_TIMEOUT_MS = 600_000;

export class Upstream {
  readonly #pool: Pool;

  constructor({ origin, maxConnections }: { origin: string; maxConnections: number }) {
    this.#pool = new Pool(origin, {
      connections: maxConnections,
      pipelining: 1,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: SILENCE_TIMEOUT_MS,
      bodyTimeout: SILENCE_TIMEOUT_MS,
    });
  }

  async send({ method, path, headers, body, signal, onSending }: UpstreamRequest): Promise<UpstreamAnswer> {
    const length = lengthOf(body);
    const answer = await this.#pool.request({
      method,
      path,
      signal,
      responseHeaders: 'raw',
      headers: length === 0 ? [...headers] : [...headers, 'content-length', String(length)],
      // undici takes iterables, although its types do not say so.
      body: length === 0 ? null : (inTurn(body, onSending) as unknown as Readable),
    });
    // With `raw`, undici returns a list of names and values.
    const rawHeaders = answer.headers as unknown as RawHeaders;
    return { status: answer.statusCode, rawHeaders, body: answer.body };
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/**
 * undici keeps what it is given until the answer ends, which may take minutes: so the list is emptied. It asks for the first
 * piece when there is a connection.
 */
async function* inTurn(body: Buffer[], onSending: () => void): AsyncGenerator<Buffer> {
  onSending();
  body.reverse();
  for (let piece = body.pop(); piece !== undefined; piece = body.pop()) yield piece;
}
