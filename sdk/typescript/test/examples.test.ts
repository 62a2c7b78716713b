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

test.each(EXAMPLES)('the README contains the example $name', async ({ name }) => {
  const [readme, example] = await Promise.all([
    readFile(`${SDK}README.md`, 'utf8'),
    readFile(`${SDK}examples/${name}.js`, 'utf8'),
  ]);
  expect(readme).toContain(`\`\`\`js\n${example}\`\`\``);
});

test('the README lists the tested versions', async () => {
  const readme = await readFile(`${SDK}README.md`, 'utf8');
  const rows = [...readme.matchAll(/^\| `(.+?)` *\| `.+?` *\| (\S+) *\|/gm)];
  expect(rows).toHaveLength(7);
  for (const [, name, version] of rows) {
    const manifest = await readFile(`${SDK}../../node_modules/${name}/package.json`, 'utf8');
    expect(`${name} ${version}`).toBe(`${name} ${JSON.parse(manifest).version}`);
  }
});
