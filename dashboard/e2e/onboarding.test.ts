/** The set-up page: a checklist that ticks itself off from what the service says, and code that does what it asks for. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { Api } from './support/api.ts';
import { testAppearances } from './support/appearances.ts';
import { openPage } from './support/browser.ts';
import { startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newMember, newWorkspace, type Person, type TestWorkspace } from './support/workspace.ts';

const PRICE = { input_cost_per_token: 0.000_001, output_cost_per_token: 0.000_001 };
const STEPS = ['An API key', 'A first run', 'Prices of your models', 'A daily budget', 'A test denial'];

const bed = startTestBed();

describe('a new account', () => {
  test('completes the checklist, and each step is ticked off without a reload', async () => {
    const { page, problems } = await register('walker@example.com');
    await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''));
    await done(page, 'An API key').waitFor();
    await expectProgress(page, { done: 1, current: 'A first run' });

    await page.getByText('Waiting for your first run').waitFor();
    await runCommand(page, 'curl command');
    await done(page, 'A first run').waitFor();
    await expectProgress(page, { done: 2, current: 'Prices of your models' });

    await step(page, 'Prices of your models').getByRole('link', { name: 'Choose models' }).click();
    await page.getByLabel('Search models').fill('gpt-4o');
    await page.getByRole('button', { name: 'Add gpt-4o from OpenAI', exact: true }).click();
    await page.getByText('Has a price').first().waitFor();
    await page.getByRole('button', { name: 'Close catalogue' }).click();
    await navigationLink(page).getByText('3 of 5').waitFor();
    await navigationLink(page).click();
    await done(page, 'Prices of your models').waitFor();
    await expectProgress(page, { done: 3, current: 'A daily budget' });

    await step(page, 'A daily budget').getByRole('link', { name: 'Set a budget' }).click();
    await page.getByRole('textbox', { name: 'Workspace, per day' }).fill('25');
    await page.getByRole('button', { name: 'Save: Workspace, per day' }).click();
    await navigationLink(page).getByText('4 of 5').waitFor();
    await navigationLink(page).click();
    await done(page, 'A daily budget').waitFor();
    await step(page, 'A daily budget').getByText('Per day: $25.00 for the workspace.').waitFor();
    await expectProgress(page, { done: 4, current: 'A test denial' });

    // It is the turn of the denial: its code is shown.
    await runCommand(page, 'curl command of the test denial');
    await done(page, 'A test denial').waitFor();
    await page.getByText('5 of 5 done. There is nothing left to do.').waitFor();
    expect(await navigationLink(page).textContent()).toBe('Set up');
    expect(await page.locator('[aria-current=step]').count()).toBe(0);
    expect(await page.locator('body[data-not-reloaded]').count()).toBe(1);

    await step(page, 'A test denial').getByRole('link', { name: 'View denied run' }).click();
    await page.getByText('Step 2 was denied: step limit of the run reached').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('comes back to a short page, with all code', async () => {
    const { page, problems } = await (await completeWorkspace()).open('/');
    expect(await navigationLink(page).textContent()).toBe('Set up');
    await navigationLink(page).click();
    await page.getByText('Your workspace is set up.').waitFor();
    await page.getByText('5 of 5 done').waitFor();
    expect(await page.getByRole('img', { name: 'Done' }).count()).toBe(STEPS.length);
    expect(await page.getByRole('region', { name: 'curl command of the test denial' }).isVisible()).toBe(
      false,
    );
    for (const name of [
      'TypeScript',
      'Python',
      'OpenAI',
      'Anthropic',
      'AI SDK',
      'LangChain',
      'OpenAI Agents',
    ]) {
      await page.getByRole('tab', { name, exact: true }).last().click();
      const code = await page.getByRole('region', { name: `${name} code`, exact: true }).textContent();
      expect(code, name).toContain('<API key: create one under Set up or Settings>');
    }
    await page.getByText('Code of the test denial', { exact: true }).click();
    await page.getByRole('region', { name: 'curl command of the test denial' }).waitFor();
    await step(page, 'A test denial').getByRole('link', { name: 'View denied runs' }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

test('an owner is not sent to another owner while the role is not known', async () => {
  const { page, problems } = await (await newWorkspace(bed)).open('/runs');
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/v1/auth/me', async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto('/setup');
  await page.getByRole('region', { name: 'curl command', exact: true }).waitFor();
  expect(await page.getByText('Ask an owner or admin').count()).toBe(0);
  answer();
  await page.getByRole('button', { name: 'Create an API key' }).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

describe('a step', () => {
  test('is open again, and says why, when a model is used without a price', async () => {
    const workspace = await completeWorkspace();
    const { page } = await workspace.open('/setup');
    await page.getByText('5 of 5 done').waitFor();
    await callModel(workspace, 'in-house-model');
    await page.reload();
    await step(page, 'Prices of your models').getByText('in-house-model').waitFor();
    await expectProgress(page, { done: 4, current: 'Prices of your models' });
    // Set elsewhere.
    await workspace.operator.send('PUT', '/v1/model-pricing/in-house-model', PRICE);
    await done(page, 'Prices of your models').waitFor();
    await page.context().close();
  });

  test('of a key is ticked off by one that is created on the page and filled in', async () => {
    const workspace = await newWorkspace(bed);
    const { body: keys } = await workspace.operator.get('/v1/api-keys/');
    for (const { id } of keys) await workspace.operator.send('DELETE', `/v1/api-keys/${id}`);
    const { page } = await workspace.open('/setup');
    await expectProgress(page, { done: 0, current: 'An API key' });
    await page.getByRole('button', { name: 'Create an API key' }).click();
    await done(page, 'An API key').waitFor();
    const key = await textOf(page, 'API key');
    expect(await textOf(page, 'curl command')).toContain(`Bearer ${key}'`);
    await page.context().close();
  });
});

test('a key that was shown is not shown to the next who signs in, nor after it was revoked', async () => {
  const { page } = await register('first@example.com');
  const key = await textOf(page, 'API key');
  const token = await page.evaluate(() => localStorage.getItem('guarded-runs-token'));
  const other = await newWorkspace(bed);
  await signInAgain(page, other.email);
  await page.getByText('Keys are shown only once').waitFor();
  expect(await page.content()).not.toContain(key);

  await signInAgain(page, 'first@example.com');
  expect(await textOf(page, 'API key')).toBe(key);
  await new Api(bed.service.url, token).post('/v1/api-keys/regenerate');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await navigationLink(page).click();
  await page.getByText('Keys are shown only once').waitFor();
  await page.context().close();
});

test('a viewer sees no step that would be refused, and no request is', async () => {
  const workspace = await newWorkspace(bed);
  const viewer = await newMember(bed, workspace, 'viewer');
  const { page, problems } = await viewer.open('/');
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  expect(await navigationLink(page).textContent()).toBe('Set up');
  await navigationLink(page).click();
  await page.getByText('0 of 2 done').waitFor();
  await page.getByText('Or change only a base URL').waitFor();
  const titles = page.getByRole('main').getByRole('heading', { level: 3 });
  expect(await titles.allTextContents()).toEqual(['A first run', 'A test denial', 'OpenAI', 'Anthropic']);
  await page.getByText('Ask an owner or admin of the workspace for a key.').waitFor();
  const hrefs = await page
    .getByRole('main')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(hrefs).toEqual(['#code']);

  await startRun(workspace);
  await done(page, 'A first run').waitFor();
  await page.getByText('1 of 2 done').waitFor();
  expect(refused).toEqual([]);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a step that cannot be read is an error with a retry, and the code stays', async () => {
  const workspace = await newWorkspace(bed);
  const { page } = await workspace.open('/settings');
  await page.route('**/v1/model-pricing/**', (route) =>
    route.fulfill({ status: 400, json: { detail: 'Not today' } }),
  );
  await page.goto('/setup');
  await page.getByText('Not today').waitFor();
  await page.getByRole('region', { name: 'curl command', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  // The page asks again by itself, too.
  await page.unroute('**/v1/model-pricing/**');
  await expectProgress(page, { done: 1, current: 'A first run' });
  await page.context().close();
});

let begun: TestWorkspace | undefined;
testAppearances(
  'a set-up that has begun',
  { workspace: () => onceOpened(async () => (begun ??= await begunWorkspace())), path: '/setup' },
  async (page, check) => {
    await page.getByText('2 of 5 done').waitFor();
    await check('the checklist');
    await page.getByRole('button', { name: 'Create an API key' }).click();
    await page.getByRole('region', { name: 'API key', exact: true }).waitFor();
    await check('with a key');
    await page.getByText('Code of the test denial', { exact: true }).click();
    for (const name of ['Python', 'OpenAI Agents']) {
      await page.getByRole('tab', { name, exact: true }).last().click();
      await page.getByRole('region', { name: `${name} code`, exact: true }).waitFor();
      await check(name);
    }
  },
);

let complete: TestWorkspace | undefined;
testAppearances(
  'a complete set-up',
  { workspace: () => onceOpened(async () => (complete ??= await completeWorkspace())), path: '/setup' },
  async (page, check) => {
    await page.getByText('5 of 5 done').waitFor();
    await check('the short page');
  },
);

function onceOpened(prepare: () => Promise<TestWorkspace>): Pick<Person, 'open'> {
  return { open: async (...args) => (await prepare()).open(...args) };
}

/** Its model has a long name without a space. */
async function begunWorkspace(): Promise<TestWorkspace> {
  const workspace = await newWorkspace(bed);
  await callModel(workspace, `bedrock/${'in-house-model-'.repeat(4)}`);
  return workspace;
}

