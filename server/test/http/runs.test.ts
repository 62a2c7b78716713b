import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('a start that passes every rule answers 201 RUNNING with ALLOW', async () => {
  const { machine } = await service.register();
  const reply = await machine.post('/v1/runs/', { user_id: 'ada', metadata: { source: 'test' } });
  expect(reply.status).toBe(201);
  expect(reply.body).toEqual({
    id: expect.any(String),
    status: 'RUNNING',
    decision: { outcome: 'ALLOW', reason: null },
  });
});
