/** The examples run unmodified against the real service and a local provider, and the README shows the same code. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GuardFixture, startGuard } from './support/guard-fixture.js';

const run = promisify(execFile);
const SDK = fileURLToPath(new URL('..', import.meta.url));

const EXAMPLES = [
  { name: 'quick-start', output: ['Hello, world', 'COMPLETED: 1 steps, $0.0000975'] },
  { name: 'openai', output: ['Hello, world', 'COMPLETED: 1 steps, $0.0000975'] },
  { name: 'anthropic', output: ['Hello, world', 'COMPLETED: 1 steps, $0.0000975'] },
  { name: 'ai-sdk', output: ['Hello, world', 'COMPLETED: 1 steps, $0.0000975'] },
  { name: 'langchain', output: ['Hello, world', 'Hello, world', 'COMPLETED: 2 steps, $0.000195'] },
  { name: 'openai-agents', output: ['Hello, world', 'COMPLETED: 1 steps, $0.0000975'] },
  { name: 'mcp', output: ['[{"type":"text","text":"5"}]', 'COMPLETED: 1 steps, $0'] },
  { name: 'denial', output: ['USER_BLOCKED', 'BLOCKED: 0 steps, $0'] },
];

let fixture: GuardFixture;
beforeAll(async () => {
  await run('npm', ['run', '--silent', 'build'], { cwd: SDK });
  fixture = await startGuard();
});
afterAll(() => fixture.stop());

test.each(EXAMPLES)('the example $name runs', async ({ name, output }) => {
  fixture.service.clock.advance(1);
  const { stdout } = await run(process.execPath, ['examples/run.js', name], {
    cwd: SDK,
    env: {
      ...process.env,
      GUARDED_RUNS_URL: fixture.service.url,
      GUARDED_RUNS_API_KEY: fixture.tenant.apiKey,
    },
  });
  expect(stdout.trim().split('\n')).toEqual(output);
});

test('the example next-route answers a chat, and says why it does not', async () => {
  const program = `
    import { startLocalProvider } from './examples/local-provider.js';
    const provider = await startLocalProvider();
    process.env.OPENAI_BASE_URL = provider.url + '/v1';
    process.env.OPENAI_API_KEY = 'none';
    const { POST } = await import('./examples/next-route.js');
    const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Say hello' }] }];
    const ask = async (userId) => {
      const body = JSON.stringify({ userId, messages });
      const response = await POST(new Request('http://localhost/api/chat', { method: 'POST', body }));
      return [response.status, await response.text()];
    };
    console.log(JSON.stringify([await ask('next'), await ask('mallory')]));
    provider.stop();
  `;
  await fixture.guard.users.block('mallory');
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: SDK,
    env: {
      ...process.env,
      GUARDED_RUNS_URL: fixture.service.url,
      GUARDED_RUNS_API_KEY: fixture.tenant.apiKey,
    },
  });
  const [[status, text], denied] = JSON.parse(stdout);
  expect(status).toBe(200);
  expect(text).toContain('Hello');
  expect(denied).toEqual([402, '{"reason":"USER_BLOCKED"}']);
  expect(await fixture.runOf('next')).toMatchObject({ status: 'COMPLETED', total_tokens: 18 });
});

test.each([...EXAMPLES, { name: 'next-route' }])(
  'the README contains the example $name',
  async ({ name }) => {
    const [readme, example] = await Promise.all([
      readFile(`${SDK}README.md`, 'utf8'),
      readFile(`${SDK}examples/${name}.js`, 'utf8'),
    ]);
    expect(readme).toContain(`\`\`\`js\n${example}\`\`\``);
  },
);

test('the README lists the tested versions', async () => {
  const readme = await readFile(`${SDK}README.md`, 'utf8');
  const rows = [...readme.matchAll(/^\| `(.+?)` *\| `.+?` *\| (\S+) *\|/gm)];
  expect(rows).toHaveLength(7);
  for (const [, name, version] of rows) {
    const manifest = await readFile(`${SDK}../../node_modules/${name}/package.json`, 'utf8');
    expect(`${name} ${version}`).toBe(`${name} ${JSON.parse(manifest).version}`);
  }
});
