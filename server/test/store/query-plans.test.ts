/**
 * No request scans a table that grows. Every statement that requests to all routes send is explained by a database with
 * enough rows for indexes to be useful.
 *
 * QUERY_PLANS=write (`npm run query-plans`) writes the plans of the statements of a decision to docs/query-plans.
 */

import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteExpired, idempotencyRecords } from '../../src/control/cleanup.js';
import { sweepLeases } from '../../src/control/lease-sweep.js';
import { uuidV7 } from '../../src/domain/uuid.js';
import { MAX_DUE_RUNS } from '../../src/store/store.js';
import { TABLES } from '../../src/store/tables.js';
import type { ApiClient } from '../support/api-client.js';
import { BY_TEST } from '../support/by-test.js';
import { openQueryPlanner, type QueryPlanner } from '../support/query-plan.js';
import { callRoute, nameOf, ROUTES } from '../support/routes.js';
import { repeated, seedRuns, seedService } from '../support/seed.js';
import { type SentStatement, StatementLog } from '../support/statement-log.js';
import { newTenant, type StoreTenant } from '../support/store-fixture.js';
import { testStore } from '../support/test-database.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';

const DOCUMENT = new URL(`../../../docs/query-plans/${testStore()}.md`, import.meta.url);

const WORKSPACES = 20;
const RUNS_PER_WORKSPACE = 150;
const USERS_PER_WORKSPACE = 30;

const ALL_FILTERS =
  'status=COMPLETED&user_id=user-1&from=2026-01-01T00:00:00Z&end_reason=STOPPED&deny_reason=USER_BLOCKED&has_denied_steps=true&metadata=a%3Db';

/** Intended full scans, each with its reason. */
const EXCEPTIONS: readonly { readonly statement: RegExp; readonly reason: string }[] = [
  {
    statement: /^SELECT 1 FROM secrets LIMIT 1$/,
    reason: 'the health check reads one row of a table that has one',
  },
  {
    statement: /SUM\(running_runs\).* FROM workspace_counters$/s,
    reason: 'the gauge of running runs adds up one row per workspace, only when /metrics is read',
  },
];

let service: TestService;
let tenant: TestTenant;
let planner: QueryPlanner;
let log: StatementLog;

beforeAll(async () => {
  service = await startTestService({}, { hasThreads: false });
  tenant = await service.register({ plan: 'enterprise' });
  await fill();
  // The statistics are made here: later rows are not in them.
  planner = await openQueryPlanner(service.databaseUrl);
  log = new StatementLog();
}, 120_000);
afterAll(async () => {
  log.stop();
  await planner.close();
  await service.stop();
});

test.each(ROUTES.map((route) => ({ name: nameOf(route), route })))(
  '$name scans no table',
  async ({ route }) => {
    await expectNoScans(() => callRoute(service, route));
  },
);

