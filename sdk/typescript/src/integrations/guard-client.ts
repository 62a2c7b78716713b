/**
 * The OpenAI and Anthropic clients are built alike: every method of every resource ends in `request` or `makeRequest` of
 * its client, and these end in its `fetch`. The copy that the caller gets asks in `request`, lets `makeRequest` only read,
 * and has neither a `fetch` nor a key: a way to the provider that is not known here fails instead of being unguarded. The
 * requests that are allowed are made by the client that was given.
 */

import { UnguardedCall } from '../errors.js';
import { fieldOf } from '../usage/token-usage.js';
import { currentRun, type RunSource } from './run-source.js';

/** What a resource method, or a caller of `post` and its like, asks of the client. */
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

/** Changes what is sent, and what is done with the answer. */
export type Adapt = (body: object) => { body: object; toCaller: (data: unknown) => unknown };

export interface ProviderRules {
  /** Of the function that guards, for errors. */
  readonly guardName: string;
  /** The model calls, by path: they ask first, and what they use is read from their answers. */
  readonly modelCalls: Readonly<Record<string, Adapt>>;
  /** Requests that neither read nor delete, and cost no tokens. */
  readonly freeCalls: readonly RegExp[];
  /** Properties of the client that hold its credentials. */
  readonly credentials: readonly string[];
}

/** The client's own promise: the response with what belongs to it, and how to get the data. */
export type NewApiPromise = (props: Promise<object>, data: () => Promise<unknown>) => PromiseLike<unknown>;

/** For calls whose answers tell their tokens without being asked. */
export const asItIs: Adapt = (body) => ({ body, toCaller: (data) => data });

/** Requests by these methods change nothing that costs. */
const FREE_METHODS: ReadonlySet<string> = new Set(['get', 'head', 'delete']);

/** Turns a copy of the client into the guarded one. */
export function guardClient<Client extends object>(given: {
  client: Client;
  /** Made by `client.withOptions({ fetch: refusingFetch(…) })`. */
  copy: Client;
  run: RunSource;
  rules: ProviderRules;
  newApiPromise: NewApiPromise;
  /** Guards what `withOptions` of the client returns. */
  guard: (client: Client) => Client;
}): Client {
  const { copy, run, rules, newApiPromise } = given;
  // What the transport of the clients looks like is in no type: both keep it private.
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
      // The caller reads the answer by itself, so that the tokens of a model call would not be seen.
      if (call.kind !== 'free') throw unguarded(rules, options, 'use the method of its resource');
      return client.makeRequest(options, ...more);
    },
    withOptions: (options) => given.guard(client.withOptions(options) as Client),
  };
  for (const [name, value] of Object.entries(overrides)) {
    if (typeof fieldOf(copy, name) !== 'function') {
      throw new UnguardedCall(`${rules.guardName} does not know this version of the client: no ${name}`);
    }
    Object.defineProperty(copy, name, { value, configurable: true, writable: true });
  }
  for (const name of rules.credentials) {
    const refuse = (): never => {
      throw new UnguardedCall(
        `A client of ${rules.guardName} does not give its ${name} away. ${useOwnClient(rules)}`,
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
      const answer = client.request(options, remainingRetries);
      return { props: withoutSpan(await answer.responsePromise), data: async () => answer };
    }
    const { body, toCaller } = call.adapt(call.body);
    let answer: ApiPromise | undefined;
    const data = await currentRun(run).modelCall({
      model: call.model,
      signal: options.signal instanceof AbortSignal ? options.signal : undefined,
      call: () => {
        answer = client.request({ ...options, body }, remainingRetries);
        return answer;
      },
    });
    if (answer === undefined) throw new Error('A call that returned has an answer');
    const shown = toCaller(data);
    return { props: withoutSpan(await answer.responsePromise), data: async () => shown };
  }
}

/**
 * The `fetch` of a guarded client. The clients ask for a `data:` address to learn what their `fetch` can do; nothing else
 * is fetched by it.
 */
