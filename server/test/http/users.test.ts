import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endRun, spendTenths, startRun, useModel } from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestService, type TestService, type TestTenant } from '../support/test-service.js';

const NOON = '2026-03-14T12:00:00.000Z';
const DAY_MS = 86_400_000;
const NOT_BLOCKED = { block_note: null, blocked_at: null, blocked_by: null };

let service: TestService;
/** For refused requests, which change nothing. */
let refused: TestTenant;
beforeAll(async () => {
  service = await startTestService();
  refused = await service.register();
});
beforeEach(() => service.clock.set(NOON));
afterAll(() => service.stop());

async function listed(client: ApiClient, query = ''): Promise<string[]> {
  const { items } = (await client.get(`/v1/users/${query}`)).body;
  return items.map((user: { user_id: string }) => user.user_id);
}

describe('listing users', () => {
  test('shows runs, spend of today and the latest start, most recently seen first', async () => {
    const { machine, person } = await service.register();
    await spendTenths(machine, { runId: (await startRun(machine, 'ada')).id, tenths: 3 });
    service.clock.advance(1_000);
    await endRun(machine, (await startRun(machine, 'bob')).id);
    await startRun(machine, 'bob');
    const reply = await person.get('/v1/users/');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      items: [
        {
          user_id: 'bob',
          blocked: false,
          run_count: 2,
          spend_today_usd: 0,
          held_usd: 0,
          unpriced_tokens_today: 0,
          last_seen_at: '2026-03-14T12:00:01.000Z',
          spend_30d_usd: 0,
          ...NOT_BLOCKED,
        },
        {
          user_id: 'ada',
          blocked: false,
          run_count: 1,
          spend_today_usd: 0.3,
          held_usd: 0,
          unpriced_tokens_today: 0,
          last_seen_at: NOON,
          spend_30d_usd: 0.3,
          ...NOT_BLOCKED,
        },
      ],
      total: 2,
      page: 1,
      per_page: 50,
    });
  });

  test('held_usd has the open holds of the user, whatever the day', async () => {
    const { machine } = await service.register();
    const run = await startRun(machine, 'ada');
    await startRun(machine, 'bob');
    const path = `/v1/runs/${run.id}/steps`;
    const step = { type: 'TOOL_CALL', sequence: 1, tool_name: 'search', estimated_cost_usd: 0.25 };
    const { body: first } = await machine.post(path, step);
    await machine.post(path, { ...step, sequence: 2 });
    service.clock.advance(13 * 3_600_000);
    const held = async () =>
      (await machine.get('/v1/users/')).body.items.map(
        ({ user_id, held_usd }: { user_id: string; held_usd: number }) => [user_id, held_usd],
      );
    expect(await held()).toEqual([
      ['ada', 0.5],
      ['bob', 0],
    ]);
    await machine.patch(`${path}/${first.id}`, { status: 'COMPLETED', prompt_tokens: 1 });
    expect(await held()).toContainEqual(['ada', 0.25]);
  });

  test('spend_today_usd resets at midnight UTC', async () => {
    const { machine } = await service.register();
    await spendTenths(machine, { runId: (await startRun(machine)).id, tenths: 5 });
    service.clock.set('2026-03-15T00:00:00.000Z');
    expect((await machine.get('/v1/users/')).body.items).toMatchObject([
      { user_id: 'ada', run_count: 1, spend_today_usd: 0 },
    ]);
  });

  test('unpriced_tokens_today has the tokens of the day without a price, which are not part of the spend', async () => {
    const { machine } = await service.register();
    const run = await startRun(machine, 'ada');
    await spendTenths(machine, { runId: run.id, tenths: 1 });
    await useModel(machine, run.id, { model: 'house-model', prompt_tokens: 742 });
    const shown = async () => (await machine.get('/v1/users/')).body.items;
    expect(await shown()).toMatchObject([{ spend_today_usd: 0.1, unpriced_tokens_today: 742 }]);
    service.clock.set('2026-03-16T00:00:00.000Z');
    expect(await shown()).toMatchObject([{ spend_today_usd: 0, unpriced_tokens_today: 0 }]);
  });

  test('spend_30d_usd has the last thirty days, including today', async () => {
    const { machine } = await service.register();
    await machine.patch('/v1/workspace/', { run_lease_seconds: null });
    const run = await startRun(machine, 'ada');
    await spendTenths(machine, { runId: run.id, tenths: 1 });
    const shown = async () => (await machine.get('/v1/users/')).body.items[0].spend_30d_usd;
    service.clock.advance(29 * DAY_MS);
    await spendTenths(machine, { runId: run.id, tenths: 2 });
    expect(await shown()).toBe(0.3);
    service.clock.advance(DAY_MS);
    expect(await shown()).toBe(0.2);
  });

  test('search finds users whose id begins with it, in the order of their ids', async () => {
    const { machine } = await service.register();
    for (const userId of ['team/zoe', 'team/ada', 'Team/bob', 'ada', 'team', 'team_%'])
      await machine.post('/v1/users/block', { user_id: userId });
    await machine.post('/v1/users/unblock', { user_id: 'team/ada' });
    expect(await listed(machine, '?search=team')).toEqual(['team', 'team/ada', 'team/zoe', 'team_%']);
    expect(await listed(machine, '?search=team%2F')).toEqual(['team/ada', 'team/zoe']);
    expect(await listed(machine, '?search=team&per_page=2&page=2')).toEqual(['team/zoe', 'team_%']);
    expect(await listed(machine, '?search=team&blocked=false')).toEqual(['team/ada']);
    expect((await machine.get('/v1/users/?search=team&blocked=true&per_page=1')).body.total).toBe(3);
    expect(await listed(machine, '?search=%25')).toEqual([]);
    expect(await listed(machine, '?search=team&page=9')).toEqual([]);
    expect((await listed(machine, '?search=')).length).toBe(6);
  });

  test('sort=spend lists who spent most in thirty days first; search and blocked select among them', async () => {
    const { machine } = await service.register({ plan: 'enterprise' });
    await machine.patch('/v1/workspace/', { run_lease_seconds: null, max_concurrent_runs: 9 });
    const runs: Record<string, string> = {};
    for (const userId of ['ada', 'bob', 'bea', 'idle']) runs[userId] = (await startRun(machine, userId)).id;
    await machine.post('/v1/users/never-ran/block');
    await spendTenths(machine, { runId: runs['idle'] ?? '', tenths: 9 });
    service.clock.advance(29 * DAY_MS);
    await spendTenths(machine, { runId: runs['ada'] ?? '', tenths: 1 });
    await spendTenths(machine, { runId: runs['bob'] ?? '', tenths: 3 });
    expect(await listed(machine, '?sort=spend')).toEqual(['idle', 'bob', 'ada', 'bea']);
    // Of days that are cached by now.
    service.clock.advance(DAY_MS);
    await spendTenths(machine, { runId: runs['ada'] ?? '', tenths: 5 });
    expect(await listed(machine, '?sort=spend')).toEqual(['ada', 'bob']);
    await spendTenths(machine, { runId: runs['bea'] ?? '', tenths: 4 });
    await machine.post('/v1/users/bob/block');
    expect(await listed(machine, '?sort=spend&search=b')).toEqual(['bea', 'bob']);
    expect(await listed(machine, '?sort=spend&blocked=true')).toEqual(['bob']);
    expect(await listed(machine, '?sort=spend&blocked=false&per_page=1&page=2')).toEqual(['bea']);
    expect((await machine.get('/v1/users/?sort=spend&per_page=1')).body).toMatchObject({
      items: [{ user_id: 'ada', spend_30d_usd: 0.6 }],
      total: 3,
    });
    expect(await listed(machine, '?sort=spend&page=9')).toEqual([]);
  });

  test('filters by blocked, and total counts what the filter matches', async () => {
    const { machine } = await service.register();
    for (const userId of ['ada', 'bob', 'carl']) await startRun(machine, userId);
    await machine.post('/v1/users/bob/block');
    expect(await listed(machine, '?blocked=true')).toEqual(['bob']);
    expect(new Set(await listed(machine, '?blocked=false'))).toEqual(new Set(['ada', 'carl']));
    expect((await machine.get('/v1/users/?blocked=false&per_page=1')).body).toMatchObject({
      total: 2,
      per_page: 1,
      items: [expect.anything()],
    });
  });

  test('pages have no gap and no overlap', async () => {
    const { machine } = await service.register();
    const userIds = ['a', 'b', 'c', 'd', 'e'];
    for (const userId of userIds) await machine.post(`/v1/users/${userId}/block`);
    const pages = [
      ...(await listed(machine, '?per_page=2')),
      ...(await listed(machine, '?per_page=2&page=2')),
      ...(await listed(machine, '?per_page=2&page=3')),
    ];
    expect(pages.sort()).toEqual(userIds);
    expect(await listed(machine, '?page=9')).toEqual([]);
  });

  test.each([
    '?per_page=101',
    '?per_page=0',
    '?page=0',
    '?blocked=yes',
    '?blocked=',
    '?blocked=1',
    '?sort=name',
    '?sort=',
    '?search=a%00',
    `?search=${'x'.repeat(256)}`,
  ])('refuses an invalid query with 422: %s', async (query) => {
    const { machine } = refused;
    expect((await machine.get(`/v1/users/${query}`)).status).toBe(422);
  });
});

