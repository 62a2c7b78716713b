/**
 * Forwards calls to the providers of models, guarded: ask → forward → follow → report. A call that is denied never reaches the
 * provider; one that was forwarded is settled once, however it ends.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, unauthenticated } from '../domain/app-error.js';
import { isName, MAX_NAME_LENGTH } from '../domain/name.js';
import { parseUuid } from '../domain/uuid.js';
import type { Caller } from '../engine/command.js';
import { FairLimiter } from '../runtime/fair-limiter.js';
import { followAnswer } from './answer-usage.js';
import { ANTHROPIC } from './anthropic.js';
import { CallGuard, type CallGuardOptions, type GuardedCall } from './call-guard.js';
import { type CallRequest, readBody, readCallRequest } from './call-request.js';
import { headerIn, toForwardedHeaders, toReturnedHeaders } from './forwarded-headers.js';
import {
  badGateway,
  denied,
  GatewayError,
  invalidRequest,
  notServed,
  toErrorText,
  toGatewayError,
} from './gateway-error.js';
import { OPENAI } from './openai.js';
import type { BilledEndpoint, Endpoint, Provider } from './provider.js';
import { relay } from './relay.js';
import { LostAnswerError, Upstream, type UpstreamAnswer } from './upstream.js';
import { UsageHider } from './usage-hider.js';

export const GATEWAY_PREFIX = '/gateway/';

export interface UpstreamSettings {
  /** An origin. */
  readonly url: string;
  /** null: clients send the provider's key themselves. */
  readonly apiKey: string | null;
}

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

export interface GatewayObserver {
  forwarded(call: { provider: string; status: number; upstreamMs: number; ownMs: number }): void;
  callsChanged(change: 1 | -1): void;
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

/** Shorter than the time that a service has to stop. */
const CLOSE_GRACE_MS = 5_000;
const CLOSE_CHECK_MS = 20;

/** Every key of this service starts like this, and must not be sent to a provider. */
const OWN_KEY_PREFIX = 'lg_';
const MAX_SESSION_LENGTH = 200;
const DEFAULT_USER = 'gateway';

/** Of an answer that came without a decision. */
const UNGUARDED = { 'x-guarded': 'unavailable' };

const PROVIDERS: readonly Provider[] = [OPENAI, ANTHROPIC];

interface Route {
  readonly provider: Provider;
  readonly endpoint: Endpoint;
  readonly upstream: Upstream;
  readonly settings: UpstreamSettings;
}

/** One request and its response. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
  readonly caller: Caller | null;
  /** Aborted when the client disconnects, or the service stops. */
  readonly abort: AbortController;
  /** Headers of every response of the service. */
  readonly ownHeaders: OwnHeaders;
  readonly startedAt: number;
}

