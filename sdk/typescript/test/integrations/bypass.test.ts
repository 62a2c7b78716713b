/**
 * No method of a guarded client reaches the provider without permission. The tests call every method of the real
 * clients: a new method of a new version fails here until it is classified as guarded, free or refused.
 */

import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { AzureOpenAI } from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GuardedRun, StepDenied, UnguardedCall } from '../../src/index.js';
import { guardAnthropic } from '../../src/integrations/anthropic.js';
import { guardOpenAI } from '../../src/integrations/openai.js';
import { type GuardFixture, MODEL, startGuard } from '../support/guard-fixture.js';
import { type ProviderStandIn, startProvider, TOKENS } from '../support/provider-stand-in.js';
import { isStopped, surfaceOf } from './client-surface.js';

const messages = [{ role: 'user' as const, content: 'Hi' }];

let provider: ProviderStandIn;
let fixture: GuardFixture;
let run: GuardedRun;
beforeAll(async () => {
  [provider, fixture] = await Promise.all([startProvider(), startGuard()]);
});
afterAll(() => Promise.all([provider.stop(), fixture.stop()]));

let runCount = 0;
beforeEach(async () => {
  await fixture.guard.workspace.setKillSwitch(false);
  runCount += 1;
  run = await fixture.guard.start({ userId: `user-${runCount}` });
  provider.requests.length = 0;
});

const stop = () => fixture.guard.workspace.setKillSwitch(true);
const stepsOfRun = () => fixture.stepsOf(`user-${runCount}`);

const COMMON = { apiKey: 'none', maxRetries: 0, logLevel: 'off' } as const;
const newOpenAI = () => new OpenAI({ ...COMMON, adminAPIKey: 'none', baseURL: `${provider.url}/v1` });
const newAnthropic = () => new Anthropic({ ...COMMON, baseURL: provider.url });
const openAI = () => guardOpenAI(newOpenAI(), run);
const anthropic = () => guardAnthropic(newAnthropic(), run);

interface Surface {
  readonly name: string;
  newClient(): object;
  /** The writes that pass because they cost no tokens. */
  readonly free: readonly string[];
  /** Methods of the client itself that send nothing. */
  readonly local: readonly string[];
  /** Resource methods that send nothing, or only later, through other methods of the client. */
  readonly localResourceMethods: readonly string[];
}

const LOCAL = [
  '_makeAbort authHeaders bearerAuth buildBody buildHeaders buildRequest buildURL calculateDefaultRetryTimeoutMillis',
  'defaultQuery getUserAgent makeStatusError prepareOptions prepareRequest shouldRetry stringifyQuery validateHeaders',
  // Tested separately below.
  'withOptions',
];

const SURFACES: readonly Surface[] = [
  {
    name: 'OpenAI',
    newClient: openAI,
    free: [
      '/v1/batches/id/cancel',
      '/v1/chatkit/sessions/id/cancel',
      '/v1/files',
      '/v1/fine_tuning/jobs/id/cancel',
      '/v1/responses/id/cancel',
      '/v1/responses/id/cancel?beta=true',
      '/v1/responses/input_tokens',
      '/v1/responses/input_tokens?beta=true',
      '/v1/threads/id/runs/id/cancel',
      '/v1/uploads',
      '/v1/uploads/id/cancel',
      '/v1/uploads/id/complete',
      '/v1/uploads/id/parts',
      '/v1/vector_stores/id/file_batches/id/cancel',
    ],
    local: words(...LOCAL, '_callApiKey adminAPIKeyAuth defaultIdempotencyKey'),
    localResourceMethods: words('webhooks.unwrap webhooks.verifySignature'),
  },
  {
    name: 'Anthropic',
    newClient: anthropic,
    free: ['/v1/files', '/v1/messages/batches/id/cancel', '/v1/messages/count_tokens'],
    local: words(
      ...LOCAL,
      '_applyCredentialBaseURL _authFlags _calculateNonstreamingTimeout _credentialResolverOptions _credentialsFetch',
      '_instrumentationScope _makeTokenCache _resolveDefaultCredentials _shouldResolveDefaultCredentials apiKeyAuth',
      'backendMiddleware calculateNonstreamingTimeout isStreamBody',
    ),
    localResourceMethods: words(
      'beta.messages._toolRunnerThread beta.messages.thread',
      'beta.environments.work.poller beta.environments.work.worker',
      'beta.webhooks.parseUnverified beta.webhooks.unwrap',
    ),
  },
];

