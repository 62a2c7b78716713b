/**
 * Every route × every credential × every id: a caller without access to a resource does not learn whether it exists. A route
 * or a path parameter that is missing in the tables fails the test.
 */

import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { createStep, setPrice, useModel } from '../support/agent.js';
import { ApiClient, type ApiReply, visible } from '../support/api-client.js';
import { expectError } from '../support/error-reply.js';
import { addMember } from '../support/members.js';
import {
  callRoute,
  fillPath,
  nameOf,
  ownValues,
  PATH_PARAMETERS,
  parametersOf,
  ROUTES,
  type Route,
  type RouteAuth,
  replaceParameters,
} from '../support/routes.js';
import { createTestDatabase, testStore } from '../support/test-database.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';
import { stateOf } from '../support/workspace-state.js';

const SECRET = 'the secret that signs the tokens of this test';
const TWO_DAYS_AGO = '2026-03-12T12:00:00.000Z';
const NOON = '2026-03-14T12:00:00.000Z';
const ABSENT_ID = '019cec37-b600-7000-8000-000000000000';
const ABSENT_NAME = 'nobody';

type Kind = 'machine' | 'person';
type Values = Readonly<Record<string, string>>;

/** A tenant with the word in every text, so that a leak is found by searching for it. */
interface Side {
  readonly tenant: TestTenant;
  readonly word: string;
  readonly values: Values;
  readonly state: Record<string, unknown>;
}

let service: TestService;
let ours: Side;
let theirs: Side;
let badCredentials: Readonly<Record<string, string | null>>;
beforeAll(async () => {
  service = await startTestService({ JWT_SECRET: SECRET });
  service.clock.set(TWO_DAYS_AGO);
  const expired = await service.register();
  service.clock.set(NOON);
  ours = await newSide('walrus');
  theirs = await newSide('zebra');
  badCredentials = {
    'no credential': null,
    'a garbage token': 'garbage',
    'a garbage JWT': 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl',
    'a garbage key': 'lg_garbage',
    'an unknown key': `lg_abcdefgh_${'A'.repeat(43)}`,
    'our key with another secret': `${ours.tenant.apiKey.slice(0, 12)}${'A'.repeat(43)}`,
    'a revoked key': await revokedKey(),
    'a token of a removed member': await tokenOfRemovedMember(),
    'an expired token': expired.token,
    'a token signed by another secret': await tokenSignedBy('another secret that is long enough for it'),
    'a token from before the password was changed': await outdatedToken(),
  };
});
afterAll(() => service.stop());

const PROTECTED = ROUTES.filter(({ auth }) => auth !== 'none');
const WITH_IDS = PROTECTED.filter(({ path }) =>
  parametersOf(path).some((name) => PATH_PARAMETERS[name] === 'id'),
);
const WITH_NAMES = PROTECTED.filter(({ path }) =>
  parametersOf(path).some((name) => PATH_PARAMETERS[name] === 'name'),
);
const named = (routes: readonly Route[]) => routes.map((route) => [nameOf(route), route] as const);

const KINDS: Readonly<Record<RouteAuth, readonly Kind[]>> = {
  none: [],
  'api-key': ['machine'],
  account: ['person'],
  any: ['machine', 'person'],
};

describe('the tables', () => {
  test('have every route of the service, and the credential that each documents', async () => {
    const { paths } = (await service.anonymous.get('/openapi.json')).body;
    const schemes: Readonly<Record<RouteAuth, string>> = {
      none: '',
      'api-key': 'apiKey',
      account: 'dashboardToken',
      any: 'apiKey dashboardToken',
    };
    const documented = Object.entries<Record<string, { security: object[] }>>(paths).flatMap(
      ([path, operations]) =>
        Object.entries(operations).map(([method, { security }]) => {
          const kinds = security.flatMap((kind) => Object.keys(kind)).join(' ');
          return `${nameOf({ method: method.toUpperCase(), path })}: ${kinds}`;
        }),
    );
    expect(documented.sort()).toEqual(
      ROUTES.map((route) => `${nameOf(route)}: ${schemes[route.auth]}`).sort(),
    );
  });

  test('have every path parameter, as an id or as a name', () => {
    const used = new Set(ROUTES.flatMap(({ path }) => parametersOf(path)));
    expect([...used].sort()).toEqual(Object.keys(PATH_PARAMETERS).sort());
  });
});

test('a route without an auth setting prevents the start of the server', async () => {
  const database = await createTestDatabase(testStore());
  const app = await createApp(loadConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'silent' }));
  try {
    const handler = async () => 'open to all';
    expect(() => app.server.get('/v1/forgotten', handler)).toThrow('GET /v1/forgotten must have an auth');
    expect(() => app.server.put('/v1/forgotten', { config: {} }, handler)).toThrow('PUT /v1/forgotten');
  } finally {
    await app.close();
    await database.drop();
  }
});

