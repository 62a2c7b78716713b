/**
 * The OpenAI and Anthropic clients share a structure: every resource method calls `request` or `makeRequest` of its
 * client, and these call its `fetch`. The guarded copy requests permission in `request`, allows only free calls in
 * `makeRequest`, and has neither a `fetch` nor a key, so that a path to the provider that is unknown here fails instead
 * of being unguarded. The original client sends the allowed requests.
 */

import { UnguardedCallError } from '../errors.js';
import type { ModelRequest } from '../usage/estimate-tokens.js';
import { fieldOf } from '../usage/token-usage.js';
import { currentRun, type RunSource } from './run-source.js';

/** The options that resource methods, `post` and similar methods pass to the client. */
interface RequestOptions {
  readonly method?: unknown;
  readonly path?: unknown;
  readonly body?: unknown;
  readonly stream?: unknown;
  readonly signal?: unknown;
}

interface ApiPromise extends PromiseLike<unknown> {
  readonly responsePromise: Promise<object>;
}

interface ProviderClient {
  request(options: RequestOptions, remainingRetries?: number | null): ApiPromise;
  makeRequest(options: RequestOptions, ...more: unknown[]): Promise<object>;
  withOptions(options: object): unknown;
}

/** Changes the request body and the result returned to the caller. */
export type Adapt = (body: object) => { body: object; toCaller: (data: unknown) => unknown };

export interface ModelCallRules {
  readonly adapt: Adapt;
  /** Reads what the call holds from the request body. */
  readonly request: (body: object) => ModelRequest;
}

export interface ProviderRules {
  /** The name of the guard function, for error messages. */
  readonly guardName: string;
  /** The model calls, by path. Each is a step, and its usage is read from the response. */
  readonly modelCalls: Readonly<Record<string, ModelCallRules>>;
  /** Paths of POST requests that cost no tokens. */
  readonly freeCalls: readonly RegExp[];
  /** Properties of the client that hold its credentials. */
  readonly credentials: readonly string[];
}

/** Creates the promise type of the client from the response properties and a function that returns the data. */
export type NewApiPromise = (props: Promise<object>, data: () => Promise<unknown>) => PromiseLike<unknown>;

/** For calls whose responses always contain the usage. */
export const passThrough: Adapt = (body) => ({ body, toCaller: (data) => data });

/** Requests with these methods cost no tokens. */
const FREE_METHODS: ReadonlySet<string> = new Set(['get', 'head', 'delete']);

/** Turns the copy of a client into a guarded client. */
export function guardClient<Client extends object>(given: {
  client: Client;
  /** Created by `client.withOptions({ fetch: refusingFetch(…) })`. */
  copy: Client;
  run: RunSource | undefined;
  rules: ProviderRules;
  newApiPromise: NewApiPromise;
  /** Guards the clients that `withOptions` returns. */
  guard: (client: Client) => Client;
}): Client {
  const { copy, run, rules, newApiPromise } = given;
  // The transport methods of both clients are private, so no type describes them.
  const client = given.client as unknown as ProviderClient;
  const overrides: ProviderClient & object = {
    request: (promised, remainingRetries = null) => {
      const settled = start(promised, remainingRetries);
      return newApiPromise(
        settled.then(({ props }) => props),
        async () => (await settled).data(),
      ) as ApiPromise;
    },
    makeRequest: async (promised, ...more) => {
      const options = await promised;
      const call = classify({ options, client, rules });
      // The caller reads the response itself, so the usage of a model call could not be read here.
      if (call.kind !== 'free') throw unguarded(rules, options, 'use the resource method');
      return client.makeRequest(options, ...more);
    },
    withOptions: (options) => given.guard(client.withOptions(options) as Client),
  };
  for (const [name, value] of Object.entries(overrides)) {
    if (typeof fieldOf(copy, name) !== 'function') {
      throw new UnguardedCallError(
        `${rules.guardName} does not support this version of the client: no ${name}`,
      );
    }
    Object.defineProperty(copy, name, { value, configurable: true, writable: true });
  }
  for (const name of rules.credentials) {
    const refuse = (): never => {
      throw new UnguardedCallError(
        `A client of ${rules.guardName} does not expose its ${name}: ${useOwnClient(rules)}`,
      );
    };
    Object.defineProperty(copy, name, { get: refuse, set: refuse, configurable: true });
  }
  return copy;

  async function start(
    promised: RequestOptions | PromiseLike<RequestOptions>,
    remainingRetries: number | null,
  ): Promise<{ props: object; data: () => Promise<unknown> }> {
    const options = await promised;
    const call = classify({ options, client, rules });
    if (call.kind === 'refused') throw unguarded(rules, options, call.instead);
    if (call.kind === 'free') {
      const result = client.request(options, remainingRetries);
      return { props: withoutSpan(await result.responsePromise), data: async () => result };
    }
    const { body, toCaller } = call.rules.adapt(call.body);
    let result: ApiPromise | undefined;
    const data = await currentRun(run).modelCall({
      model: call.model,
      signal: options.signal instanceof AbortSignal ? options.signal : undefined,
      request: () => call.rules.request(body),
      input: () => call.body,
      call: () => {
        result = client.request({ ...options, body }, remainingRetries);
        return result;
      },
    });
    if (result === undefined) throw new Error('The model call returned without a request');
    const shown = toCaller(data);
    return { props: withoutSpan(await result.responsePromise), data: async () => shown };
  }
}

