/** Which run a call belongs to, and whom it is for. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectStatus } from '../support/test-service.js';
import { type GatewayFixture, MODEL, startGateway } from './support/gateway-fixture.js';

let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  gateway.provider.requests.length = 0;
});
afterAll(() => gateway.stop());

interface Answer {
  readonly status: number;
  readonly runId: string | null;
  readonly body: { readonly detail?: string };
}

async function call(
  headers: Record<string, string> = {},
  body: Record<string, unknown> = {},
  apiKey = gateway.tenant.apiKey,
): Promise<Answer> {
  const response = await fetch(`${gateway.openaiUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  });
  const runId = response.headers.get('x-guarded-run-id');
  return { status: response.status, runId, body: (await response.json()) as Answer['body'] };
}

const runOf = async (id: string | null) => (await gateway.tenant.person.get(`/v1/runs/${id}`)).body;

describe('a run that the client has started', () => {
  test('gets the calls that name it, and stays open', async () => {
    const { body: run } = await gateway.tenant.machine.post('/v1/runs/', { user_id: 'ann' });
    const calls = [await call({ 'x-guarded-run-id': run.id }), await call({ 'x-guarded-run-id': run.id })];
    expect(calls.map(({ runId }) => runId)).toEqual([run.id, run.id]);
    const detail = await runOf(run.id);
    expect(detail).toMatchObject({ status: 'RUNNING', user_id: 'ann' });
    expect(detail.steps.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2]);
  });

  test('is not found in another workspace, and nothing is forwarded', async () => {
    const other = await gateway.service.register();
    const { body: run } = await other.machine.post('/v1/runs/', { user_id: 'ann' });
    expect(await call({ 'x-guarded-run-id': run.id })).toMatchObject({
      status: 404,
      body: { detail: 'Run not found' },
    });
    expect(await call({ 'x-guarded-run-id': 'no id' })).toMatchObject({ status: 404 });
    expect(gateway.provider.requests).toEqual([]);
  });

  test('that has ended gets no more calls', async () => {
    const { body: run } = await gateway.tenant.machine.post('/v1/runs/', { user_id: 'ann' });
    await gateway.tenant.machine.post(`/v1/runs/${run.id}/end`, { status: 'COMPLETED' });
    const answer = await call({ 'x-guarded-run-id': run.id });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'RUN_ALREADY_ENDED' } } });
    expect(gateway.provider.requests).toEqual([]);
  });
});

describe('a session', () => {
  test('is one run, also if its first calls come at once', async () => {
    const calls = await Promise.all(
      Array.from({ length: 20 }, () => call({ 'x-guarded-session': 'at once' })),
    );
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(calls.map(({ runId }) => runId)).size).toBe(1);
    expect(await runOf(calls[0]?.runId ?? null)).toMatchObject({
      status: 'RUNNING',
      metadata: { gateway: 'openai', session: 'at once' },
    });
  });

  test('goes on in a new run when the lease of the first has ended', async () => {
    const first = await call({ 'x-guarded-session': 'long' });
    gateway.service.clock.advance(86_400_000);
    const second = await call({ 'x-guarded-session': 'long' });
    expect(second.status).toBe(200);
    expect(second.runId).not.toBe(first.runId);
    expect(await runOf(first.runId)).toMatchObject({ status: 'FAILED', end_reason: 'LEASE_EXPIRED' });
    expect((await call({ 'x-guarded-session': 'long' })).runId).toBe(second.runId);
  });

  test('goes on in a new run when an operator has stopped the first', async () => {
    const first = await call({ 'x-guarded-session': 'stopped' });
    expectStatus(await gateway.tenant.person.post(`/v1/runs/${first.runId}/stop`), 200);
    const second = await call({ 'x-guarded-session': 'stopped' });
    expect([second.status, second.runId === first.runId]).toEqual([200, false]);
  });

  test('belongs to its user: a session of the same name of another user is another run', async () => {
    const ann = await call({ 'x-guarded-session': 'main', 'x-guarded-user': 'ann' });
    const bob = await call({ 'x-guarded-session': 'main', 'x-guarded-user': 'bob' });
    expect(ann.runId).not.toBe(bob.runId);
    expect((await runOf(bob.runId)).user_id).toBe('bob');
  });

  test('of another user cannot be taken over by a run with the metadata of the session', async () => {
    const ann = await call({ 'x-guarded-session': 'mine', 'x-guarded-user': 'ann' });
    const { metadata } = await runOf(ann.runId);
    await gateway.tenant.machine.post('/v1/runs/', { user_id: 'mallory', metadata });
    const next = await call({ 'x-guarded-session': 'mine', 'x-guarded-user': 'ann' });
    expect((await runOf(next.runId)).user_id).toBe('ann');
  });

  test('that is denied is denied again, and starts when it may', async () => {
    await gateway.tenant.person.post('/v1/users/eve/block');
    const headers = { 'x-guarded-session': 'eve', 'x-guarded-user': 'eve' };
    expect([(await call(headers)).status, (await call(headers)).status]).toEqual([403, 403]);
    await gateway.tenant.person.post('/v1/users/eve/unblock');
    expect((await call(headers)).status).toBe(200);
  });

  test('has a name of at most 200 characters', async () => {
    expect((await call({ 'x-guarded-session': 'n'.repeat(201) })).status).toBe(400);
    expect((await call({ 'x-guarded-session': 'n'.repeat(200) })).status).toBe(200);
  });
});

describe('the user of a call', () => {
  const userOf = async (headers: Record<string, string>, body: Record<string, unknown>) =>
    (await runOf((await call(headers, body)).runId)).user_id;

  test('is the header, else what the request names, else "gateway"', async () => {
    const body = { safety_identifier: 'safe', user: 'old', metadata: { user_id: 'deep' } };
    expect(await userOf({ 'x-guarded-user': 'header' }, body)).toBe('header');
    expect(await userOf({}, body)).toBe('safe');
    expect(await userOf({}, { user: 'old', metadata: { user_id: 'deep' } })).toBe('old');
    expect(await userOf({}, { metadata: { user_id: 'deep' } })).toBe('deep');
    expect(await userOf({}, { user: null, safety_identifier: 7 })).toBe('gateway');
  });

  test('may have any characters, in UTF-8', async () => {
    expect(await userOf({ 'x-guarded-user': Buffer.from('Zoë 愛').toString('latin1') }, {})).toBe('Zoë 愛');
  });

  test('is the one of the key, if the key has one; another is refused', async () => {
    const { body } = await gateway.tenant.person.post('/v1/api-keys/', {
      label: 'ann',
      scope: 'agent',
      user_id: 'ann',
    });
    const own = await call({}, { user: 'bob' }, body.key);
    expect((await runOf(own.runId)).user_id).toBe('ann');
    expect((await call({ 'x-guarded-user': 'bob' }, {}, body.key)).status).toBe(403);
  });

  test('with a name that is too long is refused, and nothing is forwarded', async () => {
    const answer = await call({}, { user: 'u'.repeat(256) });
    expect([answer.status, gateway.provider.requests.length]).toEqual([400, 0]);
  });
});
