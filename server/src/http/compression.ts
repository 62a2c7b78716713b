/**
 * Compresses responses to reads for clients that accept it. Responses with a new secret (registration, sign-in, new keys) are
 * never compressed, because compressing a secret together with text from an attacker can reveal it (BREACH). They belong to
 * other methods.
 *
 * Compression runs in the libuv thread pool, which also hashes passwords. So only few responses are compressed at a time; the
 * others are sent uncompressed, without waiting.
 */

import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyReply, onErrorHookHandler, onSendHookHandler } from 'fastify';
import { type HttpServer, isTenantRead } from './server-types.js';

/** Compressing smaller responses saves less than it costs. */
const MIN_BYTES = 1_024;
/** Half of libuv's default number of threads. */
const MAX_AT_ONCE = 2;

/** A level that takes about as long as serializing the response; higher levels gain little. */
const GZIP = { level: 5 };
/** A window of 256 KiB limits the memory of a stream and how much output it delays. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

export type EncodingName = 'br' | 'gzip';

interface Encoding {
  readonly name: EncodingName;
  readonly compress: (text: string | Buffer) => Promise<Buffer>;
  readonly stream: () => NodeJS.ReadWriteStream & Readable;
}

/** In order of preference. */
const ENCODINGS: readonly Encoding[] = [
  {
    name: 'br',
    compress: (text) => promisify(brotliCompress)(text, BROTLI),
    stream: () => createBrotliCompress(BROTLI),
  },
  { name: 'gzip', compress: (text) => promisify(gzip)(text, GZIP), stream: () => createGzip(GZIP) },
];

/** Register before the routes, and after hooks that read the uncompressed response. */
export function compressReads(server: HttpServer): void {
  let compressing = 0;

  const compressResponse: onSendHookHandler<unknown> = (request, reply, payload, done) => {
    const isStream = payload instanceof Readable;
    if (!isStream && !isLongText(payload)) {
      done(null, payload);
      return;
    }
    addVary(reply);
    const encoding = chooseEncoding(request.headers['accept-encoding'] ?? '', ENCODINGS);
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
    route.onSend = [...[route.onSend ?? []].flat(), compressResponse];
    route.onError = [...[route.onError ?? []].flat(), removeEncoding];
  });
}

/** If a stream fails before anything was sent, the error response is sent uncompressed. */
const removeEncoding: onErrorHookHandler = (_request, reply, _error, done) => {
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

/** Returns the offered encoding that the client gives the highest weight; among equals, the first. */
export function chooseEncoding<Encoding extends { readonly name: EncodingName }>(
  header: string,
  offered: readonly Encoding[],
): Encoding | null {
  const weights = new Map(header.split(',').map(toWeight));
  const weightOf = ({ name }: Encoding) => weights.get(name) ?? weights.get('*') ?? 0;
  let best: Encoding | null = null;
  for (const encoding of offered) {
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
