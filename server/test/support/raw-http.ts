/** Bytes over a socket, for requests that no HTTP client would send. */

import { connect, type Socket } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends the bytes and reads one answer; rejects when the connection ends without a whole one. */
export async function sendRaw(url: string, request: string | Buffer): Promise<RawReply> {
  const connection = new RawConnection(url);
  try {
    connection.write(request);
    return await connection.read();
  } finally {
    connection.close();
  }
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
    // Whoever reads is told; whoever does not read does not care.
    this.#socket.on('error', () => {});
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** Resolves when the system has taken the bytes; rejects when the connection is gone before. */
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

/** A request line, headers and body; Content-Length is only sent when a header says so. */
export function rawRequest(
  requestLine: string,
  headers: Record<string, string | number> = {},
  body = '',
): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${[requestLine, ...lines].join('\r\n')}\r\n\r\n${body}`;
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
  const length = headEnd + 4 + Number(headers.get('content-length') ?? 0);
  if (received.length < length) return null;
  const text = received.slice(headEnd + 4, length);
  return { reply: { status: Number(statusLine.split(' ')[1]), headers, text }, length };
}
