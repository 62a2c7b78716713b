/** Every invalid request is answered with `{"detail": "…"}` and the right status, never with a 500. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../support/api-client.js';
import { expectError } from '../support/error-reply.js';
import { exchangeRaw, rawRequest, sendRaw } from '../support/raw-http.js';
import { startTestService, type TestService } from '../support/test-service.js';

const BODY_LIMIT_BYTES = 4_096;

let service: TestService;
let small: TestService;
let machine: ApiClient;
let authorization: string;
beforeAll(async () => {
  service = await startTestService();
  small = await startTestService({ BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES) });
  const tenant = await service.register();
  machine = tenant.machine;
  authorization = `Bearer ${tenant.apiKey}`;
});
afterAll(() => Promise.all([service.stop(), small.stop()]));

/** A run start with this text as metadata. */
const startWith = (metadata: string) => machine.post('/v1/runs/', `{"user_id":"ada","metadata":${metadata}}`);

describe('paths and methods', () => {
  test.each([
    '/nothing',
    '/v1',
    '/v1/nothing',
    '/v2/runs',
    '/v1/runs/x/y',
    '//v1/runs',
    '/v1/runs/../../etc/passwd',
  ])('an unknown path is a 404: %s', async (path) => {
    for (const method of ['GET', 'PUT', 'QUERY']) {
      expectError(await sendRaw(service.url, rawRequest(`${method} ${path} HTTP/1.1`)), 404, 'Not found');
    }
  });

  test.each([
    ['DELETE', '/v1/runs/', 'GET, HEAD, POST'],
    ['PUT', '/v1/workspace/', 'GET, HEAD, PATCH'],
    ['GET', '/v1/workspace/kill-switch', 'POST'],
    ['POST', '/v1/runs/01890000-0000-7000-8000-000000000000', 'GET, HEAD'],
    ['GET', '/v1/runs/x/steps/y/?page=1', 'PATCH'],
    ['DELETE', '/v1/model-pricing/meta-llama/Llama-3', 'PUT'],
    ['PATCH', '/v1/auth/login', 'POST'],
    ['POST', '/health', 'GET, HEAD'],
    ['DELETE', 'http://localhost/v1/workspace/', 'GET, HEAD, PATCH'],
    ['OPTIONS', '/v1/runs/', 'GET, HEAD, POST'],
    ['TRACE', '/v1/runs/', 'GET, HEAD, POST'],
    ['QUERY', '/v1/runs/', 'GET, HEAD, POST'],
  ])('a wrong method is a 405 that allows the right ones: %s %s', async (method, path, allow) => {
    const reply = await sendRaw(service.url, rawRequest(`${method} ${path} HTTP/1.1`, { authorization }));
    expectError(reply, 405, `Method ${method} is not allowed on this path`);
    expect(reply.headers.get('allow')).toBe(allow);
  });

  test.each([
    '/v1/runs/%',
    '/v1/runs/%zz',
    '/v1/runs/%ff',
    '/v1/runs/%c3%28/end',
    '/v1/users/%ed%a0%80/block',
    '/v1/model-pricing/%E0%A4%A',
    '/%',
  ])('malformed percent-encoding in the path is a 400 for every method: %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT']) {
      const head = rawRequest(`${method} ${path} HTTP/1.1`, { authorization, 'content-length': 0 });
      expectError(await sendRaw(service.url, head), 400, 'The path is not a valid URL path');
    }
  });

  test('malformed percent-encoding in the query is read as text', async () => {
    expect((await machine.get('/v1/runs/?user_id=%')).status).toBe(200);
    expect((await machine.get('/v1/runs/?user_id=%zz&%=%')).status).toBe(200);
  });

  test('an id of thousands of characters is not found', async () => {
    expectError(await machine.get(`/v1/runs/${'a'.repeat(10_000)}`), 404, 'Run not found');
  });
});

