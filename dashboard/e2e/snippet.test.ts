/** The code of the set-up page runs, covers the life of a run, and never locks a workspace. Needs no browser. */

import { execFile, spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProviderStandIn, startProvider } from '../../sdk/typescript/test/support/provider-stand-in.ts';
import { TEST_DENIAL_USER } from '../src/pages/setup/snippet-input.ts';
import { DENIAL_SNIPPETS, KEY_PLACEHOLDER, RUN_SNIPPETS, type Snippet } from '../src/pages/setup/snippets.ts';
import { Api } from './support/api.ts';
import { type Service, startService } from './support/service.ts';

/** The Basic plan has three. */
const MORE_THAN_THE_SLOTS = 5;
const LEASE_MS = 60_000;
/** Programs for Node.js find the SDK and the frameworks from here. */
const SDK = fileURLToPath(new URL('../../sdk/typescript/', import.meta.url));
const MODELS = ['gpt-4o', 'claude-sonnet-5-5'];

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
/** Tests of Python are skipped by this name if there is none, so that a report says why. */
const PYTHON = HAS_PYTHON ? 'Python' : 'Python (skipped: python3 is not installed)';

const run = promisify(execFile);

let service: Service;
let provider: ProviderStandIn;
let apiKey: string;
let agent: Api;
let operator: Api;

beforeAll(async () => {
  [service, provider] = await Promise.all([startService(), startProvider()]);
  const { body } = await new Api(service.url, null).post('/v1/auth/register', {
    email: 'operator@example.com',
    password: 'correct horse',
  });
  operator = new Api(service.url, body.access_token);
  // As the page has it: the code needs no more rights than those of an agent.
  apiKey = (await operator.post('/v1/api-keys/', { scope: 'agent' })).body.key;
  agent = new Api(service.url, apiKey);
});

afterAll(async () => {
  await provider?.stop();
  await service?.stop();
});

describe('the curl command', () => {
  const CURL = snippetOf('curl');

  test.each(['sh', 'bash'])('starts, reports and ends a run each time it is pasted in %s', async (shell) => {
    for (let paste = 0; paste < MORE_THAN_THE_SLOTS; paste += 1) {
      const { stdout, stderr } = await run(shell, ['-c', codeOf(CURL)]);
      expect(stderr).toBe('');
      const [started, step, report, end, ...rest] = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(started).toMatchObject({ status: 'RUNNING', decision: { outcome: 'ALLOW' } });
      expect(step).toMatchObject({ status: 'ALLOWED', decision: { outcome: 'ALLOW' } });
      expect(report).toMatchObject({ id: step.id, status: 'COMPLETED' });
      expect(end).toMatchObject({ id: started.id, status: 'COMPLETED' });
      expect(rest).toEqual([]);
    }
    await expectNoneRunning();
  });

  test('has a lease of a minute if only its start was pasted', async () => {
    const command = codeOf(CURL);
    await run('sh', ['-c', `${command.slice(0, command.indexOf('RUN=$ID'))})`]);
    await expectLeaseOfNewestRun();
  });

  test.each(['lg_wrong', KEY_PLACEHOLDER])('prints one answer with the key %s', async (key) => {
    await expect(run('sh', ['-c', codeOf(CURL, key)])).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^\{"detail":.*\}\n$/),
    });
  });
});

describe('the TypeScript code', () => {
  const TYPESCRIPT = snippetOf('TypeScript');

  test('starts, reports and ends a run each time', async () => {
    for (let time = 0; time < MORE_THAN_THE_SLOTS; time += 1) {
      const { stdout, stderr } = await runNode(codeOf(TYPESCRIPT));
      expect([stdout, stderr]).toEqual(['Call your tool here\n', '']);
      expect(await newestRun()).toMatchObject(COMPLETED_TOOL_CALL);
    }
    await expectNoneRunning();
  });

  test('has a lease of a minute if it dies in its call', async () => {
    const dying = replaced(codeOf(TYPESCRIPT), "async () => 'Call your tool here'", '() => process.exit(3)');
    await expect(runNode(dying)).rejects.toMatchObject({ code: 3 });
    await expectLeaseOfNewestRun();
  });

  test.each([
    { key: 'lg_wrong', error: 'UnauthenticatedError' },
    { key: KEY_PLACEHOLDER, error: 'ConfigurationError: apiKey' },
  ])('says what is wrong with the key $key', async ({ key, error }) => {
    const failed = runNode(codeOf(TYPESCRIPT, key));
    await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(error) });
  });
});