test.each(named(PROTECTED))(
  '%s answers every invalid credential, and every one of the wrong kind, with the same 401, for any ids and body',
  async (_, route) => {
    const wrongKinds = (['machine', 'person'] as const).filter((kind) => !KINDS[route.auth].includes(kind));
    const credentials = {
      ...badCredentials,
      ...Object.fromEntries(wrongKinds.map((kind) => [`our ${kind}`, ours.tenant[kind].credential])),
      ...Object.fromEntries(wrongKinds.map((kind) => [`their ${kind}`, theirs.tenant[kind].credential])),
    };
    const paths = [ours.values, theirs.values, absentValues()].map((values) =>
      replaceParameters(route.path, values),
    );
    for (const [kind, credential] of Object.entries(credentials)) {
      const client = new ApiClient(service.url, credential);
      let first: unknown;
      // The credential is checked before the body and the ids.
      for (const path of new Set(paths)) {
        for (const body of route.method === 'GET'
          ? [undefined]
          : [route.body?.(ours.tenant), '{"malformed":']) {
          const reply = await client.send(route.method, path, body);
          expect([kind, reply.status]).toEqual([kind, 401]);
          expectError(reply, 401);
          expect(reply.headers.get('www-authenticate')).toBe('Bearer');
          first ??= visible(reply);
          expect(visible(reply)).toEqual(first);
        }
      }
    }
  },
);

test.each(named(WITH_IDS))(
  '%s gives foreign and absent ids the same answer, byte for byte, for every valid credential',
  async (_, route) => {
    for (const [own, foreign] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      for (const kind of KINDS[route.auth]) {
        const answers = new Map<string, unknown>();
        for (const choice of idChoices(route.path)) {
          const values = {
            ...own.values,
            ...pick(foreign.values, choice.foreign),
            ...pick(absentValues(), choice.absent),
          };
          const reply = await own.tenant[kind].send(
            route.method,
            replaceParameters(route.path, values),
            route.body?.(own.tenant),
          );
          expectError(reply, 404);
          expectNothingOf(foreign, reply);
          // The same ids are wrong, either foreign or absent.
          const first = answers.get(choice.wrong) ?? visible(reply);
          answers.set(choice.wrong, first);
          expect([choice, visible(reply)]).toEqual([choice, first]);
        }
      }
    }
  },
);

test.each(named(WITH_NAMES))(
  '%s answers a name that another workspace uses like an unused name',
  async (_, route) => {
    for (const kind of KINDS[route.auth]) {
      const answers = [];
      for (const name of [theirs.values, absentValues()]) {
        const { [kind]: client, ...tenant } = await service.register({ plan: 'scale' });
        const path = replaceParameters(route.path, name);
        const reply = await client.send(route.method, path, route.body?.({ ...tenant, ...theirs.tenant }));
        const names = Object.values(pick(name, parametersOf(route.path)));
        answers.push(anonymous(visible(reply), names));
      }
      expect(answers[0]).toMatchObject({ status: route.status });
      expect(answers[0]).toEqual(answers[1]);
    }
  },
);

test.each(named(ROUTES))(
  '%s accepts every credential of the kind it needs, and shows nothing of other workspaces',
  async (_, route) => {
    for (const kind of KINDS[route.auth]) {
      const caller = await service.register({ plan: 'scale' });
      const path = await fillPath(caller, route.path);
      const reply = expectStatus(
        await caller[kind].send(route.method, path, route.body?.(caller)),
        route.status,
      );
      for (const side of [ours, theirs]) expectNothingOf(side, reply);
    }
    if (route.auth !== 'none') return;
    expectStatus(await callRoute(service, route), route.status);
    const body = route.path.endsWith('login')
      ? { email: ours.tenant.email, password: ours.tenant.password }
      : undefined;
    for (const credential of [...Object.values(badCredentials), theirs.tenant.apiKey, theirs.tenant.token]) {
      const reply = await new ApiClient(service.url, credential).send(route.method, route.path, body);
      expect(reply.status).not.toBe(401);
      expectNothingOf(theirs, reply);
    }
  },
);

test('a filter by the user of another workspace finds the same as a filter by an unknown user', async () => {
  for (const kind of KINDS.any) {
    const listed = async (userId: string) =>
      visible(await ours.tenant[kind].get(`/v1/runs/?user_id=${userId}`));
    expect(await listed('zebra-user')).toEqual(await listed(ABSENT_NAME));
  }
});

test('HEAD needs the credential that GET needs', async () => {
  for (const { path } of PROTECTED.filter(({ method }) => method === 'GET')) {
    const reply = await service.anonymous.send('HEAD', replaceParameters(path, ours.values));
    expect([path, reply.status, reply.text]).toEqual([path, 401, '']);
  }
});

