/** The published package: packed, installed into empty ESM and CommonJS projects, used and type-checked there. */

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../src/internal/version.js';
import { type GuardFixture, startGuard } from './support/guard-fixture.js';

const run = promisify(execFile);
const SDK = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(SDK, '../..');
const MODULES = join(ROOT, 'node_modules');
const COMPILER = join(MODULES, 'typescript');
/** An older version of TypeScript that is still widely used. */
const OLD_COMPILER = join(SDK, 'node_modules/typescript');
const SLOW_MS = 120_000;

/** Linked into the projects, where users of the entry points have them installed. */
const FRAMEWORKS = [
  '@anthropic-ai/sdk',
  '@langchain/core',
  '@openai/agents',
  '@types/node',
  'ai',
  'langchain',
  'openai',
];

const ENTRY_POINTS = ['openai', 'anthropic', 'ai-sdk', 'langchain', 'openai-agents', 'tools'];

let folder: string;
let tarball: string;
let fixture: GuardFixture;
beforeAll(async () => {
  await run('npm', ['run', '--silent', 'build'], { cwd: ROOT });
  folder = await mkdtemp(join(tmpdir(), 'guarded-runs-sdk-'));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: SDK });
  tarball = join(folder, 'guarded-runs-sdk-0.1.0.tgz');
  expect(stdout).toContain('guarded-runs-sdk-0.1.0.tgz');
  fixture = await startGuard();
}, SLOW_MS);
afterAll(async () => {
  await fixture.stop();
  await rm(folder, { recursive: true, force: true });
});

const KINDS = [
  { kind: 'module', load: (name: string) => `await import('${name}')` },
  { kind: 'commonjs', load: (name: string) => `require('${name}')` },
] as const;

describe.each(KINDS)('in an empty project of type $kind', ({ kind, load }) => {
  let project: string;
  beforeAll(async () => {
    project = join(folder, kind);
    await mkdir(project);
    await writeFile(
      join(project, 'package.json'),
      JSON.stringify({ name: 'empty', private: true, type: kind }),
    );
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball], {
      cwd: project,
    });
  }, SLOW_MS);

  test('the client sends the version of the package', async () => {
    const { version } = JSON.parse(await readFile(join(SDK, 'package.json'), 'utf8'));
    expect(VERSION).toBe(version);
  });

  test('the package has no dependencies', async () => {
    const installed = JSON.parse(await readFile(join(project, 'node_modules/.package-lock.json'), 'utf8'));
    expect(Object.keys(installed.packages)).toEqual(['node_modules/@guarded-runs/sdk']);
  });

  test('the package guards a run against the real service', async () => {
    const userId = `packed-${kind}`;
    await writeFile(join(project, 'main.js'), mainProgram({ userId, load }));
    const { stdout } = await run(process.execPath, ['main.js'], {
      cwd: project,
      env: {
        ...process.env,
        GUARDED_RUNS_URL: fixture.service.url,
        GUARDED_RUNS_API_KEY: fixture.tenant.apiKey,
      },
    });
    expect(stdout.trim()).toBe('answer USER_BLOCKED');
    expect(await fixture.stepsOf(userId)).toMatchObject([
      { type: 'MODEL_CALL', prompt_tokens: 11 },
      { type: 'TOOL_CALL', tool_name: 'search' },
      { status: 'BLOCKED' },
    ]);
  });

  test(
    'the types compile in strict mode, including the declaration files',
    async () => {
      await linkModules(project, ['@types/node']);
      await check({
        project,
        name: 'own',
        source: OWN_TYPES,
        skipLibCheck: false,
        compilers: [COMPILER, OLD_COMPILER],
      });
    },
    SLOW_MS,
  );

  test(
    'the types of every entry point compile in strict mode with the frameworks',
    async () => {
      await linkModules(project, FRAMEWORKS);
      await check({ project, name: 'all', source: ALL_TYPES, skipLibCheck: true, compilers: [COMPILER] });
    },
    SLOW_MS,
  );

  test('every entry point loads with its framework', async () => {
    await linkModules(project, FRAMEWORKS);
    const loads = ENTRY_POINTS.map((name) => load(`@guarded-runs/sdk/${name}`)).join(', ');
    const body = `console.log([${loads}].map((entry) => Object.keys(entry).sort().join('+')).join(' '))`;
    await writeFile(join(project, 'entries.js'), body);
    const { stdout } = await run(process.execPath, ['entries.js'], { cwd: project });
    expect(stdout.trim().replaceAll('+module.exports', '')).toBe(
      'guardOpenAI guardAnthropic guardMiddleware guardCallbacks+guardMiddleware ' +
        'guardModel+guardModelProvider+guardRunner guardTool',
    );
  });
});

test('the core has at most 17 kB, minified and gzipped', async () => {
  const bundled = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2022',
      rollupOptions: { input: join(SDK, 'dist/esm/index.js'), preserveEntrySignatures: 'strict' },
    },
  });
  if (Array.isArray(bundled) || !('output' in bundled)) throw new Error('One bundle was expected');
  const [{ code }] = bundled.output;
  const bytes = gzipSync(code).length;
  process.stderr.write(`size of the core: ${(bytes / 1_000).toFixed(1)} kB\n`);
  expect(bytes).toBeLessThanOrEqual(17_000);
});

