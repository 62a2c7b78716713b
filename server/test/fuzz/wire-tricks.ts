/**
 * Requests that no HTTP client would send, as bytes. Each trick takes an ordinary request and modifies its framing: lines,
 * lengths, methods, targets.
 */

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface WireTrick {
  readonly name: string;
  readonly bytes: (request: WireRequest) => Buffer;
  /** The server still waits for more when everything is sent: the sender then closes the connection. */
  readonly isCut?: boolean;
  /** The target or method is changed, so the answer is not that of the operation. */
  readonly isOther?: boolean;
}

interface Changes {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  /** Raw lines after the ordinary headers. */
  readonly lines?: readonly string[];
  /** Instead of Content-Length. */
  readonly framing?: readonly string[];
  readonly endOfLine?: string;
  readonly body?: Buffer;
  readonly host?: readonly string[];
  readonly connection?: readonly string[];
}

export const WIRE_TRICKS: readonly WireTrick[] = [
  ...withLines('headers', [
    ['x-folded: a\r\n b'],
    ['x-folded: a\r\n\tauthorization: Bearer x'],
    ['x-space : before the colon'],
    [' x-leading: space'],
    [': no name'],
    ['no colon'],
    ['x-nul: a\0b'],
    ['x-control: a\x01b\x7f'],
    ['x-bytes: \x80\xff\xfe'],
    ['x-bare-lf: a\nx-smuggled: b'],
    ['x-bare-cr: a\rx-smuggled: b'],
    [`x-huge: ${'y'.repeat(20_000)}`],
    Array.from({ length: 1_500 }, (_, index) => `x-${index}: y`),
    ['authorization: Bearer garbage'],
    ['authorization:'],
    ['content-type: text/plain'],
    ['content-type: application/json; charset=\xff'],
    ['idempotency-key: \xe4\xf6\xfc\x80'],
    ['idempotency-key: one', 'idempotency-key: two'],
    ['idempotency-key: a\0b'],
    ['x-request-id: one', 'x-request-id: two'],
    ['__proto__: x', 'constructor: y', 'prototype: z'],
    ['expect: 100-continue'],
    ['expect: 100-continue', 'expect: 100-continue'],
    ['expect: 100-CONTINUE, x'],
    ['x-forwarded-for: \xff\xfe', 'x-forwarded-for: 1', 'forwarded: ;;;'],
    ['cookie: a=b', 'cookie: \xff'],
  ]),
  ...[
    ['host: a', 'host: b'],
    ['host: '],
    ['host: a b'],
    ['host: \xff'],
    ['host: localhost:99999'],
    ['host: [::1'],
    ['HOST: user:password@localhost'],
    [],
  ].map((host) => trick(`host ${JSON.stringify(host)}`, { host })),
  ...[
    ['connection: upgrade', 'upgrade: websocket', 'sec-websocket-key: x', 'sec-websocket-version: 13'],
    ['connection: Upgrade, HTTP2-Settings', 'upgrade: h2c', 'http2-settings: AAMAAABkAAQAAP__'],
    ['connection: close, keep-alive, upgrade', 'upgrade: \xff'],
    ['connection: authorization'],
    ['connection: '],
    ['proxy-connection: keep-alive', 'keep-alive: timeout=0, max=0'],
  ].map((connection) => trick(`connection ${JSON.stringify(connection)}`, { connection })),
  ...framings(),
  ...[
    '*',
    'localhost:80',
    'http://evil.example/v1/runs/',
    'http://',
    'http://[::1/',
    'https://user:password@localhost/v1/workspace/',
    'ftp://localhost/health',
    '//health',
    '/\\health',
    '/v1/../health',
    '/health#fragment',
    '/health?#',
    '/health;x=y',
    '/heal\xfft\xe4h',
    '/v1/users/\xed\xa0\x80/block',
    '/health\0',
    '/he alth',
    '/health?a[]=1&a[__proto__]=2&__proto__=3&constructor=4',
    `/health?${'a=1&'.repeat(3_000)}`,
    `/${'x'.repeat(20_000)}`,
    '?',
    'health',
    '',
  ].map((target) => trick(`target ${JSON.stringify(target.slice(0, 60))}`, { target, isOther: true })),
  ...[
    'TRACE',
    'CONNECT',
    'OPTIONS',
    'PROPFIND',
    'M-SEARCH',
    'LINK',
    'QUERY',
    'FOO',
    'get',
    'Get',
    'PRI',
    'GET\t',
    '\xff',
    '',
    'X'.repeat(5_000),
  ].map((method) => trick(`method ${JSON.stringify(method.slice(0, 60))}`, { method, isOther: true })),
  ...[
    'HTTP/1.0',
    'HTTP/0.9',
    'HTTP/2.0',
    'HTTP/1.2',
    'HTTP/9.9',
    'http/1.1',
    'HTTP/1.1 x',
    'ICY/1.1',
    '',
  ].map((version) => trick(`version ${JSON.stringify(version)}`, { version })),
  trick('lines that end in LF', { endOfLine: '\n' }),
  trick('lines that end in CR', { endOfLine: '\r', isCut: true }),
  { name: 'empty lines before it', bytes: (request) => join('\r\n\r\n', toBytes(request)) },
  { name: 'no HTTP at all', bytes: () => Buffer.from('hello\r\n\r\n'), isOther: true },
  { name: 'TLS', bytes: () => Buffer.from('16030100a5010000a10303', 'hex'), isOther: true, isCut: true },
  {
    name: 'the preface of HTTP/2',
    bytes: () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    isOther: true,
  },
  {
    name: 'a head without an end',
    bytes: ({ method, path }) => Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: x\r\nx-y: z`, 'latin1'),
    isCut: true,
  },
  { name: 'nothing', bytes: () => Buffer.alloc(0), isCut: true, isOther: true },
];

export function toBytes(request: WireRequest, changes: Changes = {}): Buffer {
  const {
    method = request.method,
    target = request.path,
    version = 'HTTP/1.1',
    endOfLine = '\r\n',
  } = changes;
  const body = changes.body ?? request.body;
  const lines = [
    `${method} ${target} ${version}`,
    ...(changes.host ?? ['host: localhost']),
    ...(changes.connection ?? ['connection: close']),
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    ...(changes.framing ?? (body.length === 0 ? [] : [`content-length: ${body.length}`])),
    ...(changes.lines ?? []),
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join(endOfLine), 'latin1'), body]);
}

function trick(name: string, { isCut, isOther, ...changes }: Changes & Partial<WireTrick>): WireTrick {
  return {
    name,
    bytes: (request) => toBytes(request, changes),
    ...(isCut === undefined ? {} : { isCut }),
    ...(isOther === undefined ? {} : { isOther }),
  };
}

function withLines(name: string, lists: readonly (readonly string[])[]): WireTrick[] {
  return lists.map((lines) => trick(`${name} ${JSON.stringify(lines.slice(0, 3)).slice(0, 100)}`, { lines }));
}

/** Lengths and chunks that are wrong, contradict each other or never end. */
function framings(): WireTrick[] {
  const chunked = ['transfer-encoding: chunked'];
  const framed = (name: string, framing: readonly string[], isCut = false): WireTrick =>
    trick(`framing ${name}`, { framing, isCut });
  const inChunks = (name: string, body: (text: Buffer) => Buffer, isCut = false): WireTrick => ({
    name: `chunks ${name}`,
    bytes: (request) => toBytes(request, { framing: chunked, body: body(request.body) }),
    isCut,
  });
  return [
    {
      name: 'the same length twice',
      bytes: (request) => {
        const line = `content-length: ${request.body.length}`;
        return toBytes(request, { framing: [line, line] });
      },
    },
    framed('two lengths', ['content-length: 0', 'content-length: 5']),
    framed('a list of lengths', ['content-length: 1, 2']),
    framed('a negative length', ['content-length: -1']),
    framed('a signed length', ['content-length: +2']),
    framed('a length in hex', ['content-length: 0x2']),
    framed('a length beyond 2^64', ['content-length: 99999999999999999999999']),
    framed('a length without a number', ['content-length:']),
    framed('a length of ten gigabytes', ['content-length: 10000000000'], true),
    framed('a length that is too long by far', ['content-length: 65536'], true),
    framed('no length', []),
    framed('chunks and a length', [...chunked, 'content-length: 2']),
    framed('a length and chunks', ['content-length: 2', ...chunked]),
    framed('chunks twice', [...chunked, ...chunked], true),
    framed('chunked, identity', ['transfer-encoding: chunked, identity']),
    framed('identity, chunked', ['transfer-encoding: identity, chunked'], true),
    framed('xchunked', ['transfer-encoding: xchunked']),
    framed('a folded encoding', ['transfer-encoding:\r\n chunked'], true),
    framed('a tab before chunked', ['transfer-encoding:\tchunked'], true),
    framed('gzip, chunked', ['transfer-encoding: gzip, chunked'], true),
    inChunks('as they should be', (body) => chunksOf(body)),
    inChunks('of one byte', (body) =>
      Buffer.concat([...body].map((_, index) => chunkOf(body.subarray(index, index + 1))).concat(LAST_CHUNK)),
    ),
    inChunks('with extensions', (body) =>
      join(`${body.length.toString(16)};a="b";c\r\n`, body, '\r\n0;x\r\n\r\n'),
    ),
    inChunks('with trailers', (body) =>
      join(`${body.length.toString(16)}\r\n`, body, '\r\n0\r\nauthorization: x\r\n\r\n'),
    ),
    inChunks('with a huge extension', (body) =>
      join(`${body.length.toString(16)};${'x'.repeat(20_000)}\r\n`, body, '\r\n0\r\n\r\n'),
    ),
    inChunks('with a size beyond 2^64', () => Buffer.from('fffffffffffffffff\r\nx')),
    inChunks('with a size that is no number', () => Buffer.from('zz\r\nx\r\n')),
    inChunks('with a negative size', () => Buffer.from('-1\r\nx\r\n')),
    inChunks('with LF', (body) => join(`${body.length.toString(16)}\n`, body, '\n0\n\n'), true),
    inChunks('that never end', (body) => join(`${(body.length + 9).toString(16)}\r\n`, body), true),
    {
      name: 'a second request behind it',
      bytes: (request) => join(toBytes(request), 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n'),
    },
    {
      name: 'a second request in a body that is not announced',
      bytes: (request) =>
        toBytes(request, {
          framing: ['content-length: 0', ...chunked],
          body: Buffer.from('0\r\n\r\nDELETE /v1/runs/ HTTP/1.1\r\nhost: x\r\n\r\n'),
        }),
    },
  ];
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n');

function chunkOf(bytes: Buffer): Buffer {
  return join(`${bytes.length.toString(16)}\r\n`, bytes, '\r\n');
}

function chunksOf(body: Buffer): Buffer {
  return body.length === 0 ? LAST_CHUNK : join(chunkOf(body), LAST_CHUNK);
}

function join(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
}
