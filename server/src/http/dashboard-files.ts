/** The build of the dashboard, loaded into memory at startup. No other file can be served. */

import { createHash, randomBytes } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type EncodingName } from './compression.js';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const COMPRESSIBLE = new Set(['.css', '.js', '.svg']);
/** The build writes its scripts and style sheets a second time, compressed, with this extension. */
const BROTLI_EXTENSION = '.br';

/** The names of these files contain the hash of their content, so that they never change. */
const HASHED_FOLDER = '/assets/';
const PAGE = '/index.html';
/** The build inserts this where the page needs the nonce of the response. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

const HINT = `<!doctype html>
<html lang="en">
<title>Guarded Runs</title>
<h1>The dashboard is not built yet</h1>
<p>The API works. To see the dashboard here, run <code>npm run build</code> and restart the service.</p>
<p><a href="/docs">API reference</a></p>
`;

interface BuiltFile {
  readonly content: Buffer;
  readonly contentType: string;
  readonly etag: string;
  readonly cacheControl: string;
  /** In order of preference; none for formats that are already compressed. */
  readonly encodings: readonly FileEncoding[];
}

interface FileEncoding {
  readonly name: EncodingName;
  readonly content: () => Buffer;
}

export class DashboardFiles {
  readonly #files: ReadonlyMap<string, BuiltFile>;
  readonly #page: string | null;

  constructor(folder: string) {
    const files = existsSync(folder) ? readFiles(folder) : new Map<string, BuiltFile>();
    this.#page = files.get(PAGE)?.content.toString('utf8') ?? null;
    this.#files = files;
  }

  /** Paths at the root except the page itself, such as the icon. */
  get rootPaths(): string[] {
    return [...this.#files.keys()].filter((path) => path !== PAGE && path.lastIndexOf('/') === 0);
  }

  /** Whether a request without a route is for a page of the dashboard, opened in a browser. */
  isPage({ method, url, headers }: FastifyRequest): boolean {
    if (method !== 'GET' && method !== 'HEAD') return false;
    return headers.accept?.includes('text/html') === true && !/^\/(v1|assets)(\/|$|\?)/.test(url);
  }

  sendPage(reply: FastifyReply): FastifyReply {
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache');
    if (this.#page === null) return reply.code(404).send(HINT);
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', pagePolicy(nonce))
      .send(this.#page.replaceAll(NONCE_PLACEHOLDER, nonce));
  }

  /** Sends the file if it exists. Returns whether it does. */
  sendFile(path: string, request: FastifyRequest, reply: FastifyReply): boolean {
    const file = path === PAGE ? undefined : this.#files.get(path);
    if (file === undefined) return false;
    reply
      .type(file.contentType)
      .header('etag', file.etag)
      .header('cache-control', file.cacheControl)
      .header('vary', 'accept-encoding');
    if (request.headers['if-none-match'] === file.etag) {
      reply.code(304).send();
      return true;
    }
    const encoding = chooseEncoding(request.headers['accept-encoding'] ?? '', file.encodings);
    if (encoding === null) reply.send(file.content);
    else reply.header('content-encoding', encoding.name).send(encoding.content());
    return true;
  }
}

/** Allows scripts from this origin only, and styles from this origin or with the nonce of this response. */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function readFiles(folder: string): Map<string, BuiltFile> {
  const entries: Dirent[] = readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  const contents = new Map(
    names.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [`/${relative(folder, file).split(sep).join('/')}`, readFileSync(file)];
    }),
  );
  return new Map(
    [...contents]
      .filter(([path]) => extname(path) !== BROTLI_EXTENSION)
      .map(([path, content]) => [path, toBuiltFile(path, content, contents.get(path + BROTLI_EXTENSION))]),
  );
}

function toBuiltFile(path: string, content: Buffer, brotli: Buffer | undefined): BuiltFile {
  const extension = extname(path);
  return {
    content,
    contentType: CONTENT_TYPES[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    cacheControl: path.startsWith(HASHED_FOLDER) ? 'public, max-age=31536000, immutable' : 'no-cache',
    encodings: COMPRESSIBLE.has(extension) ? toEncodings(content, brotli) : [],
  };
}

function toEncodings(content: Buffer, brotli: Buffer | undefined): FileEncoding[] {
  // Compressed at the first request.
  let gzipped: Buffer | undefined;
  const gzip: FileEncoding = {
    name: 'gzip',
    content: () => {
      gzipped ??= gzipSync(content);
      return gzipped;
    },
  };
  return brotli === undefined ? [gzip] : [{ name: 'br', content: () => brotli }, gzip];
}