test('publint reports no problems', async () => {
  const content = await readFile(tarball);
  const pack = { tarball: new Uint8Array(content).buffer };
  const { messages } = await publint({ pack, strict: true });
  expect(messages).toEqual([]);
});

test(
  'are-the-types-wrong reports no problems',
  async () => {
    const manifest = createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json');
    const program = join(dirname(manifest), 'dist/index.js');
    // It exits with an error if there are problems. The profile excludes Node 10, which does not support entry points.
    await run(process.execPath, [program, tarball, '--profile', 'node16']);
  },
  SLOW_MS,
);

function mainProgram({ userId, load }: { userId: string; load: (name: string) => string }): string {
  return `
    (async () => {
      const { GuardedRuns, StepDenied } = ${load('@guarded-runs/sdk')};
      const { guardTool } = ${load('@guarded-runs/sdk/tools')};
      const guard = new GuardedRuns();
      const answer = await guard.run({ userId: '${userId}' }, async (run) => {
        const usage = { prompt_tokens: 11, completion_tokens: 7 };
        const { text } = await run.modelCall({ model: 'test-model', call: () => ({ text: 'answer', usage }) });
        await guardTool(() => 'found', { name: 'search', run })();
        await guard.users.block('${userId}');
        const denied = await run.toolCall({ name: 'search', call: () => 'never' }).catch((error) => error);
        return text + ' ' + (denied instanceof StepDenied ? denied.reason : 'not denied');
      });
      console.log(answer);
    })();
  `;
}

const OWN_TYPES = `
  import { GuardedRuns, type DenyReason, StepDenied, type Run } from '@guarded-runs/sdk';
  import { guardTool } from '@guarded-runs/sdk/tools';

  const guard = new GuardedRuns({ onUnavailable: 'allow' });
  export async function main(): Promise<{ text: string; run: Run } | DenyReason> {
    try {
      await using run = await guard.start({ userId: 'ada' });
      const { text } = await run.modelCall({ model: 'm', call: async () => ({ text: 'Hi', tokens: 1 }), usage: ({ tokens }) => ({ promptTokens: tokens }) });
      const add = guardTool((left: number, right: number) => left + right, { name: 'add', run });
      const sum: number = await add(1, 2);
      // @ts-expect-error The tool takes numbers.
      await add('1', 2);
      return { text: text + sum, run: await guard.runs.get(run.id ?? '') };
    } catch (error) {
      if (error instanceof StepDenied) return error.reason;
      throw error;
    }
  }
  // @ts-expect-error There is no such reason.
  export const reason: DenyReason = 'NO_SUCH_REASON';
`;

const ALL_TYPES = `
  import { Anthropic } from '@anthropic-ai/sdk';
  import { OpenAIProvider, type ModelProvider, type Runner } from '@openai/agents';
  import type { LanguageModelMiddleware } from 'ai';
  import { createAgent } from 'langchain';
  import { OpenAI } from 'openai';
  import type { GuardedRun } from '@guarded-runs/sdk';
  import { guardMiddleware as forAiSdk } from '@guarded-runs/sdk/ai-sdk';
  import { guardAnthropic } from '@guarded-runs/sdk/anthropic';
  import { guardCallbacks, guardMiddleware as forLangChain } from '@guarded-runs/sdk/langchain';
  import { guardOpenAI } from '@guarded-runs/sdk/openai';
  import { guardModelProvider, guardRunner } from '@guarded-runs/sdk/openai-agents';

  export async function main(run: GuardedRun) {
    const openai: OpenAI = guardOpenAI(new OpenAI(), run);
    const anthropic: Anthropic = guardAnthropic(new Anthropic(), () => run);
    const middleware: LanguageModelMiddleware = forAiSdk(run);
    const provider: ModelProvider = guardModelProvider(new OpenAIProvider(), run);
    const runner: Runner = guardRunner({ modelProvider: new OpenAIProvider() }, run);
    const agent = createAgent({ model: 'openai:m', tools: [], middleware: [forLangChain(run)] });
    await agent.invoke({ messages: [] }, { callbacks: [guardCallbacks(run)] });
    const completion = await openai.chat.completions.create({ model: 'm', messages: [] });
    return { text: completion.choices[0]?.message.content, anthropic, middleware, provider, runner };
  }
`;

async function linkModules(project: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await rm(link, { force: true });
    await symlink(join(MODULES, name), link, 'dir');
  }
}

async function check(given: {
  project: string;
  name: string;
  source: string;
  skipLibCheck: boolean;
  compilers: readonly string[];
}): Promise<void> {
  const { project, name, source, skipLibCheck, compilers } = given;
  await writeFile(join(project, `${name}.ts`), source);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    module: 'NodeNext',
    target: 'ES2022',
    types: ['node'],
    skipLibCheck,
  };
  const config = join(project, `tsconfig.${name}.json`);
  await writeFile(config, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  for (const compiler of compilers) {
    const outcome = run(process.execPath, [join(compiler, 'bin/tsc'), '-p', config], { cwd: project });
    const { stdout } = await outcome.catch((error: { stdout: string }) => error);
    expect(stdout, compiler).toBe('');
  }
}