test.each([
  ['first page', '/v1/runs/'],
  ['page in the middle', '/v1/runs/?page=10&per_page=10'],
  ['page of a status', '/v1/runs/?status=COMPLETED&per_page=10'],
  ['last page of a status', '/v1/runs/?status=COMPLETED&page=15&per_page=10'],
  ['page of a user', '/v1/runs/?user_id=user-1&per_page=2'],
  ['last page of a user', '/v1/runs/?user_id=user-1&page=3&per_page=2'],
  ['page of a user and a status', '/v1/runs/?user_id=user-1&status=COMPLETED&per_page=2'],
  ['page of expired runs', '/v1/runs/?end_reason=LEASE_EXPIRED'],
  ['page of expired runs of a user', '/v1/runs/?end_reason=LEASE_EXPIRED&user_id=user-1'],
  ['page of idle runs', '/v1/runs/?idle=true'],
  ['page of idle runs of a user', '/v1/runs/?idle=true&user_id=user-1'],
  ['page of denied runs', '/v1/runs/?deny_reason=USER_BLOCKED'],
  ['page of denied runs of a user', '/v1/runs/?deny_reason=USER_BLOCKED&user_id=user-1'],
  ['page of runs with denied steps', '/v1/runs/?has_denied_steps=true'],
  ['page of some days', '/v1/runs/?from=2026-01-01T00:00:00Z&to=2030-01-01T00:00:00Z'],
  ['page of a status in some days', '/v1/runs/?status=COMPLETED&from=2026-01-01T00:00:00Z'],
  ['page of runs by metadata', '/v1/runs/?metadata=plan%3Dpro'],
  ['page of runs of a user by metadata', '/v1/runs/?metadata=plan%3Dpro&user_id=user-1'],
  ['page of all filters', `/v1/runs/?${ALL_FILTERS}`],
  ['export', '/v1/runs/export'],
  ['export with all filters', `/v1/runs/export?${ALL_FILTERS}`],
  ['export of runs of a user by metadata', '/v1/runs/export?metadata=plan%3Dpro&user_id=user-1'],
  ['search by a prefix', '/v1/search?q=user'],
  ['search by an id', `/v1/search?q=${uuidV7(Date.now(), randomUUID())}`],
  ['page of blocked users', '/v1/users/?blocked=true'],
  ['page of other users', '/v1/users/?blocked=false'],
  ['page of users by a prefix', '/v1/users/?search=user-1'],
  ['page of blocked users by a prefix', '/v1/users/?search=user-1&blocked=true'],
  ['page of users by spend', '/v1/users/?sort=spend'],
  ['page of blocked users by spend', '/v1/users/?sort=spend&search=user&blocked=false'],
  ['year of a user', '/v1/users/user-1?days=366'],
  ['year of a model', '/v1/models/gpt-4o?days=366'],
  ['guardrail effects', '/v1/usage/guardrail-effects?max_cost_usd=1&max_steps=1&run_lease_seconds=60'],
  ['year of usage', '/v1/usage/daily?days=366'],
])('the %s scans no table', async (_, path) => {
  const { machine } = tenant;
  await expectNoScans(() => machine.get(path));
});

