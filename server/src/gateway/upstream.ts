/** The connections to one provider: only to its origin, bounded, and without following redirects. */

import type { Readable } from 'node:stream';
import { Pool } from 'undici';
import type { RawHeaders } from './forwarded-headers.js';
import { badGateway } from './gateway-error.js';

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  readonly headers: string[];
  readonly body: Buffer | null;
  /** Aborts the request, at any time. */
  readonly signal: AbortSignal;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly rawHeaders: RawHeaders;
  readonly body: Readable;
}

/** The request may have reached the provider, which may bill it. */
export class LostAnswerError extends Error {}

const CONNECT_TIMEOUT_MS = 10_000;
/** As long as the SDKs of the providers wait: models may think for minutes before their first byte. */
const SILENCE_TIMEOUT_MS = 600_000;

/** No byte of the request was sent. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
]);
const TLS_ERROR = /^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

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

  /** Throws GatewayError if nothing was sent, and LostAnswerError if the provider may have got the request. */
  async send({ method, path, headers, body, signal }: UpstreamRequest): Promise<UpstreamAnswer> {
    try {
      const answer = await this.#pool.request({
        method,
        path,
        headers,
        body,
        signal,
        responseHeaders: 'raw',
      });
      // With `raw`, undici returns a list of names and values.
      return {
        status: answer.statusCode,
        rawHeaders: answer.headers as unknown as RawHeaders,
        body: answer.body,
      };
    } catch (error) {
      if (signal.aborted) throw new LostAnswerError('The request was aborted', { cause: error });
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (NEVER_SENT.has(code) || TLS_ERROR.test(code))
        throw badGateway('The provider cannot be reached', error);
      throw new LostAnswerError(`The provider did not answer (${code || 'unknown error'})`, { cause: error });
    }
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
