/**
 * Limits the bytes of large bodies in memory, in total and for each workspace. Beyond the limit, a request is not read until
 * there is room, and backpressure keeps its bytes at the client. Room is taken when a large body has arrived in part, not when
 * its length is declared, so slow clients cannot use it up.
 */

import { type Readable, Transform, type TransformCallback } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { FairLimiter } from '../runtime/fair-limiter.js';
import { ANONYMOUS, LARGE_BODY_BYTES } from './large-body.js';
import type { HttpServer } from './server-types.js';

/** Until it is stored, a body takes several times its size: as bytes, as text and as values. */
const BODIES = {
  maxRunning: 24 * 1024 * 1024,
  maxRunningPerOwner: 2 * 1024 * 1024,
  maxWaiting: 10_000,
  maxWaitingPerOwner: 1_000,
  maxWaitMs: 10_000,
};

export interface BodyAdmission {
  /** Keeps the room of a body until `work` settles, even if the client has disconnected: the body is still in memory. */
  holdUntil(request: FastifyRequest, work: Promise<unknown>): void;
}

export function admitLargeBodies(server: HttpServer): BodyAdmission {
  const limiter = new FairLimiter(BODIES);
  const bodies = new WeakMap<FastifyRequest, AdmittedBody>();
  server.addHook('preParsing', (request, reply, payload, done) => {
    const bytes = declaredBytes(request);
    if (bytes <= LARGE_BODY_BYTES || bytes > bodyLimitOf(request)) {
      done(null, payload);
      return;
    }
    const owner = request.principal?.workspaceId ?? ANONYMOUS;
    const source = payload as Readable;
    const admitted = new AdmittedBody(() => limiter.enter(owner, bytes));
    bodies.set(request, admitted);
    reply.raw.once('close', () => {
      admitted.close();
      // The rest of a rejected body is read and discarded: the next request of the connection follows it.
      source.unpipe(admitted);
      source.resume();
    });
    request.raw.once('error', (error) => admitted.destroy(error));
    done(null, source.pipe(admitted));
  });
  return { holdUntil: (request, work) => bodies.get(request)?.holdUntil(work) };
}

class AdmittedBody extends Transform {
  readonly #enter: () => Promise<() => void>;
  #received = 0;
  #release: (() => void) | null = null;
  #isClosed = false;
  #holds = 0;

  constructor(enter: () => Promise<() => void>) {
    super();
    this.#enter = enter;
    // The reader of the body has its own error listener. This one handles errors after the reader has finished.
    this.on('error', () => {});
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#received += chunk.length;
    if (this.#release !== null || this.#received <= LARGE_BODY_BYTES) {
      done(null, chunk);
      return;
    }
    this.#enter().then((release) => {
      this.#release = release;
      // The client may have disconnected in the meantime.
      this.#releaseUnused();
      done(null, chunk);
    }, done);
  }

  holdUntil(work: Promise<unknown>): void {
    this.#holds += 1;
    const end = () => {
      this.#holds -= 1;
      this.#releaseUnused();
    };
    work.then(end, end);
  }

  /** The response has ended. */
  close(): void {
    this.#isClosed = true;
    this.#releaseUnused();
  }

  #releaseUnused(): void {
    if (this.#isClosed && this.#holds === 0) this.#release?.();
  }
}

/** A body without a declared length may be as long as the limit allows. */
function declaredBytes(request: FastifyRequest): number {
  const { headers } = request;
  return headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : bodyLimitOf(request);
}

function bodyLimitOf({ routeOptions }: FastifyRequest): number {
  return routeOptions.bodyLimit ?? 0;
}
