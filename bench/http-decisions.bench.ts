/** Decisions over HTTP on PostgreSQL with durable commits: how many, and what each costs the instance and the database. */

import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import { ApiClient } from '../server/test/support/api-client.js';
import { cpuMsOf, PostgresServer } from '../server/test/support/postgres-server.js';
import { startServiceProcess } from '../server/test/support/service-process.js';
import { createPostgresDatabase } from '../server/test/support/test-database.js';
import { expectStatus } from '../server/test/support/test-service.js';

const CLIENTS = 64;
const WARM_UP_MS = 3_000;
const DURATION_MS = 5_000;

test('run starts over HTTP, in one workspace and in many', async () => {
  const server = await PostgresServer.start({ fsync: true });
  const { url } = await createPostgresDatabase(server.url);
  const service = await startServiceProcess({
    DATABASE_URL: url,
    DEFAULT_PLAN: 'enterprise',
    LOG_LEVEL: 'warn',
  });
  const pid = service.child.pid ?? 0;
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  try {
    for (const workspaces of [1, CLIENTS]) {
      const keys: string[] = [];
      for (let index = 0; index < workspaces; index += 1) keys.push(await newApiKey(service.url));
      const load = (durationMs: number) => startRuns({ agent, url: service.url, keys, durationMs });
      await load(WARM_UP_MS);
      const cpuBefore = [cpuMsOf([pid]), server.cpuMs()] as const;
      const begun = performance.now();
      const count = await load(DURATION_MS);
      const seconds = (performance.now() - begun) / 1_000;
      const perThousand = (cpuMs: number) => ((cpuMs * 1_000) / count).toFixed(0);
      console.log(
        `  ${workspaces} workspaces, ${CLIENTS} clients: ${Math.round(count / seconds)} starts/s; 1,000 of them cost ` +
          `${perThousand(cpuMsOf([pid]) - cpuBefore[0])} ms CPU in the instance and ` +
          `${perThousand(server.cpuMs() - cpuBefore[1])} ms in PostgreSQL`,
      );
    }
  } finally {
    agent.destroy();
    await service.stop('SIGTERM');
    await server.stop();
  }
});

/** How many were started. */
async function startRuns(given: {
  agent: Agent;
  url: string;
  keys: readonly string[];
  durationMs: number;
}): Promise<number> {
  const { agent, url, keys, durationMs } = given;
  const begun = performance.now();
  let count = 0;
  const client = async (index: number) => {
    while (performance.now() - begun < durationMs) {
      expect(await startRun({ agent, url, key: keys[index % keys.length] ?? '' })).toBe(201);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  return count;
}

async function newApiKey(url: string): Promise<string> {
  const anonymous = new ApiClient(url, null);
  const email = `${Math.random().toString(36).slice(2)}@example.com`;
  const { body } = expectStatus(
    await anonymous.post('/v1/auth/register', { email, password: 'correct horse' }),
    201,
  );
  const settings = { max_concurrent_runs: 1_000_000_000 };
  expectStatus(await new ApiClient(url, body.api_key).patch('/v1/workspace/', settings), 200);
  return body.api_key;
}

function startRun({ agent, url, key }: { agent: Agent; url: string; key: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/v1/runs/`,
      {
        agent,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      },
      (reply) => reply.resume().once('end', () => resolve(reply.statusCode ?? 0)),
    );
    sent.once('error', reject);
    sent.end('{"user_id": "ada"}');
  });
}
