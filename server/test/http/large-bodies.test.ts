/** Large bodies are parsed in a separate thread, with the same result as small ones. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOSTILE_BODIES } from '../support/hostile-bodies.js';
import {
  expectStatus,
  startTestService,
  type TestService,
  type TestTenant,
} from '../support/test-service.js';

const MEBIBYTE = 1024 * 1024;
const LARGE_TEXT = 'é"\\\n'.repeat(50_000);

describe('over HTTP', () => {
  let service: TestService;
  let tenant: TestTenant;
  let path: string;
  beforeAll(async () => {
    service = await startTestService();
    tenant = await service.register();
    const { id } = expectStatus(await tenant.machine.post('/v1/runs/', { user_id: 'ada' }), 201).body;
    path = `/v1/runs/${id}/steps`;
  });
  afterAll(() => service.stop());

  test('a large payload is stored and returned unchanged, and unknown fields are ignored', async () => {
    const step = {
      type: 'TOOL_CALL',
      sequence: 1,
      unknown: [LARGE_TEXT],
      input_data: { [LARGE_TEXT.slice(0, 300)]: [LARGE_TEXT, 1.5, null, true, { nested: {} }] },
    };
    const { id } = expectStatus(await tenant.machine.post(path, step), 201).body;
    const run = expectStatus(await tenant.machine.get(path.replace('/steps', '')), 200).body;
    expect(run.steps.find((shown: { id: string }) => shown.id === id).input_data).toEqual(step.input_data);
  });

  test.each([
    ['a field of the wrong type', { type: 'TOOL_CALL', sequence: 'x'.repeat(100_000) }, /body\/sequence/],
    [
      'client data that is an array',
      { type: 'TOOL_CALL', sequence: 1, input_data: [LARGE_TEXT] },
      /body\/input_data/,
    ],
    ['a missing field', { sequence: 1, input_data: { LARGE_TEXT } }, /type/],
    ['an array', [LARGE_TEXT], /body must be object/],
    ['a NUL character', { type: 'TOOL_CALL', sequence: 1, input_data: { LARGE_TEXT, nul: '\0' } }, /NUL/],
  ])('%s is a 422 that says where', async (_, body, detail) => {
    const reply = await tenant.machine.post(path, body);
    expect([reply.status, reply.body.detail]).toEqual([422, expect.stringMatching(detail)]);
  });

  test('every hostile body of 1 MiB is read within the memory limit of the thread', async () => {
    for (const { name, make } of HOSTILE_BODIES) {
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
        body: new Uint8Array(make(MEBIBYTE - 1)),
      });
      const text = await response.text();
      expect([400, 422], `${name}: ${text}`).toContain(response.status);
      expect(text, name).not.toContain('memory');
    }
  }, 120_000);
});
