/** Filters, exports and the search find exactly what a reader of all runs would, whatever is combined. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStep, endRun } from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const HOUR_MS = 3_600_000;
const RUNS = 60;

let service: TestService;
let tenant: TestTenant;
let machine: ApiClient;
/** Newest first, as the list shows them. */
let runs: readonly FoundRun[];

interface FoundRun {
  readonly id: string;
  readonly user_id: string;
  readonly status: string;
  readonly started_at: string;
  readonly end_reason: string | null;
  readonly deny_reason: string | null;
  readonly denied_step_count: number;
  /** Not part of the list. */
  readonly metadata: Record<string, unknown> | null;
  readonly deniedFor: readonly string[];
}

beforeAll(async () => {
  service = await startTestService();
  service.clock.set(NOON);
  tenant = await service.register({ plan: 'enterprise' });
  machine = tenant.machine;
  expectStatus(await machine.patch('/v1/workspace/', { max_concurrent_runs: 1_000 }), 200);
  await machine.post('/v1/users/mallory/block');
  await machine.post('/v1/users/=eve/block');
  for (let index = 0; index < RUNS; index += 1) await makeRun(index);
  runs = await readAll();
}, 120_000);
afterAll(() => service.stop());

/** An hour apart; every kind of run among the first of them. */
async function makeRun(index: number): Promise<void> {
  const user_id = ['ada', 'bob', 'mallory', '=eve'][index % 4] ?? '';
  const metadata = [{ plan: 'pro', seats: 3 }, { plan: 'free', trial: true }, null][index % 3];
  const { id, status } = (await machine.post('/v1/runs/', { user_id, metadata })).body;
  if (status === 'RUNNING') {
    if (index % 5 === 0) {
      await machine.post(`/v1/users/${user_id}/block`);
      await createStep(machine, id);
      await machine.post(`/v1/users/${user_id}/unblock`);
    }
    if (index % 7 === 0) await machine.post(`/v1/runs/${id}/stop`);
    else if (index % 2 === 0) await endRun(machine, id);
    if (index % 10 === 8) await createStep(machine, id);
  }
  service.clock.advance(HOUR_MS);
}

/** Reads every run and its steps, one by one: reports wait for each other, and a slow machine refuses those that wait long. */
async function readAll(): Promise<FoundRun[]> {
  const { items, total } = expectStatus(await machine.get('/v1/runs/?per_page=100'), 200).body;
  expect(total).toBe(RUNS);
  const found: FoundRun[] = [];
  for (const item of items as FoundRun[]) {
    const { metadata, steps } = expectStatus(await machine.get(`/v1/runs/${item.id}`), 200).body;
    const reasons = steps.map(({ decision }: { decision: { reason: string | null } }) => decision.reason);
    const deniedFor = [item.deny_reason, ...reasons].filter((reason) => reason !== null);
    found.push({ ...item, metadata, deniedFor });
  }
  return found;
}

type Filter = readonly [parameter: string, matches: (run: FoundRun) => boolean];

const moment = (hours: number) => new Date(Date.parse(NOON) + hours * HOUR_MS).toISOString();

const FILTERS: readonly (readonly Filter[])[] = [
  ['RUNNING', 'COMPLETED', 'FAILED', 'BLOCKED'].map((status) => [
    `status=${status}`,
    (run) => run.status === status,
  ]),
  ['ada', 'mallory', 'nobody'].map((user) => [`user_id=${user}`, (run) => run.user_id === user]),
  [
    [`from=${moment(20)}`, (run) => run.started_at >= moment(20)],
    [`to=${moment(20)}`, (run) => run.started_at < moment(20)],
    [
      `from=${moment(10)}&to=${moment(30)}`,
      ({ started_at }) => started_at >= moment(10) && started_at < moment(30),
    ],
    [`from=${moment(30)}&to=${moment(10)}`, () => false],
    [`to=${moment(-1)}`, () => false],
    [`from=${moment(RUNS)}`, () => false],
  ],
  [['end_reason=STOPPED', (run) => run.end_reason === 'STOPPED']],
  ['USER_BLOCKED', 'RUN_ALREADY_ENDED', 'LOOP_DETECTED'].map((reason) => [
    `deny_reason=${reason}`,
    (run) => run.deniedFor.includes(reason),
  ]),
  [['has_denied_steps=true', (run) => run.denied_step_count > 0]],
  [
    ['metadata=plan%3Dpro', (run) => run.metadata?.['plan'] === 'pro'],
    ['metadata=seats%3D3', (run) => run.metadata?.['seats'] === 3],
    ['metadata=trial%3Dtrue', (run) => run.metadata?.['trial'] === true],
    ['metadata=plan%3Dpr', () => false],
  ],
];

