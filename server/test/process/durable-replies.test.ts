/** Observed from outside, in the system calls of the process: no write is acknowledged before it is on disk. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOAD_MODEL } from '../support/acknowledged-load.js';
import { ApiClient } from '../support/api-client.js';
import { registerLoadWorkspace } from '../support/load-workspace.js';
import { shortHash } from '../support/long-record.js';
import { startServiceProcess } from '../support/service-process.js';
import {
  hasExited,
  parseSystemCalls,
  type SystemCall,
  traceCommand,
  whyNotTraceable,
} from '../support/system-call-trace.js';

const CLIENTS = 8;
const AGENTS_PER_CLIENT = 3;
const WRITES_PER_AGENT = 5;
const SYNCS = ['fsync', 'fdatasync'];
const WRITES = ['write', 'writev', 'pwrite64', 'pwritev', 'sendto', 'sendmsg'];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-durable-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** How a write is recognised: the hash of its key in the log of the database, its id in the reply. */
interface AnsweredWrite {
  readonly keyHash: string;
  readonly requestId: string;
}

test('every reply to a write is sent after a sync of the log that began after its rows were written', async ({
  skip,
}) => {
  const reason = whyNotTraceable();
  if (reason !== null) skip(reason);
  const trace = await traceWrites();
  const calls = parseSystemCalls(trace.text);
  const findings = trace.writes.map((write) => findingAbout(write, calls));
  expect(findings).toEqual(trace.writes.map(() => 'synced before the reply'));
  expect(trace.writes).toHaveLength(CLIENTS * AGENTS_PER_CLIENT * WRITES_PER_AGENT);

  // The check must fail for the same trace without its syncs.
  const withoutSyncs = calls.filter(({ name }) => !SYNCS.includes(name));
  for (const write of trace.writes) expect(findingAbout(write, withoutSyncs)).toBe('not synced');
}, 120_000);

function findingAbout({ keyHash, requestId }: AnsweredWrite, calls: readonly SystemCall[]): string {
  const rows = calls.find(
    (call) => isOfLog(call) && WRITES.includes(call.name) && call.args.includes(keyHash),
  );
  const reply = calls.find(({ args }) => /"HTTP\/1\.1 20[01] /.test(args) && args.includes(requestId));
  if (rows === undefined) return 'not written to the log';
  if (reply === undefined) return 'not answered';
  const written = rows.returned ?? Number.POSITIVE_INFINITY;
  const isInTime = (call: SystemCall) =>
    call.result === 0 && call.returned !== null && call.began > written && call.returned < reply.began;
  return calls.some((call) => SYNCS.includes(call.name) && isOfLog(call) && isInTime(call))
    ? 'synced before the reply'
    : 'not synced';
}

function isOfLog({ args }: SystemCall): boolean {
  return /^\d+<[^>]*\.db-wal>/.test(args);
}

async function traceWrites(): Promise<{ text: string; writes: AnsweredWrite[] }> {
  const file = join(folder, 'calls.txt');
  const service = await startServiceProcess(
    {
      DATABASE_URL: `sqlite:${join(folder, 'durable.db')}`,
      LOG_LEVEL: 'fatal',
      DEFAULT_PLAN: 'enterprise',
    },
    { through: traceCommand({ calls: [...SYNCS, ...WRITES], file }) },
  );
  const { apiKey, workspaceId } = await registerLoadWorkspace(service.url);
  const writes: AnsweredWrite[] = [];
  const client = new ApiClient(service.url, apiKey);
  await Promise.all(Array.from({ length: CLIENTS }, () => runAgents({ client, workspaceId, writes })));
  expect(await service.stop('SIGTERM')).toBe(0);
  let text = '';
  while (!hasExited(text, service.child.pid)) {
    await pause(10);
    text = await readFile(file, 'latin1');
  }
  return { text, writes };
}

/** Everything that can be written with a key. */
async function runAgents(given: {
  client: ApiClient;
  workspaceId: string;
  writes: AnsweredWrite[];
}): Promise<void> {
  const { client, workspaceId, writes } = given;
  const send = async (method: string, path: string, body: object): Promise<string> => {
    const [key, requestId] = [randomUUID(), randomUUID()];
    const headers = { 'idempotency-key': key, 'x-request-id': requestId };
    const reply = await client.send(method, path, body, headers);
    expect([200, 201]).toContain(reply.status);
    writes.push({ keyHash: shortHash(workspaceId + shortHash(key)), requestId });
    return reply.body.id;
  };
  for (let agent = 0; agent < AGENTS_PER_CLIENT; agent += 1) {
    const run = await send('POST', '/v1/runs/', { user_id: 'u' });
    const steps = `/v1/runs/${run}/steps`;
    const step = await send('POST', steps, { type: 'MODEL_CALL', sequence: 1, model: LOAD_MODEL });
    await send('PATCH', `${steps}/${step}`, { status: 'COMPLETED', prompt_tokens: 3 });
    await send('POST', `/v1/runs/${run}/end`, { status: 'COMPLETED' });
    await send('POST', '/v1/api-keys/', { label: 'another' });
  }
}
