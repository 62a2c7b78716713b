/** What the documents promise is what the service does. */

import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { openApiDocument } from '../../src/http/openapi.js';
import { startTestService, type TestService } from '../support/test-service.js';

const ROOT = new URL('../../../', import.meta.url);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Operation {
  readonly security: Record<string, unknown>[];
}

test('docs/api.md lists every route with the credential that it demands, and no other', async () => {
  const paths = openApiDocument(service.app.server).paths as unknown as Record<
    string,
    Record<string, Operation>
  >;
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { security }]) => `${method.toUpperCase()} ${path} ${credentialOf(security)}`,
    ),
  );
  const rows = [...(await readText('docs/api.md')).matchAll(/^\| ([A-Z]+) +\| `([^`]+)` +\| (\w+) +\|/gm)];
  expect(rows.map(([, method, path, credential]) => `${method} ${path} ${credential}`).sort()).toEqual(
    documented.sort(),
  );
});

test('docs/api.md lists every status that the OpenAPI document has', async () => {
  const text = await readText('docs/api.md');
  const statuses = new Set(
    JSON.stringify(openApiDocument(service.app.server).paths).match(/"[45]\d\d"(?=:)/g),
  );
  for (const status of statuses) expect(text).toMatch(new RegExp(`^\\| .*${status.slice(1, 4)}.* \\|`, 'm'));
});

test('the first run of the README works when pasted', async () => {
  const [, script = ''] =
    /## A first guarded run\n\n```sh\n([\s\S]+?)```/.exec(await readText('README.md')) ?? [];
  const output = await runShell(script.replace('http://127.0.0.1:8000', service.url));
  const lines = output.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ model: 'gpt-4o', input_cost_per_token: 0.0000025 }),
    expect.objectContaining({ daily_budget_usd: 0.01 }),
    expect.objectContaining({ status: 'COMPLETED' }),
    expect.objectContaining({
      status: 'BLOCKED',
      decision: { outcome: 'DENY', reason: 'WORKSPACE_DAILY_BUDGET_EXCEEDED' },
    }),
    expect.objectContaining({ status: 'COMPLETED', ended_at: expect.any(String) }),
    expect.objectContaining({ today: { total_usd: 0.01, total_tokens: 1900, run_count: 1 } }),
  ]);
});

test('the README documents every variable that the configuration reads, with its default', async () => {
  const read: string[] = [];
  const spy = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_target, name) => {
        read.push(String(name));
        return undefined;
      },
    },
  );
  loadConfig(spy);
  const text = await readText('README.md');
  for (const name of new Set(read)) expect(text).toMatch(new RegExp(`^\\| .*\`${name}\``, 'm'));
});

function credentialOf(security: readonly Record<string, unknown>[]): string {
  const kinds = security.flatMap((scheme) => Object.keys(scheme));
  if (kinds.length === 0) return 'none';
  if (kinds.length === 2) return 'either';
  return kinds[0] === 'apiKey' ? 'key' : 'token';
}

function readText(path: string): Promise<string> {
  return readFile(new URL(path, ROOT), 'utf8');
}

function runShell(script: string): Promise<string> {
  const shell = spawn('bash', ['-eu', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    shell.once('exit', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`Exit code ${code}:\n${output}`)),
    );
  });
}
