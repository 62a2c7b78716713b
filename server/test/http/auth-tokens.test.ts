/** Forged dashboard tokens: whoever does not know the secret, or bends a token, is nobody. */

import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

const SECRET = 'a secret that only this test knows, long enough';

let service: TestService;
let tenant: TestTenant;
let accountId: string;
beforeAll(async () => {
  service = await startTestService({ JWT_SECRET: SECRET, JWT_TTL_SECONDS: '600' });
  tenant = await service.register();
  accountId = (await tenant.person.get('/v1/auth/me')).body.id;
});
afterAll(() => service.stop());

const key = (secret: string) => new TextEncoder().encode(secret);
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const nowSeconds = () => Math.floor(service.clock.now() / 1000);

function claims(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const iat = nowSeconds();
  return {
    ver: 1,
    sub: accountId,
    iss: 'guarded-runs',
    aud: 'guarded-runs',
    iat,
    exp: iat + 600,
    ...changes,
  };
}

function sign(payload: Record<string, unknown>, { alg = 'HS256', secret = SECRET } = {}): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(key(secret));
}

const statusOf = async (token: string) => (await new ApiClient(service.url, token).get('/v1/auth/me')).status;

test('the forgeries below fail for what is wrong with them: the same claims signed rightly are accepted', async () => {
  expect(await statusOf(await sign(claims()))).toBe(200);
});

test.each<[string, () => string | Promise<string>]>([
  ['another secret', () => sign(claims(), { secret: 'another secret that is long enough, too' })],
  ['an empty signature', async () => (await sign(claims())).replace(/[^.]+$/, '')],
  ['no signature part', async () => (await sign(claims())).replace(/\.[^.]+$/, '')],
  ['alg none without signature', () => `${base64({ alg: 'none', typ: 'JWT' })}.${base64(claims())}.`],
  ['alg None in other letters', () => `${base64({ alg: 'nOnE', typ: 'JWT' })}.${base64(claims())}.`],
  [
    'alg none with the signature of a good token',
    () => `${base64({ alg: 'none' })}.${base64(claims())}.${tenant.token.split('.')[2]}`,
  ],
  ['HS512 with the right secret', () => sign(claims(), { alg: 'HS512' })],
  ['HS384 with the right secret', () => sign(claims(), { alg: 'HS384' })],
  ['a header that says RS256 over an HMAC', () => hmacSigned({ alg: 'RS256', typ: 'JWT' })],
  ['a critical extension nobody knows', () => hmacSigned({ alg: 'HS256', crit: ['x'], x: 1 })],
  ['a key of its own in the header', () => hmacSigned({ alg: 'HS256', jwk: { kty: 'oct', k: 'AA' } }, 'AA')],
  ['changed claims under an old signature', () => withPayload(claims({ ver: 1, admin: true }))],
  ['another version', () => sign(claims({ ver: 2 }))],
  ['a version of 0', () => sign(claims({ ver: 0 }))],
  ['a version as text', () => sign(claims({ ver: '1' }))],
  ['no version', () => sign(claims({ ver: undefined }))],
  ['no subject', () => sign(claims({ sub: undefined }))],
  ['an unknown subject', () => sign(claims({ sub: '01890000-0000-7000-8000-000000000000' }))],
  ['a subject that is no id', () => sign(claims({ sub: "' OR 1=1 --" }))],
  ['a subject with a NUL', () => sign(claims({ sub: '\0' }))],
  ['the workspace as subject', () => sign(claims({ sub: tenant.workspaceId }))],
  ['another issuer', () => sign(claims({ iss: 'someone-else' }))],
  ['another audience', () => sign(claims({ aud: 'someone-else' }))],
  ['no expiry', () => sign(claims({ exp: undefined }))],
  ['an expiry as text', () => sign(claims({ exp: 'tomorrow' }))],
  ['an expiry in the past', () => sign(claims({ exp: nowSeconds() - 1 }))],
  ['not valid yet', () => sign(claims({ nbf: nowSeconds() + 60 }))],
  ['two dots and nothing else', () => '..'],
  ['not base64', () => '!!!.???.###'],
  ['JSON that is no object', () => `${base64('text')}.${base64(5)}.${base64(null)}`],
  ['a hundred dots', () => '.'.repeat(100)],
  ['eight kilobytes', () => 'a'.repeat(8_000)],
])('is refused with 401: %s', async (_, forge) => {
  const reply = await new ApiClient(service.url, await forge()).get('/v1/auth/me');
  expect([reply.status, reply.body]).toEqual([401, { detail: 'The token is invalid or has expired' }]);
});

test('JWT_TTL_SECONDS is the lifetime of a token', async () => {
  const { token } = await service.register();
  service.clock.advance(599_000);
  expect(await statusOf(token)).toBe(200);
  service.clock.advance(1_000);
  expect(await statusOf(token)).toBe(401);
});

function hmacSigned(header: Record<string, unknown>, secret = SECRET): string {
  const signed = `${base64(header)}.${base64(claims())}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function withPayload(payload: Record<string, unknown>): string {
  const [header, , signature] = tenant.token.split('.');
  return `${header}.${base64(payload)}.${signature}`;
}