test('after all this both workspaces are unchanged', async () => {
  for (const { tenant, state } of [ours, theirs]) {
    expect(withoutSignIns(await stateOf(tenant.person))).toEqual(withoutSignIns(state));
  }
});

/** Everything that a workspace can contain, with the word in every text. */
async function newSide(word: string): Promise<Side> {
  const tenant = await service.register({ plan: 'scale', email: `${word}@example.com` });
  const { machine, person } = tenant;
  await person.patch('/v1/workspace/', { name: `The ${word}`, daily_budget_usd: 1_000_000 });
  await setPrice(machine, { model: `${word}-model`, input: 0.5 });
  await person.post('/v1/api-keys/', { label: `${word}-label` });
  await machine.post(`/v1/users/${word}-blocked/block`);
  const run = expectStatus(
    await machine.post('/v1/runs/', { user_id: `${word}-user`, metadata: { note: word } }),
    201,
  ).body;
  await useModel(machine, run.id, { model: `${word}-model`, prompt_tokens: 3 });
  await createStep(machine, run.id, { model: `${word}-model`, sequence: 2 });
  const path = PROTECTED.map((route) => route.path).join();
  const values = { ...(await ownValues(tenant, path)), user_id: `${word}-user`, model: `${word}-model` };
  return { tenant, word, values, state: await stateOf(person) };
}

/** Signing in is recorded. */
function withoutSignIns(state: Record<string, unknown>) {
  const { items } = state['/v1/audit-log/'] as { items: { action: string }[] };
  return { ...state, '/v1/audit-log/': items.filter(({ action }) => action !== 'account.signed_in') };
}

interface IdChoice {
  readonly foreign: readonly string[];
  readonly absent: readonly string[];
  /** The ids that are wrong, either foreign or absent. */
  readonly wrong: string;
}

/** {own, foreign, absent} for each id of the path, except for all of them own. */
function idChoices(path: string): IdChoice[] {
  const ids = parametersOf(path).filter((name) => PATH_PARAMETERS[name] === 'id');
  let choices: IdChoice[] = [{ foreign: [], absent: [], wrong: '' }];
  for (const id of ids) {
    choices = choices.flatMap((choice) => [
      choice,
      { ...choice, foreign: [...choice.foreign, id], wrong: `${choice.wrong} ${id}` },
      { ...choice, absent: [...choice.absent, id], wrong: `${choice.wrong} ${id}` },
    ]);
  }
  return choices.filter(({ wrong }) => wrong !== '');
}

function absentValues(): Values {
  const entries = Object.entries(PATH_PARAMETERS);
  return Object.fromEntries(entries.map(([name, kind]) => [name, kind === 'id' ? ABSENT_ID : ABSENT_NAME]));
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** Replaces every id and these names by the same text. */
function anonymous(seen: ReturnType<typeof visible>, names: readonly string[]) {
  // Of the text, which has the name and may have the caller.
  const { 'content-length': _, etag: __, ...headers } = seen.headers;
  let text = seen.text
    .replace(/[0-9a-f-]{36}/g, 'an id')
    .replace(/"blocked_by":"[^"]+"/, '"blocked_by":"a caller"');
  for (const name of names) text = text.replaceAll(name, 'a name');
  return { ...seen, headers, text };
}

function expectNothingOf({ tenant, word, state }: Side, { headers, text }: ApiReply): void {
  const said = `${JSON.stringify([...headers])}${text}`;
  const ids = JSON.stringify(state).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
  expect(ids.length).toBeGreaterThan(5);
  const prefix = tenant.apiKey.slice(0, 11);
  for (const secret of [word, prefix, tenant.token, ...ids]) expect(said).not.toContain(secret);
}

async function revokedKey(): Promise<string> {
  const { machine } = await service.register();
  const { id, key } = (await machine.post('/v1/api-keys/')).body;
  expectStatus(await machine.delete(`/v1/api-keys/${id}`), 204);
  return key;
}

async function tokenOfRemovedMember(): Promise<string | null> {
  const { person } = await service.register();
  const member = await addMember(person, { email: 'removed@example.com', role: 'owner' });
  expectStatus(await person.delete(`/v1/members/${member.id}`), 204);
  return member.person.credential;
}

async function outdatedToken(): Promise<string> {
  const { person, password, token } = await service.register();
  const body = { current_password: password, new_password: 'battery staple' };
  expectStatus(await person.post('/v1/auth/change-password', body), 200);
  return token;
}

/** A token like our own, signed with another secret. */
async function tokenSignedBy(secret: string): Promise<string> {
  const [header = '', payload = ''] = ours.tenant.token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  return new SignJWT(read(payload)).setProtectedHeader(read(header)).sign(new TextEncoder().encode(secret));
}
