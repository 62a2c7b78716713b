/** Reports that travel with a step or the end of a run: one round trip, all or nothing, before the decision. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStep, setPrice, startRun } from '../support/agent.js';
import type { ApiClient } from '../support/api-client.js';
import { expectExactCounters } from '../support/exact-counters.js';
import { expectStatus, startTestService, type TestService } from '../support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await expectExactCounters(service);
  await service.stop();
});

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';
const TENTH = { status: 'COMPLETED', prompt_tokens: 1, completion_tokens: 0 };

/** A run with some steps that are not reported yet; a prompt token costs $0.1. */
async function runWithSteps(count: number) {
  const { machine } = await service.register();
  await setPrice(machine, { input: 0.1 });
  const { id: runId } = await startRun(machine);
  const stepIds: string[] = [];
  for (let index = 0; index < count; index += 1) stepIds.push((await createStep(machine, runId)).id);
  return { machine, runId, stepIds };
}

const step = (reports?: unknown) => ({ type: 'MODEL_CALL', sequence: 9, model: 'gpt', reports });

async function getRun(machine: ApiClient, runId: string) {
  return expectStatus(await machine.get(`/v1/runs/${runId}`), 200).body;
}

describe.each([
  { path: 'steps', body: step(), status: 201 },
  { path: 'end', body: { status: 'COMPLETED' }, status: 200 },
])('with /$path', ({ path, body, status }) => {
  test('all reports are applied, and each has its response', async () => {
    const { machine, runId, stepIds } = await runWithSteps(3);
    const reports = stepIds.map((step_id) => ({ step_id, ...TENTH }));
    const reply = expectStatus(await machine.post(`/v1/runs/${runId}/${path}`, { ...body, reports }), status);
    expect(reply.body.reported).toEqual(stepIds.map((id) => ({ id, status: 'COMPLETED' })));
    expect(await getRun(machine, runId)).toMatchObject({ total_tokens: 3, total_cost_usd: 0.3 });
  });

  test('the response is as before without reports, and has an empty list for an empty list', async () => {
    const { machine, runId } = await runWithSteps(0);
    const plain = expectStatus(await machine.post(`/v1/runs/${runId}/${path}`, body), status);
    expect(plain.body).not.toHaveProperty('reported');
    const empty = await machine.post(`/v1/runs/${runId}/${path}`, { ...body, reports: [] });
    expect(expectStatus(empty, status).body.reported).toEqual([]);
  });

  test.each([
    [404, 'an unknown step', 'Step not found', { step_id: UNKNOWN_ID, ...TENTH }],
    [404, 'no id of a step', 'Step not found', { step_id: 'x', ...TENTH }],
  ])('a report is refused with %i for %s: nothing changes, and the error names it', async (...given) => {
    const [expected, , detail, refused] = given;
    const { machine, runId, stepIds } = await runWithSteps(2);
    const [first, second] = stepIds.map((step_id) => ({ step_id, ...TENTH }));
    const before = await getRun(machine, runId);
    const reply = await machine.post(`/v1/runs/${runId}/${path}`, {
      ...body,
      reports: [first, second, refused],
    });
    expect([reply.status, reply.body.detail]).toEqual([expected, `body/reports/2: ${detail}`]);
    expect(await getRun(machine, runId)).toEqual(before);
    const again = await machine.post(`/v1/runs/${runId}/${path}`, { ...body, reports: [first, second] });
    expectStatus(again, status);
    expect(await getRun(machine, runId)).toMatchObject({ total_tokens: 2, total_cost_usd: 0.2 });
  });

  test('a report that contradicts an earlier one of the same request is refused, and nothing changes', async () => {
    const { machine, runId, stepIds } = await runWithSteps(1);
    const [step_id] = stepIds;
    const same = { step_id, ...TENTH };
    const other = { ...same, prompt_tokens: 2 };
    const reply = await machine.post(`/v1/runs/${runId}/${path}`, { ...body, reports: [same, same, other] });
    expect(reply.status).toBe(400);
    expect(reply.body.detail).toMatch(/^body\/reports\/2: The step was already updated/);
    expect(await getRun(machine, runId)).toMatchObject({ total_tokens: 0, steps: [{ status: 'ALLOWED' }] });
  });

  test('a step of another run of the workspace is not found', async () => {
    const { machine, runId } = await runWithSteps(0);
    const other = await startRun(machine);
    const { id: step_id } = await createStep(machine, other.id);
    const reports = [{ step_id, ...TENTH }];
    const reply = await machine.post(`/v1/runs/${runId}/${path}`, { ...body, reports });
    expect(reply.status).toBe(404);
    expect(await getRun(machine, other.id)).toMatchObject({ total_tokens: 0 });
  });

  test('more than 100 reports are refused', async () => {
    const { machine, runId } = await runWithSteps(0);
    const reports = Array.from({ length: 101 }, () => ({ step_id: UNKNOWN_ID, ...TENTH }));
    const reply = await machine.post(`/v1/runs/${runId}/${path}`, { ...body, reports });
    expect([reply.status, reply.body.detail]).toEqual([
      422,
      'body/reports must NOT have more than 100 items',
    ]);
  });

  test('a retry with its Idempotency-Key has the same response and counts nothing twice', async () => {
    const { machine, runId, stepIds } = await runWithSteps(1);
    const reports = stepIds.map((step_id) => ({ step_id, ...TENTH }));
    const send = () =>
      machine.send('POST', `/v1/runs/${runId}/${path}`, { ...body, reports }, { 'idempotency-key': 'k' });
    const first = expectStatus(await send(), status);
    expect((await send()).body).toEqual(first.body);
    expect(await getRun(machine, runId)).toMatchObject({ total_tokens: 1 });
  });
});

test('the decision sees the spend of the reports before it', async () => {
  const { machine, runId, stepIds } = await runWithSteps(1);
  expectStatus(await machine.patch('/v1/workspace/', { daily_budget_usd: 0.1 }), 200);
  const reports = stepIds.map((step_id) => ({ step_id, ...TENTH }));
  const { body } = expectStatus(await machine.post(`/v1/runs/${runId}/steps`, step(reports)), 201);
  expect(body.decision.reason).toBe('WORKSPACE_DAILY_BUDGET_EXCEEDED');
});

test('an end that is refused takes its reports back', async () => {
  const { machine, runId, stepIds } = await runWithSteps(1);
  expectStatus(await machine.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' }), 200);
  const reports = stepIds.map((step_id) => ({ step_id, ...TENTH }));
  expectStatus(await machine.post(`/v1/runs/${runId}/end`, { status: 'FAILED', reports }), 400);
  expect(await getRun(machine, runId)).toMatchObject({ total_tokens: 0 });
});

test('an unknown run is not found, whatever is reported', async () => {
  const { machine } = await service.register();
  const reports = [{ step_id: UNKNOWN_ID, ...TENTH }];
  const reply = await machine.post(`/v1/runs/${UNKNOWN_ID}/steps`, step(reports));
  expect([reply.status, reply.body.detail]).toEqual([404, 'Run not found']);
});