describe.skipIf(!HAS_PYTHON)(`the code of ${PYTHON}`, () => {
  const CODE = snippetOf('Python');

  test('starts, reports and ends a run each time', async () => {
    for (let time = 0; time < MORE_THAN_THE_SLOTS; time += 1) {
      const { stdout, stderr } = await run('python3', ['-c', codeOf(CODE)]);
      const { id, ...rest } = await newestRun();
      expect([stdout, stderr]).toEqual([`Call your tool here\nRun ${id} COMPLETED\n`, '']);
      expect(rest).toMatchObject(COMPLETED_TOOL_CALL);
    }
    await expectNoneRunning();
  });

  test('can be pasted at the prompt of Python', async () => {
    const python = spawn('python3', ['-i', '-q'], { stdio: ['pipe', 'pipe', 'ignore'] });
    python.stdin.end(codeOf(CODE));
    const stdout = await text(python.stdout);
    const { id, ...rest } = await newestRun();
    expect(stdout).toContain(`Run ${id} COMPLETED`);
    expect(rest).toMatchObject(COMPLETED_TOOL_CALL);
  });

  test('ends its run as failed if the call throws', async () => {
    const failing = replaced(codeOf(CODE), '"Call your tool here"', 'open("/no/such/file")');
    await expect(run('python3', ['-c', failing])).rejects.toMatchObject({ code: 1 });
    expect(await newestRun()).toMatchObject({ status: 'FAILED', end_reason: null });
  });

  test('has a lease of a minute if it dies in its call', async () => {
    const dying = replaced(codeOf(CODE), '"Call your tool here"', '__import__("os")._exit(3)');
    await expect(run('python3', ['-c', dying])).rejects.toMatchObject({ code: 3 });
    await expectLeaseOfNewestRun();
  });

  test('does not make its call if the step is denied', async () => {
    const start = '"lease_seconds": 60';
    const limited = replaced(codeOf(CODE), start, `${start}, "limits": {"max_cost_usd": 0}`);
    const { stdout } = await run('python3', ['-c', limited]);
    expect(stdout).toMatch(/^The step was denied: RUN_COST_LIMIT_EXCEEDED\nRun \S+ FAILED\n$/);
  });

  test.each(['lg_wrong', KEY_PLACEHOLDER])('says what is wrong with the key %s', async (key) => {
    await expect(run('python3', ['-c', codeOf(CODE, key)])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/RuntimeError: 401: \{"detail":.*\}\n$/),
    });
  });
});

test('no tokens are left without a price', async () => {
  const { body: days } = await operator.get('/v1/usage/daily?days=1');
  expect(days).toMatchObject([{ unpriced_tokens: 0 }]);
});

describe('the code of a framework', () => {
  beforeAll(async () => {
    for (const model of MODELS) {
      await operator.send('PUT', `/v1/model-pricing/${model}`, {
        input_cost_per_token: 0.000_002_5,
        output_cost_per_token: 0.000_01,
      });
    }
  });

  test.each(RUN_SNIPPETS.filter(({ providerKey }) => providerKey !== null))(
    '$name starts, reports and ends a run with a model call',
    async (snippet) => {
      const { stdout, stderr } = await runNode(codeOf(snippet));
      expect([stdout, stderr]).toEqual(['Hello, world\n', '']);
      expect(await newestRun()).toMatchObject({
        user_id: 'first-user',
        status: 'COMPLETED',
        total_tokens: 18,
        steps: [{ type: 'MODEL_CALL', status: 'COMPLETED', cost_source: 'price' }],
      });
      await expectNoneRunning();
    },
  );
});

