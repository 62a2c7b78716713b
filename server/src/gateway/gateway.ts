/**
 * Forwards calls to the providers of models, guarded: ask → forward → follow → report. A call that is denied never reaches the
 * provider; one that was forwarded is settled once, however it ends.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, unauthenticated, unavailable } from '../domain/app-error.js';
import { isName, MAX_NAME_LENGTH } from '../domain/name.js';
import { parseUuid } from '../domain/uuid.js';
import type { Caller } from '../engine/command.js';
import { FairLimiter } from '../runtime/fair-limiter.js';
import { ANTHROPIC } from './anthropic.js';
import { CallGuard, type CallGuardOptions, type GuardedCall } from './call-guard.js';
import { type CallRequest, readBody, readCallRequest } from './call-request.js';
import {
  type Exchange,
  Forwarder,
  type GatewayObserver,
  type OwnHeaders,
  type Route,
  type UpstreamSettings,
} from './forwarder.js';
import { badGateway, invalidRequest, notServed, toErrorText, toGatewayError } from './gateway-error.js';
import { OPENAI } from './openai.js';
import type { BilledEndpoint, Provider } from './provider.js';
import { Upstream } from './upstream.js';

export const GATEWAY_PREFIX = '/gateway/';

export interface GatewaySettings {
  readonly openai: UpstreamSettings;
  readonly anthropic: UpstreamSettings;
  readonly bodyLimitBytes: number;
  /** The completion of a request that does not limit its own. */
  readonly defaultMaxTokens: number;
  readonly recordsPayloads: boolean;
  /** What happens to calls while the store is away: they are refused, or forwarded unguarded. */
  readonly onUnavailable: 'deny' | 'allow';
}

export interface GatewayLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface GatewayOptions extends Omit<CallGuardOptions, 'settings'> {
  readonly settings: GatewaySettings;
  /** The caller with this API key. Throws AppError if it is unknown, or may not run anything. */
  readonly authenticate: (apiKey: string) => Promise<Caller>;
  readonly observer: GatewayObserver;
  readonly log: GatewayLog;
}

/** Calls in flight, each with a connection to its provider. */
const CALLS = {
  maxRunning: 2_000,
  maxRunningPerOwner: 1_500,
  maxWaiting: 1_000,
  maxWaitingPerOwner: 250,
  maxWaitMs: 10_000,
};
/** Bytes of large requests in memory. */
const BODIES = {
  maxRunning: 96 * 1024 * 1024,
  maxRunningPerOwner: 48 * 1024 * 1024,
  maxWaiting: 10_000,
  maxWaitingPerOwner: 1_000,
  maxWaitMs: 10_000,
};
/** Pieces of requests that are read at a time. */
const TURNS = {
  maxRunning: 1,
  maxRunningPerOwner: 1,
  maxWaiting: 10_000,
  maxWaitingPerOwner: 2_000,
  maxWaitMs: 10_000,
};

/** Shorter than the time that a service has to stop. */
const CLOSE_GRACE_MS = 5_000;
const CLOSE_CHECK_MS = 20;

const MAX_SESSION_LENGTH = 200;
const DEFAULT_USER = 'gateway';

/** Of an answer that came without a decision. */
const UNGUARDED = { 'x-guarded': 'unavailable' };

