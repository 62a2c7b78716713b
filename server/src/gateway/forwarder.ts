/** Sends requests to their providers and passes the answers on. A call that is guarded is settled, however it ends. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../engine/command.js';
import { type AnswerUsage, followAnswer } from './answer-usage.js';
import type { CallGuard, GuardedCall } from './call-guard.js';
import type { CallRequest } from './call-request.js';
import { headerIn, toForwardedHeaders, toReturnedHeaders } from './forwarded-headers.js';
import { badGateway, denied, GatewayError } from './gateway-error.js';
import type { BilledEndpoint, Endpoint, Provider } from './provider.js';
import { relay } from './relay.js';
import type { CallOutcome } from './settlement.js';
import type { Upstream, UpstreamAnswer } from './upstream.js';
import { UsageHider } from './usage-hider.js';

export interface UpstreamSettings {
  /** An origin. */
  readonly url: string;
  /** null: clients send the provider's key themselves. */
  readonly apiKey: string | null;
}

export interface Route {
  readonly provider: Provider;
  readonly endpoint: Endpoint;
  readonly upstream: Upstream;
  readonly settings: UpstreamSettings;
}

/** One request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
  /** null: it is not known, because the store is away. */
  readonly caller: Caller | null;
  /** Aborted when the client disconnects, a guardrail ends the call, or the service stops; the reason is an Error. */
  readonly abort: AbortController;
  /** Headers of every response of the service. */
  readonly ownHeaders: OwnHeaders;
  readonly startedAt: number;
}

export type OwnHeaders = Readonly<Record<string, string>>;

export interface ForwardedCall {
  readonly billed: BilledEndpoint;
  readonly call: CallRequest;
  readonly guarded: GuardedCall;
  /** Gives back the room of the request. */
  readonly release: () => void;
}

export interface GatewayObserver {
  forwarded(call: { provider: string; status: number; upstreamMs: number; ownMs: number }): void;
  callsChanged(change: 1 | -1): void;
}

export class Forwarder {
  readonly #guard: CallGuard;
  readonly #observer: GatewayObserver;

  constructor({ guard, observer }: { guard: CallGuard; observer: GatewayObserver }) {
    this.#guard = guard;
    this.#observer = observer;
  }

  /** Throws GatewayError, or anything else if the answer has begun: then it cannot be completed. */
  async forwardCall(exchange: Exchange, { billed, call, guarded, release }: ForwardedCall): Promise<void> {
    const { response, route, abort } = exchange;
    const keepAlive = this.#guard.keepAlive(guarded, (reason) => abort.abort(denied(reason)));
    const asksForUsage = billed.mustAskForUsage && call.isStream && !call.asksForUsage;
    const sentAt = performance.now();
    let mayBeBilled = false;
    let usage: AnswerUsage | null = null;
    try {
      const answer = await send(
        exchange,
        call.take({ maxTokens: guarded.addedMaxTokens, asksForUsage }),
        () => {
          mayBeBilled = true;
        },
      ).finally(release);
      const upstreamMs = performance.now() - sentAt;
      mayBeBilled = isSuccess(answer);
      requireNoRedirect(answer);
      usage = isSuccess(answer) && isReadable(answer) ? followAnswer(billed, isEventStream(answer)) : null;
      const hider = usage !== null && asksForUsage && usage.isStream ? new UsageHider() : null;
      await relay(answer, response, {
        headers: returnedHeaders(exchange, answer, { added: idsOf(guarded), isChanged: hider !== null }),
        usage,
        hider,
        beforeLast: () => this.#guard.settle(guarded, outcomeOf(answer, usage)),
      });
      const ownMs = sentAt - exchange.startedAt;
      this.#observer.forwarded({ provider: route.provider.name, status: answer.status, upstreamMs, ownMs });
    } catch (caught) {
      // Why the call was ended says more than that it was.
      const error: unknown = abort.signal.aborted ? abort.signal.reason : caught;
      const text = error instanceof Error ? error.message : 'The answer was lost';
      await this.#guard.settle(
        guarded,
        mayBeBilled
          ? { kind: 'broken', usage: usage?.read() ?? null, error: text }
          : { kind: 'refused', error: text },
      );
      const problem = mayBeBilled ? 'The provider did not answer' : 'The provider cannot be reached';
      throw error instanceof GatewayError ? error : badGateway(problem, error);
    } finally {
      keepAlive.stop();
    }
  }

  /** Forwards what is not guarded: the provider bills nothing for it, or the store is away. */
  async pass(
    exchange: Exchange,
    body: Buffer[],
    { release, headers }: { release: () => void; headers: OwnHeaders },
  ): Promise<void> {
    const answer = await send(exchange, body, () => {})
      .finally(release)
      .catch((error: unknown) => {
        throw badGateway('The provider did not answer', error);
      });
    requireNoRedirect(answer);
    await relay(answer, exchange.response, {
      headers: returnedHeaders(exchange, answer, { added: headers, isChanged: false }),
      usage: null,
      hider: null,
      beforeLast: async () => {},
    });
  }
}