test.each(['/v1/users/user-1?days=366', '/v1/users/?search=user', '/v1/models/gpt?days=366'])(
  '%s looks each day up by its whole key, so that other users and models cost nothing',
  async (path) => {
    const { machine } = tenant;
    const statements = await log.of(() => machine.get(path));
    const ofDays = statements.filter(({ sql }) => / (user|model)\w*_days/.test(sql));
    expect(ofDays.length).toBeGreaterThan(0);
    for (const statement of ofDays) {
      const plan = (await planner.explain(statement)).lines.join('\n');
      expect(plan).toMatch(
        /day=\? AND (user_id|model)=\?|Index Cond: .*day = \(?"?(listed|json).*(user_id|model) = /,
      );
    }
  },
);

test('a write with an Idempotency-Key, its retry and a key created with one scan no table', async () => {
  for (const path of ['/v1/runs/', '/v1/runs/', '/v1/api-keys/', '/v1/api-keys/']) {
    const key = { 'idempotency-key': `key of ${path}` };
    const body = path === '/v1/runs/' ? { user_id: 'ada' } : {};
    await expectNoScans(async () => expectStatus(await tenant.machine.send('POST', path, body, key), 201));
  }
});

test('a refused sign-in and a taken e-mail scan no table', async () => {
  const { email } = tenant;
  await expectNoScans(() => service.anonymous.post('/v1/auth/login', { email, password: 'wrong' }));
  await expectNoScans(() =>
    service.anonymous.post('/v1/auth/register', { email, password: 'correct horse' }),
  );
});

test('finding the run of a session scans no table', async () => {
  const { workspaceId } = tenant;
  await expectNoScans(() =>
    service.app.store.runs.findNewestWith({ workspaceId, name: 'session_key', value: 'a session' }),
  );
});

test('finding runs by a part of their ids reads only those, in their order', async () => {
  const { workspaceId } = tenant;
  const ids = { first: '019a0000-0000-0000-0000-000000000000', last: '019affff-ffff-ffff-ffff-ffffffffffff' };
  const search = () => service.app.store.search.findRuns({ workspaceId, ids, limit: 5 });
  const [statement] = await log.of(search);
  if (statement === undefined) throw new Error('Nothing was sent');
  const { lines } = await planner.explain(statement);
  expect(lines.join('\n')).toMatch(/workspace_id.*AND.*\bid\b/);
  expect(lines.join('\n')).not.toMatch(/TEMP B-TREE|Sort/);
});

test('ending runs whose leases have ended scans no table', async () => {
  const { apiKey, workspaceId } = await service.register({ plan: 'enterprise' });
  await service.app.store.workspaces.change(
    workspaceId,
    {
      kind: 'settings',
      settings: { maxConcurrentRuns: 1_000 },
    },
    BY_TEST,
  );
  const count = MAX_DUE_RUNS + 2;
  await seedService(service, apiKey, (target) => seedRuns(target, repeated(count, { leaseSeconds: 60 })));
  service.clock.advance(60_000);
  const { engine, store } = service.app;
  const expireRuns = (id: string) => engine.expireRuns(id);
  await expectNoScans(() => sweepLeases({ runs: store.runs, now: () => store.now(), expireRuns }));
  expect(
    (await store.runs.list({ workspaceId, status: 'FAILED', userId: null, offset: 0, limit: 1 })).total,
  ).toBe(count);
});

test('deleting old idempotency records scans no table', async () => {
  await expectNoScans(() => deleteExpired(service.app.store, idempotencyRecords(service.app.store)));
});

test.each(TABLES.map(({ name }) => name))('reading on in %s, for a copy, scans no table', async (name) => {
  const { copy } = service.app.store;
  const [after = null] = await copy.readRows(name, { after: null, limit: 1 });
  if (after !== null) await expectNoScans(() => copy.readRows(name, { after, limit: 1 }));
});

test.each([
  "SELECT * FROM steps WHERE tool_name = 'search'",
  'SELECT COUNT(*) FROM runs',
  "UPDATE users SET blocked = blocked WHERE user_id = 'ada'",
  "DELETE FROM remembered_answers WHERE request_hash = ''",
  'SELECT user_id FROM users ORDER BY workspace_id, user_id',
])('a whole scan would be seen: %s', async (sql) => {
  expect((await planner.explain({ sql, values: [] })).scans).toHaveLength(1);
});

test('every exception is needed', async () => {
  const statements = await log.of(async () => {
    await service.anonymous.get('/health');
    await service.anonymous.get('/metrics');
  });
  for (const { statement, reason } of EXCEPTIONS)
    expect(
      statements.filter(({ sql }) => statement.test(sql)),
      reason,
    ).toHaveLength(1);
});

test('docs/query-plans has every statement of a decision, and the indexes that its plan uses', async () => {
  const sections = await explainHotPath(tenant.machine);
  expect(sections.flatMap(({ plans }) => plans).length).toBeGreaterThan(10);
  const markdown = toMarkdown(sections);
  if (process.env['QUERY_PLANS'] === 'write') await writeFile(DOCUMENT, markdown);
  const documented = await readFile(DOCUMENT, 'utf8');
  expect(toComparable(documented), 'Run npm run query-plans and commit the changes').toBe(
    toComparable(markdown),
  );
});

async function expectNoScans(work: () => Promise<unknown>): Promise<void> {
  for (const statement of await log.of(work)) {
    const { lines, scans } = await planner.explain(statement);
    if (EXCEPTIONS.some((exception) => exception.statement.test(statement.sql))) continue;
    expect(scans, `${statement.sql}\n\n${lines.join('\n')}`).toEqual([]);
  }
}

interface ExplainedSection {
  readonly name: string;
  readonly plans: readonly { readonly sql: string; readonly lines: readonly string[] }[];
}

/** Start a run, create a step, report it and end the run; each statement is shown once. */
async function explainHotPath(machine: ApiClient): Promise<ExplainedSection[]> {
  // Old records are deleted in the background at any time, which is not part of a decision.
  const background = await log.of(() =>
    deleteExpired(service.app.store, idempotencyRecords(service.app.store)),
  );
  const shown = new Set(background.map(({ sql }) => sql));
  const sections: ExplainedSection[] = [];
  const follow = async <Reply>(name: string, work: () => Promise<Reply>): Promise<Reply> => {
    let reply: Reply | undefined;
    // The first request after a minute also marks its key as used. On SQLite that drops the fact cache: all facts are read.
    service.clock.advance(60_000);
    const sent = await log.of(async () => {
      reply = await work();
    });
    const fresh = sent.filter(({ sql }) => !shown.has(sql));
    for (const { sql } of fresh) shown.add(sql);
    sections.push({ name, plans: await Promise.all(fresh.map(explain)) });
    if (reply === undefined) throw new Error('There was no reply');
    return reply;
  };
  await follow('authenticate', () => machine.get('/v1/model-pricing-catalogue?limit=1'));
  const keyed = { 'idempotency-key': 'hot path' };
  const start = { user_id: 'user-1' };
  const run = await follow('start a run', () => machine.send('POST', '/v1/runs/', start, keyed));
  const steps = `/v1/runs/${run.body.id}/steps`;
  const ask = { type: 'MODEL_CALL', sequence: 1, model: 'gpt' };
  const step = await follow('create a step', () => machine.post(steps, ask));
  const report = { status: 'COMPLETED', prompt_tokens: 10 };
  await follow('update a step', () => machine.patch(`${steps}/${step.body.id}`, report));
  await follow('end a run', () => machine.post(`/v1/runs/${run.body.id}/end`, { status: 'COMPLETED' }));
  return sections;
}

async function explain(statement: SentStatement) {
  return { sql: statement.sql, lines: (await planner.explain(statement)).lines };
}

function toMarkdown(sections: readonly ExplainedSection[]): string {
  const parts = sections.map(({ name, plans }) => {
    const texts = plans.map(({ sql, lines }) => {
      const plan = lines.join('\n').replace(LITERAL, "'…'");
      const shown = plan === '' ? 'EXPLAIN shows no plan.\n' : codeBlock('text', plan);
      return `${codeBlock('sql', unindented(sql))}\n${shown}`;
    });
    return `## ${name}\n\n${texts.length === 0 ? 'Only statements that were shown above.\n' : texts.join('\n')}`;
  });
  const store = testStore() === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  return `# Query plans on ${store}\n\nGenerated by \`npm run query-plans\`. Do not edit.\n\n${parts.join('\n')}`;
}

const codeBlock = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;

/** The index by which a plan reads each table, without details that differ between database versions. */
function toComparable(markdown: string): string {
  return markdown.replace(/(?<=```text\n)[\s\S]*?(?=```)/g, (plan) =>
    (plan.match(INDEX_USE) ?? [])
      .sort()
      .map((use) => `${use}\n`)
      .join(''),
  );
}

const INDEX_USE =
  /SEARCH \w+ USING (?:PRIMARY KEY|(?:COVERING )?INDEX \w+)|(?:Index|Index Only|Bitmap Index) Scan (?:using|on) \w+/g;

/** Replaces the values of this run. */
const LITERAL = /'[^']*'(?=::)/g;