async function completeWorkspace(): Promise<TestWorkspace> {
  const workspace = await newWorkspace(bed);
  const { operator, agent } = workspace;
  await operator.send('PUT', '/v1/model-pricing/gpt-4o', PRICE);
  await callModel(workspace, 'gpt-4o');
  await operator.send('PATCH', '/v1/workspace/', { daily_budget_usd: 50, user_daily_budget_usd: 5 });
  await operator.post('/v1/users/block', { user_id: 'mallory' });
  expect((await agent.post('/v1/runs/', { user_id: 'mallory' })).body.status).toBe('BLOCKED');
  return workspace;
}

async function callModel(workspace: TestWorkspace, model: string): Promise<void> {
  const runId = await startRun(workspace);
  const { body } = await workspace.agent.post(`/v1/runs/${runId}/steps`, {
    type: 'MODEL_CALL',
    sequence: 1,
    model,
  });
  const report = { status: 'COMPLETED', prompt_tokens: 100, completion_tokens: 10 };
  await workspace.agent.send('PATCH', `/v1/runs/${runId}/steps/${body.id}`, report);
}

async function register(email: string) {
  const watched = await openPage(bed.browser, bed.service.url, { reducedMotion: 'reduce' });
  const { page } = watched;
  await page.goto('/register');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Set up', level: 1 }).waitFor();
  return watched;
}

/** In the same tab. Returns to the set-up page. */
async function signInAgain(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Set up', level: 1 }).waitFor();
}

/** Runs a command of the page in a terminal. */
async function runCommand(page: Page, label: string): Promise<void> {
  await promisify(execFile)('sh', ['-c', await textOf(page, label)]);
}

async function textOf(page: Page, block: string): Promise<string> {
  return (await page.getByRole('region', { name: block, exact: true }).textContent()) ?? '';
}

function step(page: Page, title: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
}

/** The tick of a step that is done. */
function done(page: Page, title: string): Locator {
  return step(page, title).getByRole('img', { name: 'Done' });
}

function navigationLink(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: 'Set up' });
}

async function expectProgress(page: Page, given: { done: number; current: string }): Promise<void> {
  await page.getByText(`${given.done} of 5 done`).waitFor();
  await navigationLink(page).getByText(`${given.done} of 5`).waitFor();
  expect(await page.getByRole('img', { name: 'Done' }).count()).toBe(given.done);
  expect(await page.locator('[aria-current=step] h3').textContent()).toBe(given.current);
}