/** Every filter alone, and every pair of filters of different kinds. */
const COMBINATIONS: readonly (readonly Filter[])[] = FILTERS.flatMap((group, index) =>
  group.flatMap((filter) => [
    [filter],
    ...FILTERS.slice(index + 1).flatMap((others) => others.map((other) => [filter, other])),
  ]),
);

test('the runs that the filters are tested with are of every kind', () => {
  for (const [parameter, matches] of FILTERS.flat()) {
    const count = runs.filter(matches).length;
    if (count === 0) expect(parameter).toMatch(/nobody|LOOP_DETECTED|plan%3Dpr$|(from|to)=/);
    else expect(count, parameter).toBeLessThan(RUNS);
  }
});

test.each(
  COMBINATIONS.map((filters) => [filters.map(([parameter]) => parameter).join('&'), filters] as const),
)('%s lists, pages and exports exactly the runs that match', async (parameters, filters) => {
  const expected = runs.filter((run) => filters.every(([, matches]) => matches(run))).map(({ id }) => id);
  const list = (await machine.get(`/v1/runs/?per_page=100&${parameters}`)).body;
  expect(list.total).toBe(expected.length);
  expect(list.items.map(({ id }: FoundRun) => id)).toEqual(expected);
  const second = (await machine.get(`/v1/runs/?per_page=5&page=2&${parameters}`)).body;
  expect(second.items.map(({ id }: FoundRun) => id)).toEqual(expected.slice(5, 10));
  const exported = await machine.get(`/v1/runs/export?format=jsonl&${parameters}`);
  const lines = exported.text.split('\n').slice(0, -1);
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(expected);
});

test('idle runs can be filtered further', async () => {
  const idle = runs.filter(({ status }) => status === 'RUNNING');
  const list = (await machine.get('/v1/runs/?per_page=100&idle=true')).body;
  expect(list.items.map(({ id }: FoundRun) => id)).toEqual(idle.map(({ id }) => id));
  const ofAda = (await machine.get('/v1/runs/?per_page=100&idle=true&user_id=ada&metadata=plan%3Dpro')).body;
  expect(ofAda.total).toBe(
    idle.filter((run) => run.user_id === 'ada' && run.metadata?.['plan'] === 'pro').length,
  );
});

test('an ended run is not idle, whatever its lease was', async () => {
  expect((await machine.get('/v1/runs/?idle=true&status=COMPLETED')).body.total).toBe(0);
  expect((await machine.get('/v1/runs/?idle=true&end_reason=STOPPED')).body.total).toBe(0);
});

test('a run in the list says why it was denied, and how many of its steps were', async () => {
  const { items } = (await machine.get('/v1/runs/?per_page=100')).body;
  for (const { deny_reason, denied_step_count, status } of items as FoundRun[]) {
    expect(deny_reason).toBe(status === 'BLOCKED' ? 'USER_BLOCKED' : null);
    expect(denied_step_count).toBeLessThanOrEqual(2);
  }
});

describe('export', () => {
  test('CSV has a header, the fields of the list, and no formulas', async () => {
    const reply = await machine.get('/v1/runs/export?user_id=%3Deve');
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="runs.csv"');
    const [header, ...lines] = reply.text.split('\r\n').slice(0, -1);
    expect(header).toBe(
      'id,user_id,status,started_at,ended_at,end_reason,deny_reason,step_count,denied_step_count,total_tokens,total_cost_usd',
    );
    const expected = runs.filter(({ user_id }) => user_id === '=eve');
    expect(lines).toEqual(
      expected.map(({ id, started_at }) => `${id},'=eve,BLOCKED,${started_at},,,USER_BLOCKED,0,0,0,0`),
    );
  });

  test('a workspace without runs exports the header only', async () => {
    const other = await service.register();
    const reply = await other.machine.get('/v1/runs/export');
    expect(reply.text.split('\r\n')).toHaveLength(2);
    expect((await other.machine.get('/v1/runs/export?format=jsonl')).text).toBe('');
  });
});