const PROVIDERS: readonly Provider[] = [OPENAI, ANTHROPIC];

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #guard: CallGuard;
  readonly #forwarder: Forwarder;
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #upstreams: readonly Upstream[];
  readonly #calls = new FairLimiter(CALLS);
  readonly #bodies = new FairLimiter(BODIES);
  readonly #turns = new FairLimiter(TURNS);
  readonly #inFlight = new Set<AbortController>();
  #isClosing = false;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#guard = new CallGuard(options);
    this.#forwarder = new Forwarder({ guard: this.#guard, observer: options.observer });
    const routes = PROVIDERS.map((provider) => this.#routesTo(provider));
    this.#upstreams = routes.map(({ upstream }) => upstream);
    this.#routes = new Map(routes.flatMap(({ entries }) => entries));
  }

  /** Those that it serves. */
  get providers(): { name: string; hasKey: boolean }[] {
    const { settings } = this.#options;
    return PROVIDERS.map(({ name }) => ({ name, hasKey: settings[name].apiKey !== null }));
  }

  #routesTo(provider: Provider): { upstream: Upstream; entries: [string, Route][] } {
    const settings = this.#options.settings[provider.name];
    const upstream = new Upstream({ origin: settings.url, maxConnections: CALLS.maxRunning });
    const entries = provider.endpoints.map((endpoint): [string, Route] => [
      `${endpoint.method} ${GATEWAY_PREFIX}${provider.name}${endpoint.path}`,
      { provider, endpoint, upstream, settings },
    ]);
    return { upstream, entries };
  }

  /** Answers a request whose path starts with `GATEWAY_PREFIX`. Never throws. */
  async handle(request: IncomingMessage, response: ServerResponse, ownHeaders: OwnHeaders): Promise<void> {
    const startedAt = performance.now();
    const [path = ''] = (request.url ?? '').split('?', 1);
    const route = this.#routes.get(`${request.method} ${path}`);
    const abort = new AbortController();
    const stopWatching = abortWhenClosed(abort, request, response);
    this.#inFlight.add(abort);
    this.#options.observer.callsChanged(1);
    try {
      if (this.#isClosing) throw unavailable('The service is stopping');
      if (route === undefined) throw notServed(`${request.method} ${path} is not served by the gateway`);
      const caller = await this.#authenticate(request, route);
      await this.#forward({ request, response, route, caller, abort, ownHeaders, startedAt });
    } catch (error) {
      this.#fail(response, error, { provider: route?.provider ?? providerOf(path), ownHeaders });
    } finally {
      stopWatching();
      this.#inFlight.delete(abort);
      this.#options.observer.callsChanged(-1);
    }
  }

  /** Lets calls in flight end by themselves for a while, then ends them, and waits until all are reported. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const graceEndsAt = performance.now() + CLOSE_GRACE_MS;
    while (this.#inFlight.size > 0 && performance.now() < graceEndsAt) await sleep(CLOSE_CHECK_MS);
    for (const abort of this.#inFlight) abort.abort(badGateway('The service was stopped'));
    while (this.#inFlight.size > 0) await sleep(CLOSE_CHECK_MS);
    await this.#guard.drained();
    await Promise.all(this.#upstreams.map((upstream) => upstream.close()));
  }

  /** null: the store is away, and the call may pass without it. */
  async #authenticate({ headers }: IncomingMessage, { provider, settings }: Route): Promise<Caller | null> {
    const given = headers['x-guarded-key'];
    const credential = provider.credentialIn(headers);
    const own = typeof given === 'string' ? given : credential;
    if (own === null || (typeof given !== 'string' && settings.apiKey === null))
      throw missingKey(provider, settings);
    try {
      return await this.#options.authenticate(own);
    } catch (error) {
      // The key of the service is only for callers that are known.
      if (settings.apiKey !== null || !this.#mayPass(error)) throw error;
      return null;
    }
  }

  /** Not if there are only too many requests: a caller could bring that about to avoid its limits. */
  #mayPass(error: unknown): boolean {
    const isAway = error instanceof AppError && error.kind === 'unavailable' && !error.isOverload;
    return isAway && this.#options.settings.onUnavailable === 'allow';
  }

  async #forward(exchange: Exchange): Promise<void> {
    const { request, route, caller } = exchange;
    const { billed } = route.endpoint;
    const owner = caller?.workspaceId ?? '';
    const leave = await this.#calls.enter(owner);
    try {
      const { bodyLimitBytes: limitBytes } = this.#options.settings;
      const options = { limitBytes, room: this.#bodies, turns: this.#turns, owner };
      if (billed === null) {
        const { body, release } = await readBody(request, options);
        await this.#forwarder.pass(exchange, body, { release, headers: {} });
        return;
      }
      const { call, release } = await readCallRequest(request, billed, options);
      await this.#forwardCall(exchange, { billed, call, release });
    } finally {
      leave();
    }
  }

  async #forwardCall(
    exchange: Exchange,
    { billed, call, release }: { billed: BilledEndpoint; call: CallRequest; release: () => void },
  ): Promise<void> {
    const guarded = await this.#ask(exchange, billed, call).catch((error: unknown) => {
      release();
      throw error;
    });
    if (guarded !== null) {
      await this.#forwarder.forwardCall(exchange, { billed, call, guarded, release });
      return;
    }
    const { name: provider } = exchange.route.provider;
    this.#options.log.warn({ provider }, 'gateway: forwarded without a decision');
    const body = call.take({ maxTokens: null, asksForUsage: false });
    await this.#forwarder.pass(exchange, body, { release, headers: UNGUARDED });
  }

  /** null: the store is away, and the call may pass without it. */
  async #ask(
    { request, route, caller }: Exchange,
    billed: BilledEndpoint,
    call: CallRequest,
  ): Promise<GuardedCall | null> {
    if (caller === null) return null;
    const { headers } = request;
    try {
      return await this.#guard.ask(caller, {
        provider: route.provider.name,
        billed,
        call,
        runId: runIdIn(headers['x-guarded-run-id']),
        session: textIn(headers['x-guarded-session'], 'X-Guarded-Session', MAX_SESSION_LENGTH),
        userId: userOf(request, caller, call),
      });
    } catch (error) {
      if (this.#mayPass(error)) return null;
      throw error;
    }
  }

  #fail(
    response: ServerResponse,
    error: unknown,
    { provider, ownHeaders }: { provider: Provider | null; ownHeaders: OwnHeaders },
  ): void {
    // Nothing can be said any more: the client sees that the answer is not complete.
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const failure = toGatewayError(error);
    const { status, code, message } = failure;
    if (status === 500) this.#options.log.error({ err: error }, 'gateway: request failed');
    else if (status > 500)
      this.#options.log.warn({ status, code, reason: message }, 'gateway: request failed');
    const text = toErrorText(failure, provider);
    // The rest of the request is not read.
    const connection = response.req.complete ? {} : { connection: 'close' };
    response.writeHead(status, {
      ...ownHeaders,
      ...failure.headers,
      ...connection,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  }
}

/** Returns a function that ends the watch. */
function abortWhenClosed(
  abort: AbortController,
  request: IncomingMessage,
  response: ServerResponse,
): () => void {
  const { socket } = request;
  const onClose = () => abort.abort(new Error('The client disconnected before the answer was complete'));
  response.once('close', onClose);
  // A response that waits behind another one of its connection is not told.
  socket.once('close', onClose);
  // Long thinking is no inactivity.
  socket.setTimeout(0);
  // The rest of a request whose call has ended does not arrive any more.
  abort.signal.addEventListener('abort', () => {
    if (!request.complete) request.destroy();
  });
  return () => socket.off('close', onClose);
}

function userOf({ headers }: IncomingMessage, caller: Caller, call: CallRequest): string {
  const given = textIn(headers['x-guarded-user'], 'X-Guarded-User', MAX_NAME_LENGTH);
  const userId = given ?? caller.userId ?? call.userId ?? DEFAULT_USER;
  if (!isName(userId))
    throw invalidRequest(`The user must have at most ${MAX_NAME_LENGTH} characters, and no NUL`);
  return userId;
}

function providerOf(path: string): Provider | null {
  return PROVIDERS.find(({ name }) => path.startsWith(`${GATEWAY_PREFIX}${name}/`)) ?? null;
}

function missingKey(provider: Provider, { apiKey }: UpstreamSettings): AppError {
  return unauthenticated(
    apiKey === null
      ? `Send your Guarded Runs key as "X-Guarded-Key", and the key of ${provider.name} as usual`
      : `Send your Guarded Runs key in place of the key of ${provider.name}`,
  );
}

function runIdIn(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const runId = typeof header === 'string' ? parseUuid(header) : null;
  if (runId === null) throw notServed('Run not found');
  return runId;
}

/** Headers are bytes: text in UTF-8 arrives as one character for each byte. */
function textIn(header: string | string[] | undefined, name: string, maxLength: number): string | null {
  if (header === undefined || header === '') return null;
  const bytes = Buffer.from([header].flat().join(', '), 'latin1');
  const decoded = bytes.toString('utf8');
  const text = decoded.includes('\uFFFD') ? bytes.toString('latin1') : decoded;
  if (text.length > maxLength) throw invalidRequest(`${name} must have at most ${maxLength} characters`);
  return text;
}