function send(
  { request, route, abort }: Exchange,
  body: Buffer[],
  onSending: () => void,
): Promise<UpstreamAnswer> {
  const { provider, endpoint, settings } = route;
  const { rawHeaders, url = '' } = request;
  const queryAt = url.indexOf('?');
  const hasOwnKey = settings.apiKey !== null;
  const headers = toForwardedHeaders(rawHeaders, {
    without: hasOwnKey ? provider.credentialHeaders : [],
    added: [
      ...(hasOwnKey ? [provider.toCredentialHeader(settings.apiKey)] : []),
      // What was read is JSON: nothing else may be made of it.
      ...(body.length === 0 ? [] : [['content-type', 'application/json'] as const]),
    ],
  });
  const path = endpoint.path + (queryAt < 0 ? '' : url.slice(queryAt));
  return route.upstream.send({
    method: endpoint.method,
    path,
    headers,
    body,
    signal: abort.signal,
    onSending,
  });
}

/** A client would follow it with its keys. */
function requireNoRedirect({ status, body }: UpstreamAnswer): void {
  if (status < 300 || status >= 400 || status === 304) return;
  body.on('error', () => {}).destroy();
  throw badGateway(`The provider answered with a redirect (status ${status})`);
}

function outcomeOf(answer: UpstreamAnswer, usage: AnswerUsage | null): CallOutcome {
  if (!isSuccess(answer))
    return { kind: 'refused', error: `The provider answered with status ${answer.status}` };
  const stated = usage?.read() ?? null;
  const failure = usage?.failure() ?? null;
  return failure === null
    ? { kind: 'answered', usage: stated }
    : { kind: 'broken', usage: stated, error: failure };
}

function isSuccess({ status }: UpstreamAnswer): boolean {
  return status >= 200 && status < 300;
}

function returnedHeaders(
  { ownHeaders }: Exchange,
  { rawHeaders }: UpstreamAnswer,
  { added, isChanged }: { added: OwnHeaders; isChanged: boolean },
): string[] {
  const returned = toReturnedHeaders(rawHeaders, { without: isChanged ? ['content-length'] : [] });
  const own = Object.entries(ownHeaders).filter(([name]) => headerIn(returned, name) === null);
  return [...returned, ...own.flat(), ...Object.entries(added).flat()];
}

function idsOf({ runId, stepId }: GuardedCall): OwnHeaders {
  return { 'x-guarded-run-id': runId, 'x-guarded-step-id': stepId };
}

/** An answer that is encoded although it was asked not to be passes unread. */
function isReadable({ rawHeaders }: UpstreamAnswer): boolean {
  const encoding = headerIn(rawHeaders, 'content-encoding');
  return encoding === null || encoding.toLowerCase() === 'identity';
}

function isEventStream({ rawHeaders }: UpstreamAnswer): boolean {
  return /^text\/event-stream\b/i.test(headerIn(rawHeaders, 'content-type') ?? '');
}