describe('bodies', () => {
  test.each([
    '{',
    '{"user_id":"ada"',
    '{user_id:1}',
    '[1,]',
    'nul',
    '"\u0001"',
    "{'a':1}",
    '\ufeff{}',
    '{}{}',
  ])('malformed JSON is a 400: %s', async (text) => {
    expectError(await machine.post('/v1/runs/', text), 400, 'The body is not valid JSON');
  });

  test('bytes that are not UTF-8 are a 400', async () => {
    const body = '{"user_id":"\xed\xa0\x80"}';
    const head = rawRequest('POST /v1/runs/ HTTP/1.1', {
      authorization,
      'content-type': 'application/json',
      'content-length': body.length,
    });
    expectError(
      await sendRaw(service.url, Buffer.from(head + body, 'latin1')),
      400,
      'The body is not valid UTF-8',
    );
  });

  test.each([
    ['POST', '/v1/runs/'],
    ['POST', '/v1/auth/login'],
    ['PATCH', '/v1/workspace/'],
    ['PUT', '/v1/model-pricing/gpt'],
  ])('an empty body where one is required is a 422: %s %s', async (method, path) => {
    expectError(await machine.send(method, path), 422, 'body must be object');
    expectError(
      await machine.send(method, path, '', { 'content-type': 'application/json' }),
      422,
      'body must be object',
    );
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json-patch+json',
    'nonsense',
    '',
  ])('a content type other than JSON is a 415: %j', async (type) => {
    const reply = await machine.send('POST', '/v1/runs/', '{"user_id":"ada"}', { 'content-type': type });
    expectError(reply, 415, 'The content type must be application/json');
  });

  test('a body without a content type is a 415', async () => {
    const head = rawRequest('POST /v1/runs/ HTTP/1.1', { authorization, 'content-length': 17 });
    expectError(await sendRaw(service.url, `${head}{"user_id":"ada"}`), 415);
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
    'is accepted with the content type %s',
    async (type) => {
      const reply = await machine.send('PATCH', '/v1/workspace/', '{}', { 'content-type': type });
      expect(reply.status).toBe(200);
    },
  );

  test.each(['gzip', 'br', 'deflate', 'x-unknown'])(
    'a body compressed with %s is a 415',
    async (encoding) => {
      const reply = await machine.send('POST', '/v1/runs/', '{"user_id":"ada"}', {
        'content-encoding': encoding,
      });
      expectError(reply, 415, 'Compressed bodies are not accepted');
    },
  );
});

describe('a body over the limit', () => {
  const ofBytes = (length: number) => `{"user_id":"ada","metadata":{"x":"${'y'.repeat(length - 37)}"}}`;

  test('is a 413, whether its length is announced or not; at the limit it is accepted', async () => {
    const tenant = await small.register();
    const post = (length: number) => tenant.machine.post('/v1/runs/', ofBytes(length));
    expect(ofBytes(BODY_LIMIT_BYTES)).toHaveLength(BODY_LIMIT_BYTES);
    expect((await post(BODY_LIMIT_BYTES)).status).toBe(201);
    expectError(await post(BODY_LIMIT_BYTES + 1), 413, 'The body is too large');

    const headers = { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' };
    const announced = rawRequest('POST /v1/runs/ HTTP/1.1', { ...headers, 'content-length': 10_000_000_000 });
    expectError(await sendRaw(small.url, announced), 413);
    const chunked = rawRequest('POST /v1/runs/ HTTP/1.1', { ...headers, 'transfer-encoding': 'chunked' });
    const chunk = `${(BODY_LIMIT_BYTES + 1).toString(16)}\r\n${ofBytes(BODY_LIMIT_BYTES + 1)}\r\n0\r\n\r\n`;
    expectError(await sendRaw(small.url, chunked + chunk), 413);
  });

  test('is 1 MiB unless configured', async () => {
    expect((await machine.post('/v1/runs/', ofBytes(1_048_576))).status).toBe(201);
    expectError(await machine.post('/v1/runs/', ofBytes(1_048_577)), 413);
  });

  test.each(['/v1/auth/login', '/v1/auth/register'])(
    'is 16 KiB on routes without a credential: %s',
    async (path) => {
      const ofSize = (bytes: number) => `{"email":"${'x'.repeat(bytes - 12)}"}`;
      expect(ofSize(16_384)).toHaveLength(16_384);
      expectError(await service.anonymous.post(path, ofSize(16_384)), 422);
      expectError(await service.anonymous.post(path, ofSize(16_385)), 413, 'The body is too large');
      expectError(await small.anonymous.post(path, ofSize(BODY_LIMIT_BYTES + 1)), 413);
    },
  );

  test.each([
    ['POST', '/v1/nothing', 404],
    ['PUT', '/v1/workspace/', 405],
    ['QUERY', '/v1/runs/', 405],
  ])('is not read where there is no route: %s %s', async (method, path, status) => {
    const announced = rawRequest(`${method} ${path} HTTP/1.1`, {
      'content-type': 'application/json',
      'content-length': 10_000_000_000,
    });
    expectError(await sendRaw(service.url, announced), status);
  });

  test('is not read without a valid credential', async () => {
    const announced = rawRequest('POST /v1/runs/ HTTP/1.1', {
      'content-type': 'application/json',
      'content-length': 10_000_000_000,
    });
    expectError(await sendRaw(service.url, announced), 401);
  });
});

describe('values that cannot be stored', () => {
  test.each([
    ['in a field', '{"user_id":"a\\u0000b"}', 'body/user_id must not contain a NUL character'],
    [
      'deep in metadata',
      '{"user_id":"ada","metadata":{"a":[{"b":"\\u0000"}]}}',
      'body/metadata/a/0/b must not contain a NUL character',
    ],
    [
      'in a name',
      '{"user_id":"ada","metadata":{"a":{"\\u0000":1}}}',
      'a name in body/metadata/a must not contain a NUL character',
    ],
    ['in an unknown field', '{"user_id":"ada","x":"\\u0000"}', 'body/x must not contain a NUL character'],
    ['behind a backslash', '{"user_id":"\\\\\\u0000"}', 'body/user_id must not contain a NUL character'],
  ])('a NUL character is a 422: %s', async (_, text, detail) => {
    expectError(await machine.post('/v1/runs/', text), 422, detail);
  });

  test('text that only looks like a NUL character is stored', async () => {
    const { body } = await startWith('{"x":"\\\\u0000"}');
    expect((await machine.get(`/v1/runs/${body.id}`)).body.metadata).toEqual({ x: '\\u0000' });
  });

  test.each(['"\\ud800"', '"\\udc00\\ud800"', '{"\\uDFFF":1}', '["ok","\\uD83C"]'])(
    'half of a surrogate pair is a 422: %s',
    async (text) => {
      expectError(await startWith(`{"x":${text}}`), 422, expect.stringContaining('well-formed Unicode'));
    },
  );

  test('a complete surrogate pair is stored', async () => {
    const { body } = await startWith('{"x":"\\ud83c\\udf89"}');
    expect((await machine.get(`/v1/runs/${body.id}`)).body.metadata).toEqual({ x: '🎉' });
  });

  test.each(['1e400', '-1E+400', '1e0000309', `1${'0'.repeat(400)}`, `${'9'.repeat(250)}e99`, '0.1e310'])(
    'a number beyond a double is a 422: %s',
    async (number) => {
      expectError(
        await startWith(`{"x":${number}}`),
        422,
        'body/metadata/x must be a number in the range of a double',
      );
    },
  );

  test.each(['daily_budget_usd', 'user_daily_budget_usd', 'max_concurrent_runs'])(
    'a number beyond a double is a 422 in %s',
    async (field) => {
      for (const number of ['1e400', `${'9'.repeat(250)}e99`]) {
        expectError(await machine.patch('/v1/workspace/', `{"${field}":${number}}`), 422);
      }
    },
  );

  test.each([
    ['PATCH', '/v1/workspace/', '{"daily_budget_usd":1234567.123456789012}', 'body/daily_budget_usd'],
    ['PATCH', '/v1/workspace/', '{"daily_budget_usd":1e-400}', 'body/daily_budget_usd'],
    ['PATCH', '/v1/workspace/', '{"max_concurrent_runs":1.0000000000000000001}', 'body/max_concurrent_runs'],
    [
      'PUT',
      '/v1/model-pricing/gpt',
      '{"input_cost_per_token":0.0010000000000000000001,"output_cost_per_token":0}',
      'body/input_cost_per_token',
    ],
    ['POST', '/v1/runs/', '{"user_id":"ada","metadata":{"id":9007199254740993}}', 'body/metadata/id'],
    ['POST', '/v1/runs/x/steps', '{"type":"INPUT","sequence":1.0000000000000001}', 'body/sequence'],
    [
      'POST',
      '/v1/runs/x/steps',
      '{"type":"INPUT","sequence":1,"input_data":{"ids":[1,12345678901234567890]}}',
      'body/input_data/ids/1',
    ],
    [
      'PATCH',
      '/v1/runs/x/steps/y',
      '{"status":"FAILED","prompt_tokens":9007199254740993}',
      'body/prompt_tokens',
    ],
    ['PATCH', '/v1/runs/x/steps/y', '{"status":"FAILED","duration_ms":1e-400}', 'body/duration_ms'],
  ])('a number that would be rounded is a 422 that names it: %s %s %s', async (method, path, text, place) => {
    expectError(await machine.send(method, path, text), 422, expect.stringMatching(`^${place} must be`));
  });

  test.each(['9007199254740992', '-0.1', '3.141592653589793', '1e22', '1.5e300', '0.30000000000000004'])(
    'a number that a double represents is stored unchanged: %s',
    async (number) => {
      const { body } = await startWith(`{"x":${number}}`);
      expect((await machine.get(`/v1/runs/${body.id}`)).body.metadata).toEqual({ x: Number(number) });
    },
  );

  test('nesting beyond 100 levels is a 422, however deep, and up to 100 it is stored', async () => {
    const nested = (levels: number) => `{"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    for (const levels of [99, 1_000, 500_000]) {
      expectError(await startWith(nested(levels)), 422, 'body must not be nested deeper than 100 levels');
    }
    const { body } = await startWith(nested(98));
    const metadata = (await machine.get(`/v1/runs/${body.id}`)).body.metadata;
    expect(JSON.stringify(metadata)).toBe(nested(98));
    expect((await startWith(`{"x":"${'['.repeat(1_000)}"}`)).status).toBe(201);
    expect((await startWith(`{"x":[${Array(1_000).fill('[]').join()}]}`)).status).toBe(201);
  });
});

describe('requests that are barely HTTP', () => {
  test('headers of 20 kilobytes are a 431', async () => {
    const reply = await sendRaw(service.url, rawRequest('GET /health HTTP/1.1', { x: 'y'.repeat(20_000) }));
    expectError(reply, 431, 'The request headers are too large');
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['an unknown method', rawRequest('FOO /health HTTP/1.1')],
    ['a header without a name', 'GET /health HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n'],
    ['a length that is no number', rawRequest('POST /v1/runs/ HTTP/1.1', { 'content-length': 'many' })],
    ['two lengths', 'POST /v1/runs/ HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}'],
    [
      'a length and chunks',
      rawRequest('POST /v1/runs/ HTTP/1.1', { 'content-length': 2, 'transfer-encoding': 'chunked' }, '{}'),
    ],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n'],
  ])('is a 400: %s', async (_, bytes) => {
    expectError(await sendRaw(service.url, bytes), 400);
  });

  test('an expectation that cannot be met is a 417', async () => {
    const head = rawRequest('POST /v1/runs/ HTTP/1.1', { expect: 'a-miracle', 'content-length': 0 });
    expectError(await sendRaw(service.url, head), 417);
  });
});

test('a client that disconnects in the middle of its body is not logged as a bug', async () => {
  const head = rawRequest('POST /v1/runs/ HTTP/1.1', {
    authorization,
    'content-type': 'application/json',
    'content-length': 100,
    'x-request-id': 'gone-away',
  });
  await exchangeRaw(service.url, Buffer.from(`${head}{"user`), { timeoutMs: 10_000, isCut: true });
  await service.anonymous.send('GET', '/health', undefined, { 'x-request-id': 'came-after' });
  await expect.poll(() => service.logs()).toContain('came-after');
  const lines = service.logs().trim().split('\n');
  const levels = lines.filter((line) => line.includes('gone-away')).map((line) => JSON.parse(line).level);
  expect(levels.filter((level) => level >= 50)).toEqual([]);
  expect((await service.anonymous.get('/metrics')).text).not.toMatch(/status="5\d\d"/);
});

test('no request in this file caused an internal error: none was logged', () => {
  const levels = service
    .logs()
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line).level);
  expect(levels.length).toBeGreaterThan(50);
  expect(levels.filter((level) => Number(level) >= 50)).toEqual([]);
});
