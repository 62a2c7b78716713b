/**
 * Large bodies in memory are bounded in bytes, for all clients together and for each workspace. A request beyond that is not
 * read on until there is room: its bytes wait on the client's side of the connection, where they harm only the client. Room
 * is taken when a body turns out to be large, not when one is announced: slow clients do not use it up.
 */

import { type Readable, Transform, type TransformCallback } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { FairLimiter } from '../runtime/fair-limiter.js';
import { ANONYMOUS, LARGE_BODY_BYTES } from './large-body.js';
import type { HttpServer } from './server-types.js';

/** A body takes several times its size until it is stored: as bytes, as text and as values. */
const BODIES = {
  maxRunning: 24 * 1024 * 1024,
  maxRunningPerOwner: 2 * 1024 * 1024,
  maxWaiting: 10_000,
  maxWaitingPerOwner: 1_000,
  maxWaitMs: 10_000,
};

export interface BodyAdmission {
  /** The body stays in memory until `work` settles, also when its client has left: so long it takes room. */
  holdUntil(request: FastifyRequest, work: Promise<unknown>): void;
}

export function admitLargeBodies(server: HttpServer): BodyAdmission {
  const limiter = new FairLimiter(BODIES);
  const bodies = new WeakMap<FastifyRequest, AdmittedBody>();
  server.addHook('preParsing', (request, reply, payload, done) => {
    const bytes = announcedBytes(request);
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
      // A body that was refused before its end is read all the same: the next request of the connection comes after it.
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
    // Whoever reads the body is told by a listener of its own; after that an error is of no interest.
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
      // The client may have left meanwhile.
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

  /** There is no response to be made any more. */
  close(): void {
    this.#isClosed = true;
    this.#releaseUnused();
  }

  #releaseUnused(): void {
    if (this.#isClosed && this.#holds === 0) this.#release?.();
  }
}

/** A length that is not announced may be as long as is permitted. */
function announcedBytes(request: FastifyRequest): number {
  const { headers } = request;
  return headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : bodyLimitOf(request);
}

function bodyLimitOf({ routeOptions }: FastifyRequest): number {
  return routeOptions.bodyLimit ?? 0;
}