describe.each(SURFACES)('$name, the whole client', ({ newClient, free, local, localResourceMethods }) => {
  test('with the kill switch on, every resource method reads, is free, or is stopped', async () => {
    await stop();
    const unclassified: string[] = [];
    for (const { name, call } of surfaceOf(newClient()).filter(isResourceMethod)) {
      const before = provider.requests.length;
      let stopped = false;
      for (const given of resourceArguments()) stopped = (await isStopped(() => call(given))) || stopped;
      if (!stopped && provider.requests.length === before) unclassified.push(name);
    }
    expect(unclassified.sort()).toEqual([...localResourceMethods].sort());
    expect(pathsWritten()).toEqual(free);
  });

  test('every method of the client itself is classified, and is stopped if it writes', async () => {
    await stop();
    const sending = clientArguments();
    const methods = surfaceOf(newClient()).filter((method) => !isResourceMethod(method));
    const names = methods.map(({ name }) => name);
    expect(names.filter((name) => !local.includes(name) && !Object.hasOwn(sending, name))).toEqual([]);
    for (const { name, call } of methods) {
      const given = sending[name];
      if (given === undefined) continue;
      expect(await isStopped(() => call(given)), name).toBe(name !== 'get' && name !== 'delete');
    }
    expect(pathsWritten()).toEqual([]);
  });
});

describe('withOptions', () => {
  test('returns a guarded client, even if it is chained', async () => {
    await stop();
    const options = { timeout: 1_000, fetch };
    const first = openAI().withOptions(options).withOptions({});
    await expect(first.chat.completions.create({ model: MODEL, messages })).rejects.toThrow(StepDenied);
    const second = anthropic().withOptions(options).withOptions({});
    const call = second.messages.create({ model: MODEL, max_tokens: 10, messages });
    await expect(call).rejects.toThrow(StepDenied);
    expect(provider.requests).toEqual([]);
  });

  test('applies the options, and the call is recorded', async () => {
    const client = openAI().withOptions({ baseURL: `${provider.url}/other` });
    await client.chat.completions.create({ model: MODEL, messages });
    expect(provider.requests).toMatchObject([{ path: '/other/chat/completions' }]);
    expect(await stepsOfRun()).toMatchObject([{ model: MODEL, prompt_tokens: TOKENS.prompt }]);
  });
});

describe('raw requests', () => {
  test('a model call by post is guarded and recorded with its tokens and cost', async () => {
    const body = { model: MODEL, messages };
    await openAI().post('/chat/completions', { body });
    await anthropic().post('/v1/messages', { body: { ...body, max_tokens: 10 } });
    const step = { status: 'COMPLETED', model: MODEL, prompt_tokens: TOKENS.prompt, cost_usd: 0.000_092 };
    expect(await stepsOfRun()).toMatchObject([step, step]);
    await stop();
    await expect(openAI().post('/chat/completions', { body })).rejects.toThrow(StepDenied);
    expect(provider.requests).toHaveLength(2);
  });

  test('a stream by post is recorded with the tokens of its last chunk', async () => {
    const body = { model: MODEL, messages, stream: true };
    const stream = await openAI().post('/chat/completions', { body, stream: true });
    for await (const _ of stream as AsyncIterable<unknown>);
    expect(await stepsOfRun()).toMatchObject([{ status: 'COMPLETED', completion_tokens: TOKENS.completion }]);
  });

  test.each<[string, string, object]>([
    ['another path', '/images/generations', { body: { model: MODEL, prompt: 'Hi' } }],
    ['a path that resolves to another one', '/files/../images/generations', { body: {} }],
    ['a free path in the fragment', '/images/generations#/cancel', { body: {} }],
    ['another host', 'http://127.0.0.1:1/v1/files', { body: {} }],
    ['a model call without a model', '/responses', { body: { prompt: { id: 'stored' }, input: 'Hi' } }],
    ['a model call as text', '/chat/completions', { body: JSON.stringify({ model: MODEL, messages }) }],
    ['a stream without the stream option', '/chat/completions', { body: { model: MODEL, stream: true } }],
    ['a binary response', '/chat/completions', { body: { model: MODEL }, __binaryResponse: true }],
    ['a response in the background', '/responses', { body: { model: MODEL, background: true } }],
    ['a body in fetchOptions', '/files', { fetchOptions: { body: JSON.stringify({ model: MODEL }) } }],
  ])('%s throws UnguardedCall, and nothing is sent', async (_, path, options) => {
    await expect(openAI().post(path, options)).rejects.toThrow(UnguardedCall);
    expect(provider.requests).toEqual([]);
    expect(await stepsOfRun()).toEqual([]);
  });

  test('a get that fetchOptions turn into a post throws UnguardedCall', async () => {
    // The types forbid this, but the client supports it.
    const fetchOptions: object = { method: 'POST', body: JSON.stringify({ model: MODEL, messages }) };
    await expect(openAI().get('/chat/completions', { fetchOptions })).rejects.toThrow(UnguardedCall);
    const configured = guardOpenAI(newOpenAI().withOptions({ fetchOptions }), run);
    await expect(configured.get('/chat/completions')).rejects.toThrow(UnguardedCall);
    expect(provider.requests).toEqual([]);
  });

  test('the error names the call and what to use instead', async () => {
    await expect(openAI().images.generate({ prompt: 'Hi' })).rejects.toThrow(
      'POST /images/generations is not guarded by guardOpenAI and was not sent: use the client that you passed to ' +
        'guardOpenAI, within run.modelCall',
    );
  });
});