/** The `fetch` of a guarded client. It allows only `data:` URLs, with which the clients detect features of `fetch`. */
export function refusingFetch(client: object, rules: ProviderRules): typeof fetch {
  return async (input, init) => {
    const fetch = fieldOf(client, 'fetch');
    if (typeof fetch === 'function' && String(input).startsWith('data:')) return fetch(input, init);
    throw new UnguardedCallError(`A client of ${rules.guardName} has no fetch: ${useOwnClient(rules)}`);
  };
}

type Classified =
  | { kind: 'free' }
  | { kind: 'model'; rules: ModelCallRules; model: string; body: object }
  | { kind: 'refused'; instead: string | null };

function classify(given: { options: RequestOptions; client: object; rules: ProviderRules }): Classified {
  const { options, client, rules } = given;
  // The clients merge fetchOptions over the method and body that are checked below.
  if (changesRequest(fieldOf(options, 'fetchOptions')) || changesRequest(fieldOf(client, 'fetchOptions'))) {
    return { kind: 'refused', instead: 'remove method and body from fetchOptions' };
  }
  if (FREE_METHODS.has(methodOf(options))) return { kind: 'free' };
  const path = pathOf(options);
  if (methodOf(options) !== 'post' || path === null) return { kind: 'refused', instead: null };
  if (Object.hasOwn(rules.modelCalls, path)) {
    const callRules = rules.modelCalls[path];
    if (callRules !== undefined) return classifyModelCall(options, callRules);
  }
  if (rules.freeCalls.some((pattern) => pattern.test(path))) return { kind: 'free' };
  return { kind: 'refused', instead: null };
}

/** Without a model, a call has no price. Without a parsed response, it has no usage. */
function classifyModelCall(options: RequestOptions, rules: ModelCallRules): Classified {
  const { body } = options;
  const model = fieldOf(body, 'model');
  if (typeof body !== 'object' || body === null || typeof model !== 'string' || model === '') {
    return { kind: 'refused', instead: 'set model in the body' };
  }
  const isStream = fieldOf(body, 'stream') === true;
  if (isStream !== (options.stream === true)) {
    return { kind: 'refused', instead: 'set stream to the same value in the body and in the options' };
  }
  if (fieldOf(options, '__binaryResponse') === true) {
    return { kind: 'refused', instead: 'remove __binaryResponse' };
  }
  if (fieldOf(body, 'background') === true && !isStream) {
    return {
      kind: 'refused',
      instead: 'the usage of a background response is known only later: stream it, or poll in run.modelCall',
    };
  }
  return { kind: 'model', rules, model, body };
}

function methodOf({ method }: RequestOptions): string {
  return typeof method === 'string' ? method.toLowerCase() : 'get';
}

/** The path that the provider receives, without the query and with dot segments resolved. Null for another host. */
function pathOf({ path }: RequestOptions): string | null {
  if (typeof path !== 'string' || !path.startsWith('/')) return null;
  return new URL(`http://provider.invalid${path}`).pathname;
}

function changesRequest(fetchOptions: unknown): boolean {
  return fieldOf(fetchOptions, 'method') !== undefined || fieldOf(fetchOptions, 'body') !== undefined;
}

function unguarded(
  rules: ProviderRules,
  options: RequestOptions,
  instead: string | null,
): UnguardedCallError {
  const what = `${methodOf(options).toUpperCase()} ${String(options.path)}`;
  return new UnguardedCallError(
    `${what} is not guarded by ${rules.guardName} and was not sent: ${instead ?? useOwnClient(rules)}`,
  );
}

function useOwnClient({ guardName }: ProviderRules): string {
  return `use the client that you passed to ${guardName}, within run.modelCall`;
}

/** The promise of the original client ends the span of a traced call; the caller's promise must not end it again. */
function withoutSpan(props: object): object {
  const options = fieldOf(props, 'options');
  if (typeof options !== 'object' || options === null) return props;
  return { ...props, options: { ...options, __span: undefined } };
}
