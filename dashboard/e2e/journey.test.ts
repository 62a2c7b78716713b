/** The path of an operator from the first visit to working guardrails, in a real browser against the real service. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Api } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { type Service, startService } from './support/service.ts';

const EMAIL = 'operator@example.com';
const FIRST_PASSWORD = 'correct horse';
const SECOND_PASSWORD = 'battery staple';
const THIRD_PASSWORD = 'staple battery';
const MODEL = 'gpt-4o';

let service: Service;
let browser: Browser;
let page: Page;
let problems: string[];
let apiKey: string;
let agent: Api;

beforeAll(async () => {
  service = await startService();
  browser = await launchBrowser();
  ({ page, problems } = await openPage(browser, service.url));
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

describe('an operator', () => {
  test('is redirected to sign-in, and registers', async () => {
    await page.goto('/runs');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).search).toBe('?return=%2Fruns');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByRole('textbox', { name: 'Password' }).fill(FIRST_PASSWORD);
    await page.getByLabel('Workspace name').fill('Journey');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Set up' }).waitFor();
  });

  test('completes the first run with the shown command and sees it without a reload', async () => {
    apiKey = await textOf('API key');
    expect(apiKey).toMatch(/^lg_/);
    agent = new Api(service.url, apiKey);
    expect((await agent.post('/v1/api-keys/', { scope: 'admin' })).status).toBe(403);
    await page.getByText('Waiting for your first run').waitFor();
    const command = await textOf('curl command');
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    const [started, , , ended] = stdout.split('\n');
    expect(JSON.parse(started ?? '')).toMatchObject({ status: 'RUNNING', decision: { outcome: 'ALLOW' } });
    expect(JSON.parse(ended ?? '')).toMatchObject({ status: 'COMPLETED' });
    await page.getByText('Your first run has arrived').waitFor();
    await page.getByRole('link', { name: 'View run' }).click();
    await page.getByRole('heading', { name: 'Run of first-user' }).waitFor();
    await page.getByText('Completed', { exact: true }).first().waitFor();
  });

  test('is still signed in after a reload', async () => {
    await page.reload();
    await page.getByRole('heading', { name: 'Run of first-user' }).waitFor();
    await page.goto('/setup');
    await page.getByText('Keys are shown only once').waitFor();
  });

  test('adds a price from the catalogue, which is stored exactly per token', async () => {
    await open('Prices');
    await page.getByText('No prices yet').waitFor();
    await page.getByRole('button', { name: 'Add from catalogue' }).first().click();
    await page.getByLabel('Search models').fill(MODEL);
    await page.getByRole('button', { name: `Add ${MODEL} from OpenAI`, exact: true }).click();
    await page.getByText('Has a price').first().waitFor();
    await page.getByRole('button', { name: 'Close catalogue' }).click();
    await page.getByRole('button', { name: `Edit ${MODEL}` }).waitFor();
    const { body } = await agent.get('/v1/model-pricing/');
    expect(body).toMatchObject([
      { model: MODEL, input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001 },
    ]);
  });

  test('edits a price, which the catalogue does not replace', async () => {
    await page.getByRole('button', { name: `Edit ${MODEL}` }).click();
    await page.getByLabel('Input per 1M tokens').fill('3.0001');
    await page.getByRole('button', { name: 'Save price' }).click();
    await page.getByText('$3.0001').waitFor();
    await page.getByRole('button', { name: 'Add from catalogue' }).click();
    await page.getByLabel('Search models').fill(MODEL);
    await page.getByText('Has a price').first().waitFor();
    expect(await page.getByRole('button', { name: `Add ${MODEL} from OpenAI`, exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Close catalogue' }).click();
    expect((await agent.get('/v1/model-pricing/')).body[0].input_cost_per_token).toBe(0.0000030001);
  });

  test('sets a budget; the step that reaches it is denied and explained', async () => {
    await open('Guardrails');
    await page.getByRole('textbox', { name: 'Workspace, per day' }).fill('0.05');
    await page.getByRole('button', { name: 'Save: Workspace, per day' }).click();
    await page.getByText('Saved. It applies from the next decision.').waitFor();

    const { body: run } = await agent.post('/v1/runs/', { user_id: 'ada' });
    await spend(run.id, { promptTokens: 20_000, completionTokens: 100 });
    const denied = await agent.post(`/v1/runs/${run.id}/steps`, {
      type: 'MODEL_CALL',
      sequence: 2,
      model: MODEL,
    });
    expect(denied.body.decision).toEqual({ outcome: 'DENY', reason: 'WORKSPACE_DAILY_BUDGET_EXCEEDED' });

    await page.goto(`/runs/${run.id}`);
    await page.getByText('Step 2 was denied: workspace budget reached').waitFor();
    await page.getByRole('button', { name: 'Explain' }).click();
    const rule = page.getByRole('dialog').getByRole('row', { name: /Workspace daily budget/ });
    await rule.waitFor();
    const cells = await rule.getByRole('cell').allTextContents();
    expect(cells.slice(0, 4)).toEqual(['Workspace daily budget', 'Deny', '$0.061', '$0.05']);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await open('Guardrails');
    await page.getByRole('textbox', { name: 'Workspace, per day' }).fill('');
    await page.getByRole('button', { name: 'Save: Workspace, per day' }).click();
    await page.getByText('Saved. It applies from the next decision.').waitFor();
  });

  test('sees why the kill switch is locked, upgrades, and stops everything', async () => {
    await page.getByText('The kill switch is not part of the Basic plan').waitFor();
    expect(await page.getByRole('button', { name: 'Stop everything' }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Change plan' }).first().click();
    await page.getByRole('button', { name: 'Change to Scale' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change to Scale' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Your plan' }).filter({ hasText: 'Scale' }).waitFor();

    await open('Guardrails');
    await page.getByRole('button', { name: 'Stop everything' }).click();
    await page.getByRole('button', { name: 'Turn the kill switch on' }).click();
    await page.getByText('The kill switch is on.').waitFor();
    const denied = await agent.post('/v1/runs/', { user_id: 'ada' });
    expect(denied.body.decision.reason).toBe('KILL_SWITCH_ACTIVE');

    await page.getByRole('button', { name: 'Turn off and resume' }).click();
    await page.getByRole('button', { name: 'Turn the kill switch off' }).click();
    await page.getByText('The kill switch is on.').waitFor({ state: 'hidden' });
    await page.getByRole('textbox', { name: 'At most' }).fill('50');
    await page.getByRole('button', { name: 'Save: At most' }).click();
    await page.getByText('Saved. It applies from the next decision.').waitFor();
  });

  test('blocks and unblocks a user', async () => {
    await open('Users');
    await page.getByRole('button', { name: 'Block ada' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByRole('button', { name: 'Unblock ada' }).waitFor();
    expect((await agent.post('/v1/runs/', { user_id: 'ada' })).body.decision.reason).toBe('USER_BLOCKED');
    await page.getByRole('button', { name: 'Unblock ada' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock', exact: true }).click();
    await page.getByRole('button', { name: 'Block ada', exact: true }).waitFor();
    expect((await agent.post('/v1/runs/', { user_id: 'ada' })).body.status).toBe('RUNNING');
  });

  test('sees denials and tokens without a price on the overview', async () => {
    const { body: run } = await agent.post('/v1/runs/', { user_id: 'grace' });
    await spend(run.id, { promptTokens: 1_200, completionTokens: 34, model: 'in-house-model' });
    await open('Overview');
    await page.getByText('1,234 tokens in the last 30 days have no price').waitFor();
    const denied = page.getByRole('region', { name: 'Denials per day' });
    for (const reason of ['Workspace budget reached', 'Kill switch is on', 'User is blocked']) {
      await denied.getByRole('link', { name: reason, exact: true }).waitFor();
    }
    await page.getByRole('table').getByText('no price').first().waitFor();
  });

  test('regenerates the keys: the old one is rejected, the new one works', async () => {
    await open('Settings');
    await page.getByRole('button', { name: 'Regenerate all' }).click();
    await page.getByRole('button', { name: 'Regenerate', exact: true }).click();
    await page.getByRole('region', { name: 'API key', exact: true }).waitFor();
    expect((await agent.post('/v1/runs/', { user_id: 'ada' })).status).toBe(401);
    apiKey = await textOf('API key');
    agent = new Api(service.url, apiKey);
    expect((await agent.post('/v1/runs/', { user_id: 'ada' })).status).toBe(201);
  });

  test('creates a labelled key and revokes it', async () => {
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Label').fill('staging');
    expect(await page.getByRole('radio', { name: 'Agent' }).isChecked()).toBe(true);
    await page.getByLabel('Only for this user').fill('ada');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('row', { name: /staging.*agent.*only ada/s }).waitFor();
    const pinned = new Api(service.url, await textOf('API key'));
    expect((await pinned.post('/v1/runs/', { user_id: 'grace' })).status).toBe(403);
    expect((await pinned.post('/v1/workspace/kill-switch', { active: false })).status).toBe(403);
    await page.getByRole('button', { name: /^Revoke staging/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('row', { name: /staging.*Revoked/s }).waitFor();
  });

  test('changes the password; other sessions must sign in again and return to their page', async () => {
    const other = await openPage(browser, service.url);
    await other.page.goto('/users?blocked=false');
    await signIn(other.page, FIRST_PASSWORD);
    await other.page.getByRole('heading', { name: 'Users' }).waitFor();
    expect(new URL(other.page.url()).search).toBe('?blocked=false');

    await page.getByLabel('Current password').fill(FIRST_PASSWORD);
    await page.getByRole('textbox', { name: 'New password' }).fill(SECOND_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();

    // Pages ask for news.
    await other.page.getByText('Your session has expired.').waitFor();
    await signIn(other.page, FIRST_PASSWORD);
    await other.page.getByText('Incorrect e-mail or password').waitFor();
    await other.page.getByText(/^Request ID/).waitFor();
    await signIn(other.page, SECOND_PASSWORD);
    await other.page.getByRole('heading', { name: 'Users' }).waitFor();
    expect(new URL(other.page.url()).search).toBe('?blocked=false');
    expect(other.problems).toEqual([]);
    await other.page.context().close();
  });

  test('filters and pages the runs, and the URL keeps both', async () => {
    for (let index = 0; index < 30; index += 1) {
      const { body } = await agent.post('/v1/runs/', { user_id: 'pager' });
      await agent.post(`/v1/runs/${body.id}/end`, { status: 'COMPLETED' });
    }
    await open('Runs');
    await page.getByRole('link', { name: 'Completed', exact: true }).click();
    await page.getByRole('textbox', { name: 'User' }).fill('pager');
    await page.getByRole('textbox', { name: 'User' }).press('Enter');
    await page.getByText('1–25 of 30').waitFor();
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByText('26–30 of 30').waitFor();
    expect(new URL(page.url()).search).toBe('?status=COMPLETED&user=pager&page=2');
    await page.reload();
    await page.getByText('26–30 of 30').waitFor();
    expect(await page.getByRole('row').count()).toBe(1 + 5);
    await page.goBack();
    await page.getByText('1–25 of 30').waitFor();
  });

  test('sees a new run in the list without a reload', async () => {
    await page.goto('/runs?user=late-arrival');
    await page.getByText('No matching runs').waitFor();
    await agent.post('/v1/runs/', { user_id: 'late-arrival' });
    await page.getByRole('link', { name: /Run of late-arrival/ }).waitFor();
  });

  test('sees the error message and request ID of the service when a request fails, and can retry', async () => {
    await page.route('**/v1/users/**', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'x-request-id': 'req-e2e-1' },
        json: { detail: 'The database does not answer' },
      }),
    );
    await open('Users');
    await page.getByText('The database does not answer').waitFor();
    await page.getByText('req-e2e-1').waitFor();
    await page.unroute('**/v1/users/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Block ada' }).waitFor();
    // The browser logs the simulated responses as errors.
    problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('503')));
  });

  test('selects the dark colour scheme, which persists', async () => {
    await page.getByTitle('Dark').click();
    await page.reload();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe('rgb(17, 20, 19)');
  });

  test('navigates through the menu on a phone', async () => {
    await page.setViewportSize({ width: 375, height: 720 });
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('navigates by keyboard: the first tab stop skips to the content, and Enter opens a row', async () => {
    await page.goto('/runs?user=late-arrival');
    await page.getByRole('link', { name: /Run of late-arrival/ }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.getByRole('link', { name: /Run of late-arrival/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Run of late-arrival' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  test('signs out', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('guarded-runs-token'))).toBeNull();
  });

  test('sets a new password with the link of the operator, once, and signs out everywhere', async () => {
    const other = await openPage(browser, service.url);
    await other.page.goto('/sign-in');
    await signIn(other.page, SECOND_PASSWORD);
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor();

    const link = (await service.run('reset-password', EMAIL)).trim();
    await page.goto(link);
    await page.getByRole('textbox', { name: 'New password' }).fill(THIRD_PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).not.toContain('#');
    // Pages ask for news.
    await other.page.getByText('Your session has expired.').waitFor();
    await signIn(other.page, THIRD_PASSWORD);
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor();

    await other.page.goto(link);
    await other.page.getByRole('textbox', { name: 'New password' }).fill(FIRST_PASSWORD);
    await other.page.getByRole('button', { name: 'Set password' }).click();
    await other.page.getByText('The link is invalid, has expired or was used before').waitFor();
    await other.page.context().close();

    await open('Settings');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('caused no console error, policy violation or request to another origin', () => {
    expect(problems).toEqual([]);
  });
});

async function open(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** The text of a code block. */
async function textOf(block: string): Promise<string> {
  return (await page.getByRole('region', { name: block, exact: true }).textContent()) ?? '';
}

async function signIn(target: Page, password: string): Promise<void> {
  await target.getByLabel('E-mail').fill(EMAIL);
  await target.getByRole('textbox', { name: 'Password' }).fill(password);
  await target.getByRole('button', { name: 'Sign in' }).click();
}

async function spend(
  runId: string,
  {
    promptTokens,
    completionTokens,
    model = MODEL,
  }: { promptTokens: number; completionTokens: number; model?: string },
): Promise<void> {
  const { body: step } = await agent.post(`/v1/runs/${runId}/steps`, {
    type: 'MODEL_CALL',
    sequence: 1,
    model,
  });
  const { status } = await agent.send('PATCH', `/v1/runs/${runId}/steps/${step.id}`, {
    status: 'COMPLETED',
    duration_ms: 900,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
  });
  expect(status).toBe(200);
}
