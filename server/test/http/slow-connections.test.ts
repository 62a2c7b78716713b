/** The server ends connections that never get to the point. Its limits are made small here, so that nobody waits. */

import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ofEachKind, openSlowConnections, SLOW_KINDS } from '../support/slow-connections.js';
import { startTestService, type TestService } from '../support/test-service.js';

let service: TestService;
let server: Server;
beforeAll(async () => {
  service = await startTestService();
  server = service.app.server.server as Server;
});
afterAll(() => service.stop());

test('the limits are these', () => {
  expect(server.headersTimeout).toBe(15_000);
  expect(server.requestTimeout).toBe(30_000);
  expect(server.keepAliveTimeout).toBe(72_000);
  expect(server.timeout).toBe(120_000);
});

test('every kind of slow connection is ended when its time is over, and others are served', async () => {
  const { apiKey, machine } = await service.register();
  server.headersTimeout = 3_000;
  server.requestTimeout = 4_000;
  server.timeout = 4_000;
  const slow = await openSlowConnections({
    url: service.url,
    apiKey,
    counts: ofEachKind(5),
    dripEveryMs: 200,
  });
  try {
    expect((await machine.get('/v1/workspace/')).status).toBe(200);
    await expect.poll(connectionCount).toBeGreaterThanOrEqual(5 * SLOW_KINDS.length);
    // Whoever does not read does not see the end, so the server is asked. What is left are our own connections.
    await expect.poll(connectionCount, { timeout: 60_000, interval: 100 }).toBeLessThan(5);
    expect((await machine.get('/v1/workspace/')).status).toBe(200);
  } finally {
    slow.close();
  }
}, 90_000);

function connectionCount(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
