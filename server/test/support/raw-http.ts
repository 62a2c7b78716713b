/** Bytes over a socket, for requests that no HTTP client would send. */

import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends the bytes and reads one answer; rejects when the connection ends without a complete one. */
export async function sendRaw(url: string, request: string | Buffer): Promise<RawReply> {
  const connection = new RawConnection(url);
  try {
    connection.write(request);
    return await connection.read();
  } finally {
    connection.close();
  }
}

export interface RawExchange {
  /** In order; interim ones (1xx) are left out. */
  readonly replies: readonly RawReply[];
  /** Whether the server closed the connection. */
  readonly isEnded: boolean;
}

/**
 * Sends the bytes and reads until the server has closed the connection, or has answered and keeps it. `isCut`: the sender
 * closes its side right after the bytes. Rejects when neither happens in time: then the connection hangs.
 */
export function exchangeRaw(
  url: string,
  bytes: Buffer,
  { timeoutMs, isCut = false }: { timeoutMs: number; isCut?: boolean },
): Promise<RawExchange> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let received = '';
    const finish = (isEnded: boolean) => {
      clearTimeout(deadline);
      socket.destroy();
      resolve({ replies: parseReplies(received), isEnded });
    };
    const deadline = setTimeout(() => {
      socket.destroy();
      reject(new Error(`The connection was neither answered nor ended; received: ${received}`));
    }, timeoutMs);
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
      const last = parseReplies(received).at(-1);
      if (last !== undefined && last.headers.get('connection') !== 'close') finish(false);
    });
    // A server that refuses may close the connection while the request is still being sent.
    socket.on('error', () => {});
    socket.on('close', () => finish(true));
    if (isCut) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** One connection for several requests. */
export class RawConnection {
  readonly #socket: Socket;
  #received = '';

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (chunk) => {
      this.#received += chunk;
    });
    // A pending read rejects; without one the error does not matter.
    this.#socket.on('error', () => {});
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** Resolves when the system has accepted the bytes; rejects when the connection closes before. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** The next answer. */
  async read(): Promise<RawReply> {
    for (;;) {
      const parsed = parseReply(this.#received);
      if (parsed !== null) {
        this.#received = this.#received.slice(parsed.length);
        return parsed.reply;
      }
      await this.#moreData();
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  #moreData(): Promise<void> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error(`The connection ended after: ${this.#received}`));
      if (this.#socket.destroyed) ended();
      this.#socket.once('close', ended);
      this.#socket.once('data', () => {
        this.#socket.off('close', ended);
        resolve();
      });
    });
  }
}

/** A request line, headers and body; Content-Length is sent only if it is among the headers. */
export function rawRequest(
  requestLine: string,
  headers: Record<string, string | number> = {},
  body = '',
): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${[requestLine, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

function parseReplies(received: string): RawReply[] {
  const replies: RawReply[] = [];
  let rest = received;
  for (let parsed = parseReply(rest); parsed !== null; parsed = parseReply(rest)) {
    if (parsed.reply.status >= 200) replies.push(parsed.reply);
    rest = rest.slice(parsed.length);
  }
  return replies;
}

function parseReply(received: string): { reply: RawReply; length: number } | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = received.slice(0, headEnd).split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const body = headers.has('transfer-encoding')
    ? readChunks(received, headEnd + 4)
    : readLength(received, headEnd + 4, Number(headers.get('content-length') ?? 0));
  if (body === null) return null;
  const text = unpack(Buffer.from(body.text, 'latin1'), headers.get('content-encoding')).toString('latin1');
  return { reply: { status: Number(statusLine.split(' ')[1]), headers, text }, length: body.end };
}

/** A body and its end; null while a part of it is missing. */
type RawBody = { readonly text: string; readonly end: number } | null;

function readLength(received: string, start: number, length: number): RawBody {
  const end = start + length;
  return received.length < end ? null : { text: received.slice(start, end), end };
}

function readChunks(received: string, start: number): RawBody {
  let text = '';
  for (let at = start; ; ) {
    const lineEnd = received.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const chunkStart = lineEnd + 2;
    const chunkEnd = chunkStart + Number.parseInt(received.slice(at, lineEnd), 16);
    if (received.length < chunkEnd + 2) return null;
    if (chunkEnd === chunkStart) return { text, end: chunkEnd + 2 };
    text += received.slice(chunkStart, chunkEnd);
    at = chunkEnd + 2;
  }
}

/** The decompressed body. */
export function unpack(bytes: Buffer, encoding: string | null | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
}
