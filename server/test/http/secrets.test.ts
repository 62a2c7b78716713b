/**
 * Secrets with recognisable text are sent to every route, in valid and invalid requests, at the most verbose log level; then
 * they are searched for in the log, the answers, the metrics and the database.
 */

import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountTokens } from '../../src/auth/account-tokens.js';
import { SqliteDatabase } from '../../src/store/sqlite/sqlite-database.js';
import { ApiClient, type ApiReply } from '../support/api-client.js';
import { reportCampaign } from '../support/campaign.js';
import { exchangeRaw, rawRequest } from '../support/raw-http.js';
import { ROUTES, replaceParameters } from '../support/routes.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase, testStore } from '../support/test-database.js';
import { expectStatus } from '../support/test-service.js';

const JWT_SECRET = 'jwtsecret-7d1f0c52-signs-every-token-of-this-test';
const PASSWORD = 'password-2b9e41aa-known';
const NEW_PASSWORD = 'password-5c0d77fe-new';
const WRONG_PASSWORD = 'password-9a3318bc-wrong';
const IDEMPOTENCY_KEY = 'idempotencykey-c1d8e6b0';
const VALUES = {
  run_id: '019cec37-b600-7000-8000-000000000000',
  step_id: '019cec37-b600-7000-8000-000000000001',
  id: '019cec37-b600-7000-8000-000000000002',
  member_id: '019cec37-b600-7000-8000-000000000003',
  invitation_id: '019cec37-b600-7000-8000-000000000004',
  user_id: 'ada',
  model: 'gpt',
};

let database: TestDatabase;
let service: ServiceProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceProcess({
    DATABASE_URL: database.url,
    JWT_SECRET,
    LOG_LEVEL: 'trace',
    DEFAULT_PLAN: 'enterprise',
  });
});
afterAll(async () => {
  await service.stop('SIGKILL');
  await database.drop();
});

test('no secret is in the log, in an error, in the metrics or in the database', async () => {
  const anonymous = new ApiClient(service.url, null);
  const { body } = expectStatus(
    await anonymous.post('/v1/auth/register', { email: 'a@example.com', password: PASSWORD }),
    201,
  );
  const credentials: string[] = [body.api_key, body.access_token];
  const errors: ApiReply[] = [];
  const send = async (client: ApiClient, ...request: Parameters<ApiClient['send']>) => {
    const reply = await client.send(...request);
    if (reply.status >= 400) errors.push(reply);
    for (const secret of [reply.body?.key, reply.body?.access_token, reply.body?.api_key, reply.body?.token])
      if (typeof secret === 'string') credentials.push(secret);
    return reply;
  };

  for (const route of ROUTES) {
    const path = replaceParameters(route.path, VALUES);
    for (const credential of [
      null,
      body.api_key,
      body.access_token,
      `${body.api_key}x`,
      `${body.access_token}x`,
    ]) {
      // These come last, because they revoke or replace the credentials.
      if (/regenerate|change-password|logout-everywhere/.test(path)) continue;
      const client = anonymous.withCredential(credential);
      const texts = bodiesWith([PASSWORD, WRONG_PASSWORD, body.api_key, body.access_token]);
      for (const text of route.method === 'GET' ? [undefined] : texts)
        await send(client, route.method, path, text, {
          'idempotency-key': IDEMPOTENCY_KEY,
          cookie: `token=${body.access_token}`,
          'x-api-key': body.api_key,
        });
      await send(
        client,
        route.method,
        `${path}?api_key=${body.api_key}&token=${body.access_token}&password=${PASSWORD}`,
      );
    }
  }
  const person = anonymous.withCredential(body.access_token);
  const machine = anonymous.withCredential(body.api_key);
  await send(anonymous, 'POST', '/v1/auth/login', { email: 'a@example.com', password: PASSWORD });
  await send(anonymous, 'POST', '/v1/auth/login', { email: 'nobody@example.com', password: WRONG_PASSWORD });
  await send(anonymous, 'POST', '/v1/auth/register', { email: 'a@example.com', password: WRONG_PASSWORD });
  const email = 'invited@example.com';
  const invited = await send(person, 'POST', '/v1/members/invitations', { email, role: 'viewer' });
  const { token: invitation } = expectStatus(invited, 201).body;
  for (const password of ['short', PASSWORD, PASSWORD])
    await send(anonymous, 'POST', '/v1/auth/register', { email, password, invitation });
  for (const label of ['one', 'one', 'two'])
    await send(person, 'POST', '/v1/api-keys/', { label }, { 'idempotency-key': `${IDEMPOTENCY_KEY}-key` });
  await send(
    machine,
    'POST',
    '/v1/runs/',
    { user_id: 'ada' },
    { 'idempotency-key': `${IDEMPOTENCY_KEY}-run` },
  );
  await send(machine, 'GET', `/v1/nothing/${body.api_key}?token=${body.access_token}`);
  await sendBroken(body.api_key);
  await send(person, 'POST', '/v1/auth/change-password', {
    current_password: WRONG_PASSWORD,
    new_password: NEW_PASSWORD,
  });
  const changed = await send(person, 'POST', '/v1/auth/change-password', {
    current_password: PASSWORD,
    new_password: NEW_PASSWORD,
  });
  expectStatus(changed, 200);
  const tokens = new AccountTokens({ secret: JWT_SECRET, ttlSeconds: 60, clock: Date.now });
  const link = await tokens.issue({ accountId: body.user.id, tokenVersion: 2 }, 'password reset');
  await send(anonymous, 'POST', '/v1/auth/reset-password', { token: link, new_password: 'short' });
  const reset = await send(anonymous, 'POST', '/v1/auth/reset-password', {
    token: link,
    new_password: NEW_PASSWORD,
  });
  const again = anonymous.withCredential(expectStatus(reset, 200).body.access_token);
  const { key } = expectStatus(await send(again, 'POST', '/v1/api-keys/regenerate'), 200).body;
  const stored = await databaseText();

  // Bugs are logged with all details: here the tables are missing.
  await renameTables();
  for (const route of ROUTES.filter(({ auth }) => auth !== 'account')) {
    const path = replaceParameters(route.path, VALUES);
    for (const text of route.method === 'GET' ? [undefined] : bodiesWith([PASSWORD]))
      await send(anonymous.withCredential(key), route.method, path, text);
  }
  await send(anonymous, 'POST', '/v1/auth/login', { email: 'a@example.com', password: NEW_PASSWORD });
  await send(anonymous, 'POST', '/v1/auth/register', { email: 'b@example.com', password: NEW_PASSWORD });
  const statuses = new Set(errors.map(({ status }) => status));
  expect([...statuses]).toEqual(expect.arrayContaining([400, 401, 404, 422, 500]));

  const { text: metrics } = await anonymous.get('/metrics');
  expect(await service.stop('SIGTERM')).not.toBeNull();
  const places = {
    'the log': Buffer.from(service.output()),
    errors: Buffer.from(errors.map(({ headers, text }) => JSON.stringify([...headers]) + text).join('\n')),
    metrics: Buffer.from(metrics),
    'the database': stored,
  };
  expect(service.output()).toContain('request failed');
  expect(stored.includes('a@example.com')).toBe(true);
  const secrets = [
    JWT_SECRET,
    PASSWORD,
    NEW_PASSWORD,
    WRONG_PASSWORD,
    IDEMPOTENCY_KEY,
    // The prefix of a key is public; the signature of a token is enough.
    ...[...new Set([...credentials, key, link])].map((text: string) =>
      text.startsWith('lg_') ? text.slice(12) : (text.split('.')[2] ?? text),
    ),
  ];
  const found = Object.entries(places).flatMap(([place, bytes]) =>
    secrets.flatMap((secret) =>
      encodingsOf(secret)
        .filter((text) => bytes.includes(text))
        .map((text) => `${place}: ${text}`),
    ),
  );
  reportCampaign(`secrets on ${testStore()}`, {
    secrets: secrets.length,
    errors: errors.length,
    'bytes of log': places['the log'].length,
    'bytes of database': stored.length,
  });
  expect(found).toEqual([]);
}, 180_000);

