import { GuardedRuns } from '@guarded-runs/sdk';
import { guardTool } from '@guarded-runs/sdk/tools';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const guard = new GuardedRuns();

await guard.run({ userId: 'ada' }, async (run) => {
  const server = new McpServer({ name: 'calculator', version: '1.0.0' });
  const inputSchema = { left: z.number(), right: z.number() };
  server.registerTool(
    'add',
    { description: 'Adds two numbers', inputSchema },
    guardTool(({ left, right }) => ({ content: [{ type: 'text', text: String(left + right) }] }), {
      name: 'add',
      run,
    }),
  );

  // A client in the same process. A real client connects to the server over its own transport.
  const client = new Client({ name: 'example', version: '1.0.0' });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  const { content } = await client.callTool({ name: 'add', arguments: { left: 2, right: 3 } });
  console.log(JSON.stringify(content));
  await client.close();
});