describe('blocking', () => {
  test('returns the user; a user can be blocked before the first run', async () => {
    const { machine, person } = await service.register();
    const reply = await person.post('/v1/users/mallory/block');
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        user_id: 'mallory',
        blocked: true,
        run_count: 0,
        spend_today_usd: 0,
        held_usd: 0,
        unpriced_tokens_today: 0,
        last_seen_at: null,
        spend_30d_usd: 0,
        block_note: null,
        blocked_at: NOON,
        blocked_by: expect.stringContaining('@'),
      },
    ]);
    expect((await startRun(machine, 'mallory')).decision.reason).toBe('USER_BLOCKED');
  });

  test('blocking twice and unblocking twice is the same as once', async () => {
    const { machine } = await service.register();
    await startRun(machine, 'ada');
    const blocked = await machine.post('/v1/users/ada/block');
    service.clock.advance(1_000);
    expect(blocked.body).toMatchObject({ user_id: 'ada', blocked: true, run_count: 1, last_seen_at: NOON });
    expect((await machine.post('/v1/users/ada/block')).body).toEqual(blocked.body);
    for (let count = 0; count < 2; count += 1) {
      const reply = await machine.post('/v1/users/ada/unblock');
      expect([reply.status, reply.body]).toEqual([200, { ...blocked.body, blocked: false, ...NOT_BLOCKED }]);
    }
    expect((await startRun(machine, 'ada')).status).toBe('RUNNING');
  });

  test('a note says why, by whom and since when; another note replaces it', async () => {
    const { machine, person, email } = await service.register();
    const first = (await person.post('/v1/users/ada/block', { note: 'Scripts 🤖' })).body;
    expect(first).toMatchObject({ block_note: 'Scripts 🤖', blocked_at: NOON, blocked_by: email });
    service.clock.advance(1_000);
    const later = '2026-03-14T12:00:01.000Z';
    expect((await machine.post('/v1/users/ada/block')).body).toEqual(first);
    const second = (await machine.post('/v1/users/block', { user_id: 'ada', note: 'Ticket 7' })).body;
    expect(second).toMatchObject({ block_note: 'Ticket 7', blocked_at: later });
    expect(second.blocked_by).not.toBe(email);
    expect((await machine.get('/v1/users/?blocked=true')).body.items).toEqual([second]);
    const log = (await person.get('/v1/audit-log/?action=user.blocked')).body.items;
    expect(log.map(({ before, after }: { before: object; after: object }) => [before, after])).toEqual([
      [{ block_note: 'Scripts 🤖' }, { block_note: 'Ticket 7' }],
      [
        { blocked: false, block_note: null },
        { blocked: true, block_note: 'Scripts 🤖' },
      ],
    ]);
    expect((await machine.post('/v1/users/ada/block', { note: null })).body.block_note).toBeNull();
    await machine.post('/v1/users/ada/block', { note: 'x'.repeat(500) });
    expect((await person.post('/v1/users/ada/unblock')).body).toMatchObject({
      blocked: false,
      ...NOT_BLOCKED,
    });
    expect((await person.post('/v1/users/ada/block')).body.block_note).toBeNull();
  });

  test.each([
    ['an empty note', ''],
    ['501 characters', 'x'.repeat(501)],
    ['a NUL', 'a\0'],
    ['a number', 1],
  ])('a note is refused with 422: %s', async (_, note) => {
    expect((await refused.machine.post('/v1/users/ada/block', { note })).status).toBe(422);
    expect((await refused.machine.post('/v1/users/block', { user_id: 'ada', note })).status).toBe(422);
    expect(await listed(refused.machine)).toEqual([]);
  });

  test('unblocking an unknown user returns the user and stores nothing', async () => {
    const { machine } = await service.register();
    const zero = {
      user_id: 'nemo',
      blocked: false,
      run_count: 0,
      spend_today_usd: 0,
      held_usd: 0,
      unpriced_tokens_today: 0,
      last_seen_at: null,
      spend_30d_usd: 0,
      ...NOT_BLOCKED,
    };
    for (const reply of [
      await machine.post('/v1/users/nemo/unblock'),
      await machine.post('/v1/users/unblock', { user_id: 'nemo' }),
    ])
      expect([reply.status, reply.body]).toEqual([200, zero]);
    expect((await machine.get('/v1/users/')).body).toMatchObject({ items: [], total: 0 });
  });

  test.each(['.', '..', '../..', 'a/../b', '%2e', 'ada', '🎉'.repeat(255)])(
    'blocks a user named %j through the body, as a browser sends it',
    async (userId) => {
      const { machine, person } = await service.register();
      const { id } = await startRun(machine, userId);
      const blocked = await person.post('/v1/users/block', { user_id: userId });
      expect([blocked.status, blocked.body]).toEqual([
        200,
        {
          user_id: userId,
          blocked: true,
          run_count: 1,
          spend_today_usd: 0,
          held_usd: 0,
          unpriced_tokens_today: 0,
          last_seen_at: NOON,
          spend_30d_usd: 0,
          block_note: null,
          blocked_at: NOON,
          blocked_by: expect.any(String),
        },
      ]);
      expect((await startRun(machine, userId)).decision.reason).toBe('USER_BLOCKED');
      expect(await listed(machine, '?blocked=true')).toEqual([userId]);
      const unblocked = await person.post('/v1/users/unblock', { user_id: userId });
      expect([unblocked.status, unblocked.body]).toEqual([
        200,
        { ...blocked.body, blocked: false, ...NOT_BLOCKED },
      ]);
      await endRun(machine, id);
      expect((await startRun(machine, userId)).status).toBe('RUNNING');
    },
  );

  test.each([
    ['no name', {}],
    ['an empty name', { user_id: '' }],
    ['256 characters', { user_id: 'x'.repeat(256) }],
    ['a NUL', { user_id: 'a\0' }],
    ['a number', { user_id: 1 }],
    ['null', { user_id: null }],
  ])('a name in the body is refused with 422: %s', async (_, body) => {
    for (const action of ['block', 'unblock'])
      expect((await refused.machine.post(`/v1/users/${action}`, body)).status).toBe(422);
    expect(await listed(refused.machine)).toEqual([]);
  });

  test.each([
    ['with a slash', 'team/ada'],
    ['with an address', 'ada+test@example.com'],
    ['with a percent sign', '100%'],
    ['called like a route', 'block'],
    ['with symbols', '🎉 ?#&='],
    ['of 255 symbols', '🎉'.repeat(255)],
    ['of injected SQL', "x'; DROP TABLE users; --"],
  ])('reaches a user id %s', async (_, userId) => {
    const { machine } = await service.register();
    const reply = await machine.post(`/v1/users/${encodeURIComponent(userId)}/block`);
    expect([reply.status, reply.body.user_id]).toEqual([200, userId]);
    expect((await startRun(machine, userId)).decision.reason).toBe('USER_BLOCKED');
    expect(await listed(machine)).toEqual([userId]);
  });

  test.each([
    ['a NUL', 'a%00'],
    ['256 characters', 'x'.repeat(256)],
  ])('a user id is refused with 422: %s', async (_, userId) => {
    const { machine } = refused;
    const reply = await machine.post(`/v1/users/${userId}/block`);
    expect([reply.status, reply.body]).toEqual([
      422,
      { detail: expect.stringMatching(/^params\/user_id must/) },
    ]);
    expect(await listed(machine)).toEqual([]);
  });
});