const unindented = (sql: string) => sql.trim().replace(/\n\s+/g, '\n  ');

// ── The data ───────────────────────────────────────────────────────────────────────────────────────────────────────

async function firstKeyId({ person }: TestTenant): Promise<string> {
  return (await person.get('/v1/api-keys/')).body[0].id;
}

async function fill(): Promise<void> {
  await fillWorkspace({ workspaceId: tenant.workspaceId, apiKeyId: await firstKeyId(tenant) });
  for (let index = 0; index < WORKSPACES; index += 1) {
    const given = { email: `filler-${index}@example.com`, name: 'Filler', plan: 'enterprise' as const };
    const filler: StoreTenant = newTenant({ newId, now: service.clock.now(), ...given });
    await service.app.store.accounts.register(
      { account: filler.account, workspace: filler.workspace, apiKey: filler.apiKey },
      BY_TEST,
    );
    await fillWorkspace(filler.caller);
  }
}

async function fillWorkspace(caller: { workspaceId: string; apiKeyId: string }): Promise<void> {
  const { store } = service.app;
  await store.workspaces.change(
    caller.workspaceId,
    {
      kind: 'settings',
      settings: { maxConcurrentRuns: 100_000 },
    },
    BY_TEST,
  );
  const report = { durationMs: 1, promptTokens: 5, completionTokens: 5 };
  const runs = await seedRuns(
    { store, caller },
    Array.from({ length: RUNS_PER_WORKSPACE }, (_, index) => ({
      userId: `user-${index % USERS_PER_WORKSPACE}`,
      idempotency: { keyHash: newId(), requestHash: newId() },
      steps: [{ model: `model-${index % 9}`, report }],
      endStatus: 'COMPLETED' as const,
    })),
  );
  for (const userId of ['user-1', 'user-2'])
    await store.users.setBlocked(
      { workspaceId: caller.workspaceId, userId, blocked: userId === 'user-2' },
      BY_TEST,
    );
  const failedAt = service.clock.now();
  await store.loginFailures.record({ subjects: runs.map(({ id }) => id), failedAt, forgetBefore: 0 });
}

function newId(): string {
  return uuidV7(service.clock.now(), randomUUID());
}