describe('metadata', () => {
  const found = async (filter: string) =>
    (await machine.get(`/v1/runs/?metadata=${encodeURIComponent(filter)}`)).body.total;

  test('short entries at the top are found, others are kept but not found', async () => {
    const long = 'x'.repeat(257);
    const metadata = {
      word: 'ä🎉',
      'a=b': 'c',
      zero: 0,
      no: false,
      none: null,
      nested: { in: 1 },
      long,
      list: [1],
    };
    expectStatus(await machine.post('/v1/runs/', { user_id: 'ada', metadata }), 201);
    expect(await found('word=ä🎉')).toBe(1);
    expect(await found('zero=0')).toBe(1);
    expect(await found('no=false')).toBe(1);
    expect(await found('none=null')).toBe(0);
    expect(await found(`long=${long.slice(1)}`)).toBe(0);
    expect(await found('in=1')).toBe(0);
    // A name ends at the first `=`.
    expect(await found('a=b=c')).toBe(0);
  });

  test('the first 16 entries are found, and none of large metadata', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`entry-${index}`, 'here']));
    expectStatus(await machine.post('/v1/runs/', { user_id: 'ada', metadata: many }), 201);
    expect(await found('entry-15=here')).toBe(1);
    expect(await found('entry-16=here')).toBe(0);
    const large = { small: 'value', filling: 'x'.repeat(5_000) };
    expectStatus(await machine.post('/v1/runs/', { user_id: 'ada', metadata: large }), 201);
    expect(await found('small=value')).toBe(0);
  });

  test.each(['plan', '=pro', `${'x'.repeat(70)}=${'y'.repeat(260)}`])(
    'a filter of another form is refused with 422: %s',
    async (filter) => {
      const reply = await machine.get(`/v1/runs/?metadata=${encodeURIComponent(filter)}`);
      expect(reply.status).toBe(422);
      expect(reply.body.detail).toMatch(/^querystring\/metadata must /);
    },
  );
});

describe('search', () => {
  const search = async (text: string, client: ApiClient = machine) =>
    expectStatus(await client.get(`/v1/search?q=${encodeURIComponent(text)}`), 200).body;

  test('finds a run by its id and by the beginning of it, in any case', async () => {
    const [run] = runs;
    if (run === undefined) throw new Error('There is no run');
    for (const text of [run.id, run.id.toUpperCase(), run.id.slice(0, 23)]) {
      expect((await search(text)).runs[0]).toEqual({
        id: run.id,
        user_id: run.user_id,
        status: run.status,
        started_at: run.started_at,
      });
    }
    expect((await search(run.id.slice(0, 3))).runs).toEqual([]);
    expect((await search(run.id.slice(0, 8))).runs.length).toBeLessThanOrEqual(8);
  });

  test('finds a step by its id', async () => {
    const run = (await machine.post('/v1/runs/', { user_id: 'ada' })).body;
    const step = await createStep(machine, run.id);
    expect((await search(step.id)).step).toEqual({ id: step.id, run_id: run.id });
    expect((await search(run.id)).step).toBeNull();
  });

  test('finds users by the beginning of their id, and of nothing else', async () => {
    expect((await search('mal')).users).toEqual([{ user_id: 'mallory' }]);
    expect((await search('allory')).users).toEqual([]);
    expect((await search('%')).users).toEqual([]);
    expect((await search('=')).users).toEqual([{ user_id: '=eve' }]);
  });

  test('finds nothing of another workspace', async () => {
    const other = await service.register();
    const nothing = { runs: [], step: null, users: [] };
    expect(await search(runs[0]?.id ?? '', other.machine)).toEqual(nothing);
    expect(await search('mallory', other.machine)).toEqual(nothing);
  });

  test.each(['%00', 'x'.repeat(513)])('refuses %s with 422', async (text) => {
    expect((await machine.get(`/v1/search?q=${text}`)).status).toBe(422);
  });

  test('finds nothing for nothing', async () => {
    expect(await search(' ')).toEqual({ runs: [], step: null, users: [] });
  });
});
