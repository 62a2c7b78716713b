/** The server closes slow connections. Its limits are small here, so that the test is fast. */

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

test('the limits have these values', () => {
  expect(server.headersTimeout).toBe(15_000);
  expect(server.requestTimeout).toBe(30_000);
  expect(server.keepAliveTimeout).toBe(72_000);
  expect(server.timeout).toBe(120_000);
});

test('every kind of slow connection is closed when its time is up, and others are served', async () => {
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
    // A client that does not read does not see the close, so the server is asked. Only the connections of the test remain.
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