test('reads and uploads pass without a step, even with the kill switch on', async () => {
  await stop();
  expect((await openAI().models.list()).data).toEqual([]);
  const { id } = await openAI().files.create({ file: new File(['{}'], 'x.jsonl'), purpose: 'user_data' });
  expect(id).toMatch(/^file-/);
  expect(await stepsOfRun()).toEqual([]);
});

test('a guarded client does not expose its key, so no socket can be opened with it', async () => {
  const client = openAI();
  expect(() => new OpenAIRealtimeWS({ model: MODEL }, client)).toThrow(UnguardedCall);
  expect(() => new ResponsesWS(client)).toThrow(UnguardedCall);
  expect(() => anthropic().apiKey).toThrow(UnguardedCall);
});

test('a client created from the options of a guarded client cannot reach the provider', async () => {
  const { _options } = openAI() as unknown as { _options: object };
  const rebuilt = new OpenAI({ ..._options, maxRetries: 0 });
  const error = await rebuilt.models.list().then(null, (thrown: unknown) => thrown);
  expect(error).toMatchObject({ cause: expect.any(UnguardedCall) });
  expect(provider.requests).toEqual([]);
});

test('an Azure client is guarded and calls its deployment', async () => {
  const client = new AzureOpenAI({ ...COMMON, apiVersion: 'test', baseURL: `${provider.url}/openai` });
  await guardOpenAI(client, run).chat.completions.create({ model: MODEL, messages });
  const path = `/openai/deployments/${MODEL}/chat/completions?api-version=test`;
  expect(provider.requests).toMatchObject([{ path }]);
  expect(await stepsOfRun()).toMatchObject([{ model: MODEL, prompt_tokens: TOKENS.prompt }]);
});

function words(...lines: string[]): string[] {
  return lines.join(' ').split(' ');
}

function isResourceMethod({ name }: { name: string }): boolean {
  return name.includes('.');
}

/** The unique paths of the requests other than GET and DELETE that reached the provider, sorted. */
function pathsWritten(): string[] {
  const written = provider.requests.filter(({ method }) => method !== 'GET' && method !== 'DELETE');
  return [...new Set(written.map(({ path }) => path))].sort();
}

/** One of these fits every method: a body, or one or two ids followed by a body. */
function resourceArguments(): unknown[][] {
  const ids = words(
    'thread_id eval_id run_id vector_store_id container_id conversation_id project_id group_id user_id skill_id',
    'environment_id session_id memory_store_id vault_id fine_tuned_model_checkpoint workspace_id agent_id plugin_id',
    'destination_id tunnel_id federation_rule_id service_account_id rbac_group_id bundle_id',
  );
  const file = new File(['{}'], 'file.json');
  const body = {
    ...Object.fromEntries(ids.map((name) => [name, 'id'])),
    ...{ model: MODEL, messages, input: 'Hi', prompt: 'Hi', max_tokens: 10, tools: [] },
    ...{ file, files: [file], image: file },
  };
  return [[body], ['id', body], ['id', 'id', body]];
}

/** Arguments for each client method that sends requests. */
function clientArguments(): Record<string, unknown[]> {
  const path = '/images/generations';
  const body = { model: MODEL, prompt: 'Hi' };
  const options = { method: 'post', path, body };
  const url = `${provider.url}/v1${path}`;
  const init = { method: 'POST', body: JSON.stringify(body) };
  const soon = new Headers({ 'retry-after-ms': '1' });
  return {
    get: [path],
    delete: [path],
    post: [path, { body }],
    put: [path, { body }],
    patch: [path, { body }],
    methodRequest: ['post', path, { body }],
    request: [options],
    makeRequest: [options, null, undefined],
    makeTracedRequest: [options, null],
    // The headers are the fourth or fifth argument, depending on the client.
    retryRequest: [options, 1, 'log', soon, soon],
    getAPIList: [path, Object, { method: 'post', body }],
    requestAPIList: [Object, options],
    fetch: [url, init],
    fetchWithAuth: [url, init, 1_000, new AbortController()],
    fetchWithTimeout: [url, init, 1_000, new AbortController()],
  };
}
