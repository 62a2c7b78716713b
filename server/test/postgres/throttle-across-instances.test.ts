/** Failed sign-ins and registrations are counted in the database: more instances do not allow more of them. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient, type ApiReply } from '../support/api-client.js';
import { type ServiceGroup, startServiceGroup } from '../support/service-group.js';

const INSTANCES = 3;
const LIMIT = 6;

let group: ServiceGroup;
let clients: ApiClient[];
beforeAll(async () => {
  group = await startServiceGroup(INSTANCES, { environment: { REGISTRATIONS_PER_HOUR: String(LIMIT) } });
  clients = group.urls.map((url) => new ApiClient(url, null));
});
afterAll(() => group.stop());

/** Sends one request after the other, each to the next instance. */
async function send(count: number, path: string, body: (index: number) => unknown): Promise<ApiReply[]> {
  const replies: ApiReply[] = [];
  for (let index = 0; index < count; index += 1) {
    const client = clients[index % clients.length];
    if (client !== undefined) replies.push(await client.post(path, body(index)));
  }
  return replies;
}

test('registrations at all instances count together, and each instance refuses more for the rest of the hour', async () => {
  const replies = await send(LIMIT + 2 * INSTANCES, '/v1/auth/register', (index) => ({
    email: `account-${index}@example.com`,
    password: 'correct horse',
  }));
  expect(replies.map(({ status }) => status)).toEqual([
    ...Array(LIMIT).fill(201),
    ...Array(2 * INSTANCES).fill(429),
  ]);
  for (const { headers } of replies.slice(LIMIT))
    expect(Number(headers.get('retry-after'))).toSatisfy(
      (seconds: number) => seconds > 3_500 && seconds <= 3_600,
    );
});

test('failed sign-ins at all instances count together', async () => {
  const replies = await send(10 + 2 * INSTANCES, '/v1/auth/login', () => ({
    email: 'victim@example.com',
    password: 'a wrong guess',
  }));
  expect(replies.map(({ status }) => status)).toEqual([
    ...Array(10).fill(401),
    ...Array(2 * INSTANCES).fill(429),
  ]);
});