describe('the test denial', () => {
  const interpreters: Readonly<Record<Snippet['language'], (code: string) => Promise<unknown>>> = {
    shell: (code) => run('sh', ['-c', code]),
    node: runNode,
    python: (code) => run('python3', ['-c', code]),
  };
  const isSkipped = ({ language }: Snippet) => language === 'python' && !HAS_PYTHON;

  for (const snippet of DENIAL_SNIPPETS) {
    const name = snippet.name === 'Python' ? PYTHON : snippet.name;
    test.skipIf(isSkipped(snippet))(
      `with ${name} denies one step of its own run, and changes nothing`,
      async () => {
        const before = await settings();
        for (let time = 0; time < 2; time += 1) {
          await interpreters[snippet.language](codeOf(snippet));
          const denied = await newestRun();
          expect(denied).toMatchObject({
            user_id: TEST_DENIAL_USER,
            steps: [{ status: 'COMPLETED' }, { status: 'BLOCKED' }],
          });
          const { body: decisions } = await agent.get(`/v1/runs/${denied.id}/decisions`);
          expect(decisions.map(({ reason }: { reason: string | null }) => reason)).toEqual([
            null,
            null,
            'RUN_STEP_LIMIT_EXCEEDED',
          ]);
        }
        await expectNoneRunning();
        expect(await settings()).toEqual(before);
      },
    );
  }

  /** What a guardrail of the workspace would have changed. */
  async function settings() {
    const [workspace, blocked] = await Promise.all([
      operator.get('/v1/workspace/'),
      operator.get('/v1/users/?blocked=true'),
    ]);
    return { workspace: workspace.body, blocked: blocked.body };
  }
});

const COMPLETED_TOOL_CALL = {
  user_id: 'first-user',
  status: 'COMPLETED',
  end_reason: null,
  steps: [{ type: 'TOOL_CALL', tool_name: 'search', status: 'COMPLETED' }],
};

function snippetOf(name: string): Snippet {
  const found = RUN_SNIPPETS.find((snippet) => snippet.name === name);
  if (found === undefined) throw new Error(`There is no code for ${name}`);
  return found;
}

function codeOf(snippet: Snippet, key = apiKey): string {
  return snippet.codeOf({ url: service.url, apiKey: key });
}

function replaced(code: string, part: string, by: string): string {
  expect(code).toContain(part);
  return code.replace(part, by);
}

function runNode(code: string) {
  return run(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: SDK,
    env: {
      ...process.env,
      OPENAI_BASE_URL: `${provider.url}/v1`,
      OPENAI_API_KEY: 'none',
      ANTHROPIC_BASE_URL: provider.url,
      ANTHROPIC_API_KEY: 'none',
    },
  });
}

async function newestRun() {
  const { body: list } = await agent.get('/v1/runs/?per_page=1');
  return (await agent.get(`/v1/runs/${list.items[0].id}`)).body;
}

async function expectNoneRunning(): Promise<void> {
  expect((await agent.get('/v1/runs/?status=RUNNING')).body.total).toBe(0);
}

/** Ends the run, so that it takes no slot of the next test. */
async function expectLeaseOfNewestRun(): Promise<void> {
  const { id, status, started_at: startedAt, lease_expires_at: leaseEnd, steps } = await newestRun();
  expect(status).toBe('RUNNING');
  // The step, if it was asked for, has renewed the lease.
  const renewedAt = steps[0]?.created_at ?? startedAt;
  expect(Date.parse(leaseEnd) - Date.parse(renewedAt)).toBe(LEASE_MS);
  await agent.post(`/v1/runs/${id}/end`, { status: 'FAILED' });
}