export function refusingFetch(client: object, rules: ProviderRules): typeof fetch {
  return async (input, init) => {
    const fetch = fieldOf(client, 'fetch');
    if (typeof fetch === 'function' && String(input).startsWith('data:')) return fetch(input, init);
    throw new UnguardedCall(`A client of ${rules.guardName} has no fetch. ${useOwnClient(rules)}`);
  };
}

type Classified =
  | { kind: 'free' }
  | { kind: 'model'; adapt: Adapt; model: string; body: object }
  | { kind: 'refused'; instead: string | null };

function classify(given: { options: RequestOptions; client: object; rules: ProviderRules }): Classified {
  const { options, client, rules } = given;
  // These are merged over what is looked at here.
  if (changesRequest(fieldOf(options, 'fetchOptions')) || changesRequest(fieldOf(client, 'fetchOptions'))) {
    return { kind: 'refused', instead: 'leave method and body out of fetchOptions' };
  }
  if (FREE_METHODS.has(methodOf(options))) return { kind: 'free' };
  const path = pathOf(options);
  if (methodOf(options) !== 'post' || path === null) return { kind: 'refused', instead: null };
  if (Object.hasOwn(rules.modelCalls, path)) {
    const adapt = rules.modelCalls[path];
    if (adapt !== undefined) return classifyModelCall(options, adapt);
  }
  if (rules.freeCalls.some((pattern) => pattern.test(path))) return { kind: 'free' };
  return { kind: 'refused', instead: null };
}

/** Without its model a call has no price, and without a parsed answer it has no tokens. */
function classifyModelCall(options: RequestOptions, adapt: Adapt): Classified {
  const { body } = options;
  const model = fieldOf(body, 'model');
  if (typeof body !== 'object' || body === null || typeof model !== 'string' || model === '') {
    return { kind: 'refused', instead: 'give the model in the body' };
  }
  const isStream = fieldOf(body, 'stream') === true;
  if (isStream !== (options.stream === true)) {
    return { kind: 'refused', instead: 'give the same stream in the body and in the options' };
  }
  if (fieldOf(options, '__binaryResponse') === true) {
    return { kind: 'refused', instead: 'leave __binaryResponse out' };
  }
  if (fieldOf(body, 'background') === true && !isStream) {
    return {
      kind: 'refused',
      instead:
        'a response in the background tells its tokens only later: stream it, or poll in run.modelCall',
    };
  }
  return { kind: 'model', adapt, model, body };
}

function methodOf({ method }: RequestOptions): string {
  return typeof method === 'string' ? method.toLowerCase() : 'get';
}

/** As the provider sees it: without the query, and with its dot segments resolved. Null for another host. */
function pathOf({ path }: RequestOptions): string | null {
  if (typeof path !== 'string' || !path.startsWith('/')) return null;
  return new URL(`http://provider.invalid${path}`).pathname;
}

function changesRequest(fetchOptions: unknown): boolean {
  return fieldOf(fetchOptions, 'method') !== undefined || fieldOf(fetchOptions, 'body') !== undefined;
}

function unguarded(rules: ProviderRules, options: RequestOptions, instead: string | null): UnguardedCall {
  const what = `${methodOf(options).toUpperCase()} ${String(options.path)}`;
  return new UnguardedCall(
    `${what} is not guarded by ${rules.guardName}, and was not sent: ${instead ?? useOwnClient(rules)}`,
  );
}

function useOwnClient({ guardName }: ProviderRules): string {
  return `make the call with the client that was given to ${guardName}, within run.modelCall`;
}

/** The span of a traced call ends with the promise of the given client; the one of the caller must not end it again. */
function withoutSpan(props: object): object {
  const options = fieldOf(props, 'options');
  if (typeof options !== 'object' || options === null) return props;
  return { ...props, options: { ...options, __span: undefined } };
}
