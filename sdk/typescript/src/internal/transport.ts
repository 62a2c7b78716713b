/** Sends all requests, with a timeout per attempt and retries according to the retry policy. */

import {
  type ApiError,
  ConnectionFailedError,
  GuardedRunsError,
  InvalidResponseError,
  RequestTimedOutError,
  toApiError,
} from '../errors.js';
import { newIdempotencyKey } from './idempotency-key.js';
import type { Log } from './log.js';
import { pause } from './pause.js';
import { type Replay, retryDelayMs } from './retry-policy.js';
import { VERSION } from './version.js';
import { fromWire, toWire } from './wire.js';

export interface TransportOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Timeout of a single attempt. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: typeof fetch;
  readonly log: Log;
}

export interface RequestOptions {
  /** Aborts the request. The service may still process a request that was already sent. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of a single attempt. Overrides the option of the client. */
  readonly timeoutMs?: number | undefined;
  /** Overrides the option of the client. */
  readonly maxRetries?: number | undefined;
  /** Writes with the same key have one effect and the same response. Default: a new key for each call. */
  readonly idempotencyKey?: string | undefined;
  /** Called with the response to every attempt that has one. Its body is read by the client. */
  readonly onResponse?: ((response: Pick<Response, 'status' | 'headers'>) => void) | undefined;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly replay: Replay;
  readonly options?: RequestOptions | undefined;
  /** Whether the body of a response is one of the service. Default: any object. */
  readonly isReply?: ((body: unknown) => boolean) | undefined;
}

interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The abort reason of a timeout. Its identity distinguishes it from an abort by the caller. */
const TIMED_OUT = Symbol('timed out');

/** Error codes of connections that failed before the request was sent, in Node.js, Bun and Deno. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'FailedToOpenSocket',
]);

export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** Returns the parsed body of the response. */
  async send<Reply>(request: ApiRequest): Promise<Reply> {
    const maxRetries = request.options?.maxRetries ?? this.#options.maxRetries;
    const prepared = this.#prepare(request);
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt<Reply>(prepared, request);
      } catch (error) {
        const { replay } = request;
        const delayMs = retryDelayMs({ error, replay, attempt, maxRetries, random: Math.random });
        if (delayMs === null) throw error;
        await pause(delayMs, request.options?.signal);
      }
    }
  }

  /** Called once per request: all attempts share the idempotency key, and a JSON error is not a transport error. */
  #prepare({ method, path, query, body, options }: ApiRequest): PreparedRequest {
    return {
      method,
      url: `${toUrl(this.#options.baseUrl, path)}${toSearch(query)}`,
      headers: {
        accept: 'application/json',
        'user-agent': `guarded-runs-sdk/${VERSION}`,
        authorization: `Bearer ${this.#options.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'GET' ? {} : { 'idempotency-key': options?.idempotencyKey ?? newIdempotencyKey() }),
      },
      body: body === undefined ? null : JSON.stringify(toWire(body)),
    };
  }

  async #attempt<Reply>(
    { url, ...init }: PreparedRequest,
    { options, isReply = isObject }: ApiRequest,
  ): Promise<Reply> {
    const timeoutMs = options?.timeoutMs ?? this.#options.timeoutMs;
    const deadline = new Deadline(timeoutMs, options?.signal);
    try {
      const response = await this.#options.fetch(url, { ...init, signal: deadline.signal });
      this.#options.log.debug(`${init.method} ${url} ${response.status}`);
      // What it throws is not an error of the request.
      queueMicrotask(() => options?.onResponse?.(response));
      // Reads the body of errors as well, because only then can the connection be reused.
      const text = await response.text();
      if (!response.ok) throw toError(response, text);
      const reply = parse(text);
      if (!isReply(reply)) throw new InvalidResponseError({ status: response.status, text });
      return fromWire(reply) as Reply;
    } catch (error) {
      throw toTransportError({ error, deadline, timeoutMs });
    } finally {
      deadline.clear();
    }
  }
}

/** A signal that aborts on timeout or when the caller aborts. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(timeoutMs: number, callerSignal: AbortSignal | undefined) {
    this.#callerSignal = callerSignal;
    this.#timer = setTimeout(() => this.#controller.abort(TIMED_OUT), timeoutMs);
    if (callerSignal?.aborted === true) this.#abort();
    else callerSignal?.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => this.#controller.abort(this.#callerSignal?.reason);
}

function toTransportError(given: { error: unknown; deadline: Deadline; timeoutMs: number }): unknown {
  const { error, deadline, timeoutMs } = given;
  if (deadline.signal.aborted) {
    const { reason } = deadline.signal;
    return reason === TIMED_OUT ? new RequestTimedOutError(timeoutMs) : reason;
  }
  if (error instanceof GuardedRunsError) return error;
  return new ConnectionFailedError({ cause: error, maybeSent: !neverSent(error) });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Undefined for a body that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function neverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return NEVER_SENT.has(code) || neverSent(error.cause);
}

function toError(response: Response, text: string): ApiError {
  return toApiError({
    status: response.status,
    detail: detailFrom(text) ?? response.statusText,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: retryAfterFrom(response.headers.get('retry-after')),
  });
}

/** Null for a body that does not come from the service, for example from a proxy. */
function detailFrom(text: string): string | null {
  const body = parse(text);
  const detail = isObject(body) && 'detail' in body ? body.detail : null;
  return typeof detail === 'string' ? detail : null;
}

/** The header contains seconds or an HTTP date. */
function retryAfterFrom(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const delayMs = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000;
  return Number.isNaN(delayMs) ? null : Math.max(0, delayMs);
}

/** `fetch` resolves `.` and `..` segments, even if encoded, so such an id or model would change the path. */
function toUrl(baseUrl: string, path: string): string {
  const url = `${baseUrl}${path}`;
  if (new URL(url).pathname.endsWith(path)) return url;
  throw new GuardedRunsError(`An id or model must not be "." or "..": ${path}`);
}

function toSearch(query: object | undefined): string {
  const given = Object.entries(toWire(query ?? {}) as object).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
