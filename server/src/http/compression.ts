/**
 * Answers to reads are compressed for clients that take it. Only reads: the answers with a fresh secret (registration, sign-in,
 * new keys) are to other methods, and a secret must not be compressed beside text that somebody else has chosen.
 *
 * The work is done in the threads of libuv, which passwords are hashed in, too. So only few answers are compressed at a time: one
 * that finds no place is sent as it is and waits for nothing.
 */

import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyReply, onErrorHookHandler, onSendHookHandler } from 'fastify';
import { type HttpServer, isTenantRead } from './server-types.js';

/** Below this, headers and a packet cost more than is saved. */
const MIN_BYTES = 1_024;
/** Half of the threads that libuv has by default. */
const MAX_AT_ONCE = 2;

/** Levels that take about as long as writing the answer did; the next ones gain little. */
const GZIP = { level: 5 };
/** A window of 256 KiB: what a stream holds back, and how much memory it takes, stays small. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

interface Encoding {
  readonly name: 'br' | 'gzip';
  readonly compress: (text: string | Buffer) => Promise<Buffer>;
  readonly stream: () => NodeJS.ReadWriteStream & Readable;
}

/** The better one first. */
const ENCODINGS: readonly Encoding[] = [
  {
    name: 'br',
    compress: (text) => promisify(brotliCompress)(text, BROTLI),
    stream: () => createBrotliCompress(BROTLI),
  },
  { name: 'gzip', compress: (text) => promisify(gzip)(text, GZIP), stream: () => createGzip(GZIP) },
];

/** Register before the routes, and after what looks at their answers. */
export function compressReads(server: HttpServer): void {
  let compressing = 0;

  const compressAnswer: onSendHookHandler<unknown> = (request, reply, payload, done) => {
    const isStream = payload instanceof Readable;
    if (!isStream && !isLongText(payload)) {
      done(null, payload);
      return;
    }
    addVary(reply);
    const encoding = chooseEncoding(request.headers['accept-encoding'] ?? '');
    if (encoding === null || compressing >= MAX_AT_ONCE) {
      done(null, payload);
      return;
    }
    compressing += 1;
    const setEncoding = () => reply.header('content-encoding', encoding.name).removeHeader('content-length');
    if (isStream) {
      setEncoding();
      done(
        null,
        pipeline(payload, encoding.stream(), () => {
          compressing -= 1;
        }),
      );
      return;
    }
    encoding
      .compress(payload)
      .finally(() => {
        compressing -= 1;
      })
      .then((compressed) => {
        setEncoding();
        done(null, compressed);
      }, done);
  };

  server.addHook('onRoute', (route) => {
    if (!isTenantRead(route)) return;
    route.onSend = [...[route.onSend ?? []].flat(), compressAnswer];
    route.onError = [...[route.onError ?? []].flat(), forgetEncoding];
  });
}

/** A stream may fail before anything of it was sent: the error is not compressed. */
const forgetEncoding: onErrorHookHandler = (_request, reply, _error, done) => {
  reply.removeHeader('content-encoding');
  done();
};

function isLongText(payload: unknown): payload is string | Buffer {
  if (typeof payload === 'string') return payload.length >= MIN_BYTES;
  return Buffer.isBuffer(payload) && payload.length >= MIN_BYTES;
}

function addVary(reply: FastifyReply): void {
  const earlier = reply.getHeader('vary');
  reply.header('vary', earlier === undefined ? 'Accept-Encoding' : `${earlier}, Accept-Encoding`);
}

/** The one that the client likes best; the better one of equals. */
function chooseEncoding(header: string): Encoding | null {
  const weights = new Map(header.split(',').map(toWeight));
  const weightOf = ({ name }: Encoding) => weights.get(name) ?? weights.get('*') ?? 0;
  let best: Encoding | null = null;
  for (const encoding of ENCODINGS) {
    if (weightOf(encoding) > (best === null ? 0 : weightOf(best))) best = encoding;
  }
  return best;
}

/** `gzip`, or `gzip;q=0.5`. */
function toWeight(entry: string): [name: string, weight: number] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}
