/** A service that stops ends the calls in flight, settles them, and exits in time. */

import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/open-store.js';
import { ApiClient } from '../support/api-client.js';
import { startServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase, testStore } from '../support/test-database.js';
import { expectStatus } from '../support/test-service.js';
import { BEHAVIOUR_HEADER, type ProviderStandIn, startProvider } from './support/provider-stand-in.js';

let provider: ProviderStandIn;
let database: TestDatabase;
beforeAll(async () => {
  provider = await startProvider();
  database = await createTestDatabase(testStore());
});
afterAll(async () => {
  await provider.stop();
  await database.drop();
});

test('calls that hang, stream or have not arrived do not keep it from stopping, and are settled', async () => {
  const service = await startServiceProcess({
    DATABASE_URL: database.url,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'fatal',
    DATABASE_TIMEOUT_MS: '30000',
    GATEWAY_OPENAI_URL: provider.url,
    GATEWAY_OPENAI_API_KEY: 'sk-openai',
  });
  const account = { email: 'stop@example.com', password: 'correct horse' };
  const { body } = expectStatus(
    await new ApiClient(service.url, null).post('/v1/auth/register', account),
    201,
  );
  const send = (behaviour: object, stream: boolean) =>
    fetch(`${service.url}/gateway/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${body.api_key}`, [BEHAVIOUR_HEADER]: JSON.stringify(behaviour) },
      body: JSON.stringify({ model: 'm', messages: [], max_tokens: 50, stream }),
    })
      .then((response) => response.text())
      .then(
        () => 'whole',
        () => 'broken',
      );
  const answers = [send({ hangs: true }, false), send({ tokens: 10_000, pauseMs: 20 }, true)];
  const { hostname, port } = new URL(service.url);
  const half = connect(Number(port), hostname).on('error', () => {});
  half.write(
    `POST /gateway/openai/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${body.api_key}\r\ncontent-length: 100\r\n\r\n{`,
  );
  await expect.poll(() => provider.requests.length).toBe(2);
  expect(await service.stop('SIGTERM')).toBe(0);
  half.destroy();
  expect(await Promise.all(answers)).toEqual(['whole', 'broken']);
  const store = await openStore({ databaseUrl: database.url, poolMax: 2, timeoutMs: 10_000 });
  const { items } = await store.runs.list({
    workspaceId: body.workspace.id,
    status: null,
    userId: null,
    offset: 0,
    limit: 10,
  });
  expect(items.map(({ status }) => status)).toEqual(['FAILED', 'FAILED']);
  expect((await store.maintenance.verify()).differences).toEqual([]);
  await store.close();
});
