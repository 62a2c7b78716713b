/** Forged dashboard tokens: a token signed without the secret, or modified, is refused. */

import { createHmac } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
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

test('the forgeries below fail only for their flaw: the same claims signed correctly are accepted', async () => {
  expect(await statusOf(await sign(claims()))).toBe(200);
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The 32 bytes of a signature leave two bits of the last character unused. */
function withOtherLastCharacter(token: string): string {
  const last = ALPHABET.indexOf(token.at(-1) ?? '');
  const bent = token.slice(0, -1) + ALPHABET[last + 1];
  expect(Buffer.from(bent.split('.')[2] ?? '', 'base64url')).toEqual(
    Buffer.from(token.split('.')[2] ?? '', 'base64url'),
  );
  return bent;
}

/** Signatures are random: one of several has a character that differs between the two alphabets. */
async function inPlainAlphabet(): Promise<string> {
  for (let jti = 0; ; jti += 1) {
    const token = await sign(claims({ jti: String(jti) }));
    const bent = token.replaceAll('-', '+').replaceAll('_', '/');
    if (bent !== token) return bent;
  }
}

type Forgery = [string, () => string | Promise<string>];

test.each<Forgery>([
  ['another secret', () => sign(claims(), { secret: 'another secret that is long enough, too' })],
  ['padding', async () => `${await sign(claims())}=`],
  ['padding twice', async () => `${await sign(claims())}==`],
  ['padding after the header', async () => (await sign(claims())).replace('.', '=.')],
  ['padding after the payload', async () => (await sign(claims())).replace(/\.(?=[^.]*$)/, '=.')],
  [
    'a last character that stands for the same bits',
    async () => withOtherLastCharacter(await sign(claims())),
  ],
  ['the alphabet of plain base64', () => inPlainAlphabet()],
  ['an empty signature', async () => (await sign(claims())).replace(/[^.]+$/, '')],
  ['no signature part', async () => (await sign(claims())).replace(/\.[^.]+$/, '')],
  ['alg none without signature', () => `${base64({ alg: 'none', typ: 'JWT' })}.${base64(claims())}.`],
  ...['None', 'NONE', 'nOnE', ' none', 'none ', '', null, 0, [], ['none'], { alg: 'none' }].map(
    (alg): Forgery => [
      `alg none as ${JSON.stringify(alg)}`,
      () => `${base64({ alg, typ: 'JWT' })}.${base64(claims())}.`,
    ],
  ),
  ['no alg', () => hmacSigned({ typ: 'JWT' })],
  ['hs256 in small letters', () => hmacSigned({ alg: 'hs256', typ: 'JWT' })],
  [
    'alg none with the signature of a good token',
    () => `${base64({ alg: 'none' })}.${base64(claims())}.${tenant.token.split('.')[2]}`,
  ],
  ['HS512 with the right secret', () => sign(claims(), { alg: 'HS512' })],
  ['HS384 with the right secret', () => sign(claims(), { alg: 'HS384' })],
  ...['RS256', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA', 'HS384', 'HS512'].map(
    (alg): Forgery => [`a header that says ${alg} over an HMAC`, () => hmacSigned({ alg, typ: 'JWT' })],
  ),
  ...(['RS256', 'ES256', 'EdDSA'] as const).map(
    (alg): Forgery => [`${alg} with its own key in the header`, () => signedByOwnKey(alg)],
  ),
  ['an unknown critical extension', () => hmacSigned({ alg: 'HS256', crit: ['x'], x: 1 })],
  ['its own key in the header', () => hmacSigned({ alg: 'HS256', jwk: { kty: 'oct', k: 'AA' } }, 'AA')],
  ['a kid that is a path to a known file', () => hmacSigned({ alg: 'HS256', kid: '../../../dev/null' }, '')],
  ['a kid that is SQL', () => hmacSigned({ alg: 'HS256', kid: "x' UNION SELECT 'AA' --" }, 'AA')],
  ['a jku', () => hmacSigned({ alg: 'HS256', jku: 'http://127.0.0.1:9/jwks.json' }, 'AA')],
  ['an x5u', () => hmacSigned({ alg: 'HS256', x5u: 'http://127.0.0.1:9/x.pem' }, 'AA')],
  ['an x5c', () => hmacSigned({ alg: 'HS256', x5c: ['AA'] }, 'AA')],
  ['b64 false', () => hmacSigned({ alg: 'HS256', b64: false, crit: ['b64'] })],
  ['b64 false with an unencoded payload', () => unencodedPayload()],
  ['a crit that is empty', () => hmacSigned({ alg: 'HS256', crit: [] })],
  ['a crit that is no list', () => hmacSigned({ alg: 'HS256', crit: 'exp' })],
  ['the signature of another payload, with claims given twice', () => duplicatedClaims()],
  ['an encrypted token', () => `${base64({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`],
  [
    'the secret in another encoding',
    () => sign(claims(), { secret: Buffer.from(SECRET).toString('base64') }),
  ],
  ['a signature with a changed last letter', () => withSignature((text) => `${text.slice(0, -2)}AA`)],
  ['a signature with something behind it', () => withSignature((text) => `${text}AA`)],
  ['half of the signature', () => withSignature((text) => text.slice(0, 20))],
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
  ['no issuer', () => sign(claims({ iss: undefined }))],
  ['a list of issuers', () => sign(claims({ iss: ['guarded-runs'] }))],
  ['another audience', () => sign(claims({ aud: 'someone-else' }))],
  ['no audience', () => sign(claims({ aud: undefined }))],
  ['an empty list of audiences', () => sign(claims({ aud: [] }))],
  ['no expiry', () => sign(claims({ exp: undefined }))],
  ['an expiry as text', () => sign(claims({ exp: 'tomorrow' }))],
  ['an expiry as a number in text', () => sign(claims({ exp: String(nowSeconds() + 600) }))],
  ['an expiry of null', () => signedAsIs(claims({ exp: null }))],
  ['no time of issue', () => sign(claims({ iat: undefined }))],
  ['a time of issue as text', () => sign(claims({ iat: 'now' }))],
  [
    'issued far in the future',
    () => sign(claims({ iat: nowSeconds() + 86_400, exp: nowSeconds() + 90_000 })),
  ],
  ['a not-before as text', () => sign(claims({ nbf: 'now' }))],
  ['not valid for years', () => sign(claims({ nbf: nowSeconds() + 1e9, exp: nowSeconds() + 2e9 }))],
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

test('a token of an instance whose clock is a little ahead is accepted', async () => {
  expect(await statusOf(await sign(claims({ iat: nowSeconds() + 60 })))).toBe(200);
});

test('JWT_TTL_SECONDS is the lifetime of a token', async () => {
  const { token } = await service.register();
  service.clock.advance(599_000);
  expect(await statusOf(token)).toBe(200);
  service.clock.advance(1_000);
  expect(await statusOf(token)).toBe(401);
});

function hmacSigned(header: Record<string, unknown>, secret = SECRET): string {
  return hmacOf(`${base64(header)}.${base64(claims())}`, secret);
}

/** Signed correctly, with any payload. */
function signedAsIs(payload: Record<string, unknown>): string {
  return hmacOf(`${base64({ alg: 'HS256', typ: 'JWT' })}.${base64(payload)}`);
}

/** The last of two claims with one name would count, but the signature is that of a token with one claim. */
function duplicatedClaims(): string {
  const [header, payload = '', signature] = tenant.token.split('.');
  const text = Buffer.from(payload, 'base64url').toString();
  const twice = `${text.slice(0, -1)},"exp":${nowSeconds() + 9_999_999}}`;
  return `${header}.${Buffer.from(twice).toString('base64url')}.${signature}`;
}

function unencodedPayload(): string {
  return hmacOf(`${base64({ alg: 'HS256', b64: false, crit: ['b64'] })}.${JSON.stringify(claims())}`);
}

/** An attacker can generate a key and put its public half into the header. */
async function signedByOwnKey(alg: 'RS256' | 'ES256' | 'EdDSA'): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const header = { alg, jwk: await exportJWK(publicKey) };
  return new SignJWT(claims()).setProtectedHeader(header).sign(privateKey);
}

function withSignature(change: (signature: string) => string): string {
  const [header, payload, signature = ''] = tenant.token.split('.');
  return `${header}.${payload}.${change(signature)}`;
}

function hmacOf(signed: string, secret = SECRET): string {
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function withPayload(payload: Record<string, unknown>): string {
  const [header, , signature] = tenant.token.split('.');
  return `${header}.${base64(payload)}.${signature}`;
}
