import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type GuardedRun, StepDenied } from '../../src/index.js';
import { guardTool } from '../../src/integrations/tools.js';
import { type GuardFixture, startGuard } from '../support/guard-fixture.js';

let fixture: GuardFixture;
beforeAll(async () => {
  fixture = await startGuard();
});
afterAll(() => fixture.stop());

test('a guarded tool has the arguments and result of the tool, and is recorded', async () => {
  const userId = 'plain';
  const sum = await fixture.guard.run({ userId }, (run) => {
    const add = guardTool((left: number, right: number) => left + right, { name: 'add', run });
    return add(2, 3);
  });
  expect(sum).toBe(5);
  expect(await fixture.stepsOf(userId)).toMatchObject([
    { type: 'TOOL_CALL', tool_name: 'add', status: 'COMPLETED', prompt_tokens: null, cost_usd: null },
  ]);
});

test('a denied tool is not called', async () => {
  const userId = 'denied';
  const run = await fixture.guard.start({ userId });
  await fixture.guard.users.block(userId);
  let isCalled = false;
  const search = guardTool(
    () => {
      isCalled = true;
    },
    { name: 'search', run },
  );
  await expect(search()).rejects.toThrow(StepDenied);
  expect(isCalled).toBe(false);
});

test('a tool that throws is recorded as FAILED, and its error is rethrown', async () => {
  const userId = 'throwing';
  const failure = new Error('no such file');
  const outcome = fixture.guard.run({ userId }, (run) =>
    guardTool(() => Promise.reject(failure), { name: 'read', run })(),
  );
  await expect(outcome).rejects.toBe(failure);
  expect(await fixture.stepsOf(userId)).toMatchObject([{ tool_name: 'read', status: 'FAILED' }]);
});

test('a generator stays one, is recorded when it has been read, and is not called if it is denied', async () => {
  const userId = 'generating';
  let callCount = 0;
  async function* count(to: number) {
    callCount += 1;
    for (let number = 1; number <= to; number += 1) yield number;
  }
  const run = await fixture.guard.start({ userId });
  const guarded = guardTool(count, { name: 'count', run });
  const generator = guarded(3);
  expect(generator[Symbol.asyncIterator]).toBeTypeOf('function');
  expect(callCount).toBe(0);
  const numbers: number[] = [];
  for await (const number of generator) numbers.push(number);
  expect(numbers).toEqual([1, 2, 3]);
  for await (const _ of guarded(3)) break;
  await fixture.guard.users.block(userId);
  await expect(guarded(3).next()).rejects.toThrow(StepDenied);
  expect(callCount).toBe(2);
  expect(await fixture.stepsOf(userId)).toMatchObject([
    { tool_name: 'count', status: 'COMPLETED' },
    { tool_name: 'count', status: 'FAILED' },
    { tool_name: 'count', status: 'BLOCKED' },
  ]);
});

test('a tool that outlives a run uses the current run', async () => {
  let current: GuardedRun | undefined;
  const ping = guardTool(() => 'pong', {
    name: 'ping',
    run: () => {
      if (current === undefined) throw new Error('No run');
      return current;
    },
  });
  for (const userId of ['first', 'second']) {
    await fixture.guard.run({ userId }, (run) => {
      current = run;
      return ping();
    });
    expect(await fixture.stepsOf(userId)).toHaveLength(1);
  }
});

test('an MCP handler is recorded with the outcome of its result', async () => {
  const userId = 'mcp';
  await fixture.guard.run({ userId }, (run) =>
    withMcpClient(run, async (client) => {
      const added = await client.callTool({ name: 'divide', arguments: { by: 2 } });
      expect(added).toMatchObject({ content: [{ type: 'text', text: '5' }] });
      const refused = await client.callTool({ name: 'divide', arguments: { by: 0 } });
      expect(refused).toMatchObject({ isError: true });
    }),
  );
  expect(await fixture.stepsOf(userId)).toMatchObject([
    { type: 'TOOL_CALL', tool_name: 'divide', status: 'COMPLETED' },
    { type: 'TOOL_CALL', tool_name: 'divide', status: 'FAILED' },
  ]);
});

test('a denied MCP handler is not called, and the client receives the reason', async () => {
  const userId = 'denied-mcp';
  const run = await fixture.guard.start({ userId });
  await fixture.guard.users.block(userId);
  await withMcpClient(run, async (client) => {
    const denied = await client.callTool({ name: 'divide', arguments: { by: 2 } });
    expect(denied).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('USER_BLOCKED') }],
    });
  });
});

async function withMcpClient(run: GuardedRun, use: (client: Client) => Promise<void>): Promise<void> {
  const server = new McpServer({ name: 'calculator', version: '1.0.0' });
  server.registerTool(
    'divide',
    { description: 'Divides ten', inputSchema: { by: z.number() } },
    guardTool(
      ({ by }: { by: number }) => ({
        content: [{ type: 'text' as const, text: String(10 / by) }],
        isError: by === 0,
      }),
      { name: 'divide', run },
    ),
  );
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  try {
    await use(client);
  } finally {
    await client.close();
  }
}