/** Bodies that contain the secrets: of the wrong shape, in the wrong place, or not JSON. */
function bodiesWith(secrets: readonly string[]): string[] {
  const [secret = ''] = secrets;
  return [
    JSON.stringify({
      password: secret,
      current_password: secret,
      api_key: secrets.at(-1),
      email: 'a@example.com',
    }),
    JSON.stringify({ status: secret, plan: secret, active: secret, type: secret, sequence: secret }),
    JSON.stringify({ password: secrets, new_password: { secrets }, email: secrets }),
    `{"password":"${secrets.join('","x":"')}`,
    `{"password":"${secret}\\u0000"}`,
    `"${secret}"`,
  ];
}

/** Refused before they are a request: the parser must not repeat what it read. */
async function sendBroken(apiKey: string): Promise<void> {
  for (const bytes of [
    rawRequest('POST /v1/runs/ HTTP/1.1', { authorization: `Bearer ${apiKey}\x01`, 'content-length': 'x' }),
    rawRequest(
      'POST /v1/auth/login HTTP/1.1',
      { 'content-type': 'text/plain', 'content-length': PASSWORD.length },
      PASSWORD,
    ),
    rawRequest(`GET /v1/runs/%zz${apiKey} HTTP/1.1`),
    rawRequest(`${PASSWORD} / HTTP/1.1`),
    rawRequest('GET /health HTTP/1.1', { authorization: `Bearer ${apiKey}`.repeat(400) }),
    rawRequest('POST /v1/runs/ HTTP/1.1', { expect: apiKey }),
  ]) {
    await exchangeRaw(service.url, Buffer.from(bytes, 'latin1'), { timeoutMs: 20_000 });
  }
}

/** The secret itself, and its other encodings. */
function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('base64url'), bytes.toString('hex'), encodeURIComponent(secret)];
}

/** Every byte of the files, or every row of every table. */
async function databaseText(): Promise<Buffer> {
  if (testStore() === 'postgres') return Buffer.from(await postgresText());
  const folder = dirname(database.url.slice('sqlite:'.length));
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
  return Buffer.concat(files);
}

async function postgresText(): Promise<string> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const tables = await tableNames(client);
    const rows = await Promise.all(
      tables.map((table) => client.query(`SELECT t::text AS row FROM ${table} t`)),
    );
    return rows.flatMap((result) => result.rows.map(({ row }) => String(row))).join('\n');
  } finally {
    await client.end();
  }
}

async function tableNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  return rows.map(({ tablename }) => String(tablename));
}

async function renameTables(): Promise<void> {
  const rename = ['accounts', 'runs', 'steps', 'model_prices', 'users'].map(
    (table) => `ALTER TABLE ${table} RENAME TO ${table}_away`,
  );
  if (testStore() === 'postgres') {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    for (const sql of rename) await client.query(sql);
    await client.end();
    return;
  }
  const connection = await SqliteDatabase.open(database.url.slice('sqlite:'.length));
  for (const sql of rename) connection.run(sql);
  connection.close();
}
