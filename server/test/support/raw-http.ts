/** Bytes over a socket, for requests that no HTTP client would send. */

import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends the bytes and reads one answer; rejects when the connection ends without a whole one. */
export function sendRaw(url: string, request: string | Buffer): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
      const reply = parseReply(received);
      if (reply === null) return;
      resolve(reply);
      socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`The connection ended after: ${received}`)));
  });
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

function parseReply(received: string): RawReply | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [statusLine = '', ...lines] = received.slice(0, headEnd).split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const body = received.slice(headEnd + 4);
  if (body.length < Number(headers.get('content-length') ?? 0)) return null;
  return { status: Number(statusLine.split(' ')[1]), headers, text: body };
}
