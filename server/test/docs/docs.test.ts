/** The documents match the service and the repository. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
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

test('the README, or the page of the gateway, documents every variable that the configuration reads', async () => {
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
  const text = `${await readText('README.md')}\n${await readText('docs/gateway.md')}`;
  for (const name of new Set(read)) expect(text).toMatch(new RegExp(`^\\| .*\`${name}\``, 'm'));
});

test('every link in the documents points to an existing file and heading', async () => {
  const broken: string[] = [];
  for (const document of await listDocuments()) {
    for (const target of await linksOf(document))
      if (!(await hasTarget(target))) broken.push(`${document}: ${target.href}`);
  }
  expect(broken).toEqual([]);
});

test('every document is reachable from the README by links', async () => {
  const reached = new Set(['README.md']);
  // A Set also visits what is added during the iteration.
  for (const document of reached)
    for (const { pathname } of document.endsWith('.md') ? await linksOf(document) : [])
      reached.add(relative(fileURLToPath(ROOT), pathname));
  expect((await listDocuments()).filter((document) => !reached.has(document))).toEqual([]);
});

test('every document that the code cites exists, with the section', async () => {
  const broken: string[] = [];
  for (const file of await listFiles(['server/src', 'sdk/typescript/src', 'dashboard/src'])) {
    for (const [citation] of (await readText(file)).matchAll(/\bdocs\/[\w-]+\.md(?:#[\w-]+)?/g)) {
      if (!(await hasTarget(new URL(citation, ROOT)))) broken.push(`${file}: ${citation}`);
    }
    for (const [, record = ''] of (await readText(file)).matchAll(/\bdocs\/adr\/(\d{4})\b/g)) {
      const names = await readdir(new URL('docs/adr/', ROOT));
      if (!names.some((name) => name.startsWith(record))) broken.push(`${file}: ${record}`);
    }
  }
  expect(broken).toEqual([]);
});

test('every source and test file that the documents name exists', async () => {
  const folders = new Set([
    ...(await readdir(new URL('server/src/', ROOT))),
    ...(await readdir(new URL('server/test/', ROOT))),
  ]);
  const broken: string[] = [];
  for (const document of await listDocuments()) {
    for (const [, name = ''] of (await readText(document)).matchAll(/`([a-z-]+\/[\w./-]*)`/g)) {
      if (!folders.has(name.split('/')[0] ?? '')) continue;
      const paths = [name, `server/src/${name}`, `server/test/${name}`, `server/test/${name}.test.ts`];
      if (!paths.some((path) => existsSync(new URL(path, ROOT)))) broken.push(`${document}: ${name}`);
    }
  }
  expect(broken).toEqual([]);
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

async function listDocuments(): Promise<string[]> {
  const documents = (await listFiles(['docs'])).filter((path) => path.endsWith('.md'));
  return [...documents, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'bench/README.md'];
}

/** Links to files of the repository. */
async function linksOf(document: string): Promise<URL[]> {
  const links = (await readText(document)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g);
  return Array.from(links, ([, target = '']) => new URL(target, new URL(document, ROOT)));
}

async function listFiles(folders: readonly string[]): Promise<string[]> {
  const lists = folders.map(async (folder) => {
    const entries = await readdir(new URL(`${folder}/`, ROOT), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(fileURLToPath(ROOT), join(entry.parentPath, entry.name)));
  });
  return (await Promise.all(lists)).flat();
}

/** Whether the file exists and, for a fragment, has such a heading. */
async function hasTarget(target: URL): Promise<boolean> {
  if (!existsSync(new URL(target.pathname, target))) return false;
  if (target.hash === '') return true;
  const headings = (await readFile(target, 'utf8')).matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, heading = '']) => `#${toFragment(heading)}`).includes(target.hash);
}

/** The fragment that GitHub makes of a heading. */
function toFragment(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replace(/ /g, '-');
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