type OwnHeaders = Readonly<Record<string, string>>;

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #guard: CallGuard;
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #upstreams: readonly Upstream[];
  readonly #calls = new FairLimiter(CALLS);
  readonly #bodies = new FairLimiter(BODIES);
  readonly #inFlight = new Set<AbortController>();

  /** Those that it serves. */
  get providers(): { name: string; hasKey: boolean }[] {
    const { settings } = this.#options;
    return PROVIDERS.map(({ name }) => ({ name, hasKey: settings[name].apiKey !== null }));
  }

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#guard = new CallGuard(options);
    const routes = PROVIDERS.map((provider) => this.#routesTo(provider));
    this.#upstreams = routes.map(({ upstream }) => upstream);
    this.#routes = new Map(routes.flatMap(({ entries }) => entries));
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
    response.once('close', () =>
      abort.abort(new Error('The client disconnected before the answer was complete')),
    );
    // Long thinking is no inactivity.
    request.socket.setTimeout(0);
    this.#inFlight.add(abort);
    this.#options.observer.callsChanged(1);
    try {
      if (route === undefined) throw notServed(`${request.method} ${path} is not served by the gateway`);
      const caller = await this.#authenticate(request, route);
      await this.#forward({ request, response, route, caller, abort, ownHeaders, startedAt });
    } catch (error) {
      this.#fail(response, error, { provider: route?.provider ?? providerOf(path), ownHeaders });
    } finally {
      this.#inFlight.delete(abort);
      this.#options.observer.callsChanged(-1);
    }
  }

  /** Lets calls in flight end by themselves for a while, then ends them, and waits until all are reported. */
  async close(): Promise<void> {
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

  #mayPass(error: unknown): boolean {
    return (
      this.#options.settings.onUnavailable === 'allow' &&
      error instanceof AppError &&
      error.kind === 'unavailable'
    );
  }

  async #forward(exchange: Exchange): Promise<void> {
    const { request, route, caller } = exchange;
    const { billed } = route.endpoint;
    const owner = caller?.workspaceId ?? '';
    const leave = await this.#calls.enter(owner);
    try {
      const options = { limitBytes: this.#options.settings.bodyLimitBytes, room: this.#bodies, owner };
      if (billed === null) {
        const { body, release } = await readBody(request, options);
        await this.#pass(exchange, body.length === 0 ? null : body, { release, headers: {} });
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
    if (guarded === null) {
      this.#options.log.warn(
        { provider: exchange.route.provider.name },
        'gateway: forwarded without a decision',
      );
      await this.#pass(exchange, call.body, { release, headers: UNGUARDED });
      return;
    }
    await this.#run(exchange, { billed, call, guarded, release });
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
        userId: this.#userOf(request, caller, call),
      });
    } catch (error) {
      if (this.#mayPass(error)) return null;
      throw error;
    }
  }

  #userOf({ headers }: IncomingMessage, caller: Caller, call: CallRequest): string {
    const given = textIn(headers['x-guarded-user'], 'X-Guarded-User', MAX_NAME_LENGTH);
    const userId = given ?? caller.userId ?? call.userId ?? DEFAULT_USER;
    if (!isName(userId))
      throw invalidRequest(`The user must have at most ${MAX_NAME_LENGTH} characters, and no NUL`);
    return userId;
  }

  async #run(
    exchange: Exchange,
    {
      billed,
      call,
      guarded,
      release,
    }: { billed: BilledEndpoint; call: CallRequest; guarded: GuardedCall; release: () => void },
  ): Promise<void> {
    const { response, route, abort } = exchange;
    const keepAlive = this.#guard.keepAlive(guarded, (reason) => abort.abort(denied(reason)));
    const asksForUsage = billed.mustAskForUsage && call.isStream && !call.asksForUsage;
    const sentAt = performance.now();
    let usage: ReturnType<typeof followAnswer> | null = null;
    try {
      const body = call.withAdded({ maxTokens: guarded.addedMaxTokens, asksForUsage });
      const answer = await this.#send(exchange, body).finally(release);
      const upstreamMs = performance.now() - sentAt;
      const isSuccess = answer.status >= 200 && answer.status < 300;
      usage = isSuccess && isReadable(answer) ? followAnswer(billed, isEventStream(answer)) : null;
      const hider = usage !== null && asksForUsage && usage.isStream ? new UsageHider() : null;
      await relay(answer, response, {
        headers: this.#returnedHeaders(exchange, answer, {
          added: idsOf(guarded),
          isChanged: hider !== null,
        }),
        usage,
        hider,
        beforeLast: () =>
          this.#guard.settle(
            guarded,
            isSuccess
              ? { kind: 'answered', usage: usage?.read() ?? null }
              : { kind: 'refused', error: `The provider answered with status ${answer.status}` },
          ),
      });
      const ownMs = performance.now() - exchange.startedAt - (performance.now() - sentAt);
      this.#options.observer.forwarded({
        provider: route.provider.name,
        status: answer.status,
        upstreamMs,
        ownMs,
      });
    } catch (caught) {
      // Why the call was ended says more than that it was.
      const error = abort.signal.aborted ? abort.signal.reason : caught;
      await this.#guard.settle(guarded, {
        kind: caught instanceof GatewayError ? 'refused' : 'broken',
        usage: usage?.read() ?? null,
        error: error instanceof Error ? error.message : 'The answer was lost',
      });
      throw error instanceof GatewayError ? error : badGateway('The provider did not answer', error);
    } finally {
      keepAlive.stop();
    }
  }

  /** Forwards what is not guarded: the provider bills nothing for it, or the store is away. */
  async #pass(
    exchange: Exchange,
    body: Buffer | null,
    { release, headers }: { release: () => void; headers: OwnHeaders },
  ): Promise<void> {
    const answer = await this.#send(exchange, body)
      .finally(release)
      .catch((error: unknown) => {
        throw error instanceof LostAnswerError ? badGateway('The provider did not answer', error) : error;
      });
    await relay(answer, exchange.response, {
      headers: this.#returnedHeaders(exchange, answer, { added: headers, isChanged: false }),
      usage: null,
      hider: null,
      beforeLast: async () => {},
    });
  }

  async #send({ request, route, abort }: Exchange, body: Buffer | null): Promise<UpstreamAnswer> {
    const { provider, endpoint, settings } = route;
    const { rawHeaders, url = '' } = request;
    const queryAt = url.indexOf('?');
    const isOwnKeyIn = provider.credentialIn(request.headers)?.startsWith(OWN_KEY_PREFIX) === true;
    const headers = toForwardedHeaders(rawHeaders, {
      without: settings.apiKey !== null || isOwnKeyIn ? provider.credentialHeaders : [],
      added: settings.apiKey === null ? [] : [provider.toCredentialHeader(settings.apiKey)],
    });
    const answer = await route.upstream.send({
      method: endpoint.method,
      path: endpoint.path + (queryAt < 0 ? '' : url.slice(queryAt)),
      headers,
      body,
      signal: abort.signal,
    });
    if (answer.status >= 300 && answer.status < 400 && answer.status !== 304) {
      answer.body.on('error', () => {}).destroy();
      // A client would follow it with its keys.
      throw badGateway(`The provider answered with a redirect (status ${answer.status})`);
    }
    return answer;
  }

  #returnedHeaders(
    { ownHeaders }: Exchange,
    { rawHeaders }: UpstreamAnswer,
    { added, isChanged }: { added: OwnHeaders; isChanged: boolean },
  ): string[] {
    const returned = toReturnedHeaders(rawHeaders, { without: isChanged ? ['content-length'] : [] });
    const own = Object.entries(ownHeaders).filter(([name]) => headerIn(returned, name) === null);
    return [...returned, ...own.flat(), ...Object.entries(added).flat()];
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
    if (failure.status >= 500) this.#options.log.error({ err: error }, 'gateway: request failed');
    const text = toErrorText(failure, provider);
    // The rest of the request is not read.
    const connection = response.req.complete ? {} : { connection: 'close' };
    response.writeHead(failure.status, {
      ...ownHeaders,
      ...failure.headers,
      ...connection,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  }
}

function idsOf({ runId, stepId }: GuardedCall): OwnHeaders {
  return { 'x-guarded-run-id': runId, 'x-guarded-step-id': stepId };
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

/** An answer that is encoded although it was asked not to be passes unread. */
function isReadable({ rawHeaders }: UpstreamAnswer): boolean {
  const encoding = headerIn(rawHeaders, 'content-encoding');
  return encoding === null || encoding.toLowerCase() === 'identity';
}

function isEventStream({ rawHeaders }: UpstreamAnswer): boolean {
  return /^text\/event-stream\b/i.test(headerIn(rawHeaders, 'content-type') ?? '');
}
