/** From the lists of users and models to one of them: who spends, on what, what was denied, and blocking with a note. */

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { testAppearances } from './support/appearances.ts';
import { callModel, setPrice } from './support/model-call.ts';
import { startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newMember, newWorkspace, type TestWorkspace } from './support/workspace.ts';

const bed = startTestBed();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await newWorkspace(bed);
  await fill(workspace);
});

/** ada spends most; bob was denied; house-model has no price, and one of three calls of gpt-4o fails. */
async function fill(given: TestWorkspace): Promise<void> {
  const { agent, operator } = given;
  await setPrice(given, 'gpt-4o');
  const runId = await startRun(given, { user_id: 'team/ada' });
  await callModel(given, runId, { sequence: 1, model: 'gpt-4o', promptTokens: 2_000_000 });
  await callModel(given, runId, { sequence: 2, model: 'house-model', promptTokens: 5_000 });
  const step = { type: 'MODEL_CALL', sequence: 3, model: 'gpt-4o' };
  const failed = await agent.post(`/v1/runs/${runId}/steps`, step);
  await agent.send('PATCH', `/v1/runs/${runId}/steps/${failed.body.id}`, {
    status: 'FAILED',
    error: 'Timeout',
  });
  const cached = await agent.post(`/v1/runs/${runId}/steps`, { ...step, sequence: 4 });
  await agent.send('PATCH', `/v1/runs/${runId}/steps/${cached.body.id}`, {
    status: 'COMPLETED',
    duration_ms: 4_000,
    prompt_tokens: 900,
    cache_read_tokens: 700,
    cache_write_tokens: 100,
    completion_tokens: 50,
    reasoning_tokens: 20,
  });
  const small = await startRun(given, { user_id: 'team/bob' });
  await callModel(given, small, { sequence: 1, model: 'gpt-4o', promptTokens: 1_000 });
  await operator.post('/v1/users/block', { user_id: 'team/bob', note: 'Ticket 7' });
  await agent.post(`/v1/runs/${small}/steps`, { ...step, sequence: 2 });
  await agent.post('/v1/runs/', { user_id: 'other' });
}

const namesIn = (page: Page) =>
  page.getByRole('table').locator('tbody tr td:first-child a').allTextContents();

describe('users', () => {
  test('are searched by a prefix and sorted by spend, all in the URL', async () => {
    const { page, problems } = await workspace.open('/users');
    await page.getByRole('link', { name: 'other' }).waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('team/');
    await page.getByRole('textbox', { name: 'Search' }).press('Enter');
    await page.getByRole('link', { name: 'other' }).waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('?search=team%2F');
    await page.getByRole('link', { name: 'Most spend' }).click();
    await page.getByText('with the most spend').waitFor();
    expect(new URL(page.url()).search).toBe('?search=team%2F&sort=spend');
    await expect.poll(() => namesIn(page)).toEqual(['team/ada', 'team/bob']);
    const row = page.getByRole('row').filter({ hasText: 'team/ada' });
    expect(await row.getByRole('cell').nth(2).textContent()).toBe('$2.00');
    await page.reload();
    await expect.poll(() => namesIn(page)).toEqual(['team/ada', 'team/bob']);
    await page.getByRole('button', { name: 'Clear the search filter' }).click();
    await page.getByRole('link', { name: 'other' }).waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('Team');
    await page.getByRole('textbox', { name: 'Search' }).press('Enter');
    await page.getByText('are case-sensitive').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('have a page with spend, models, denials and runs', async () => {
    const { page, problems } = await workspace.open('/users?sort=spend');
    await page.getByRole('link', { name: 'team/ada' }).click();
    await page.getByRole('heading', { name: 'team/ada', level: 1 }).waitFor();
    await page.getByText('5,000 tokens without a price').first().waitFor();
    const models = page.getByRole('region', { name: 'Models' }).first();
    expect(await models.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual([
      'gpt-4o',
      '2',
      '2M',
      '50',
      '$2.00',
    ]);
    await page.getByText('Nothing denied in these days').waitFor();
    await page.getByRole('link', { name: '7 days' }).click();
    await page.getByText('in the last 7 days (UTC)').first().waitFor();
    expect(new URL(page.url()).search).toBe('?user=team%2Fada&days=7');
    await models.getByRole('link', { name: 'house-model' }).click();
    await page.getByRole('heading', { name: 'house-model', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /^Run of team\/ada/ }).click();
    await page.getByRole('heading', { name: 'Run of team/ada' }).waitFor();
    await page.getByRole('link', { name: 'This user', exact: true }).click();
    await page.getByRole('heading', { name: 'team/ada', level: 1 }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('that are blocked say why and by whom; each denial leads to its runs', async () => {
    const { page, problems } = await workspace.open('/users/view?user=team%2Fbob');
    await page.getByText(`Blocked by ${workspace.email}`).waitFor();
    await page.getByText('Ticket 7').waitFor();
    await page.getByRole('link', { name: 'User is blocked' }).click();
    await page.getByRole('link', { name: /^Run of team\/bob/ }).waitFor();
    const address = new URL(page.url()).searchParams;
    expect([address.get('user'), address.get('deny_reason')]).toEqual(['team/bob', 'USER_BLOCKED']);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('are blocked with a note and unblocked on their page, and the activity has both', async () => {
    const own = await newWorkspace(bed);
    await startRun(own, { user_id: 'carl' });
    const { page, problems } = await own.open('/users/view?user=carl');
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('Scripts against the rules');
    await dialog.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByText('Scripts against the rules').waitFor();
    await page.getByText(`Blocked by ${own.email}`).waitFor();
    const denied = await own.agent.post('/v1/runs/', { user_id: 'carl' });
    expect(denied.body.decision.reason).toBe('USER_BLOCKED');
    await page.getByRole('button', { name: 'Unblock', exact: true }).click();
    await dialog.getByRole('button', { name: 'Unblock', exact: true }).click();
    await page.getByText(`Blocked by ${own.email}`).waitFor({ state: 'hidden' });
    await page.goto('/activity');
    await page.getByText('blocked user carl: “Scripts against the rules”').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('cannot be blocked by a viewer, who reads why', async () => {
    const viewer = await newMember(bed, workspace, 'viewer');
    const { page, problems } = await viewer.open('/users/view?user=team%2Fada');
    await page.getByRole('heading', { name: 'team/ada', level: 1 }).waitFor();
    await page
      .getByText(/viewer/i)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'Block', exact: true }).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('models', () => {
  test('are listed with their spend, and have a page with tokens, failures and durations', async () => {
    const { page, problems } = await workspace.open('/');
    await page.getByRole('navigation', { name: 'Pages', exact: true }).getByText('Models').click();
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    await page.getByText('5,000 tokens without a price').waitFor();
    await page.getByRole('link', { name: 'house-model' }).click();
    await page.getByText('Spend, without a price', { exact: true }).waitFor();
    await page.getByText('Unknown', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'gpt-4o' }).click();
    await page.getByRole('heading', { name: 'gpt-4o', level: 1 }).waitFor();
    await page.getByText('25 %').first().waitFor();
    const fact = (name: string) =>
      page
        .locator('dl > div')
        .filter({ has: page.getByText(name, { exact: true }) })
        .locator('dd')
        .textContent();
    expect(await fact('Calls')).toBe('4');
    expect(await fact('Cache read')).toBe('700');
    expect(await fact('Cache write')).toBe('100');
    expect(await fact('Output')).toBe('30');
    expect(await fact('Reasoning')).toBe('20');
    expect(await fact('p50 duration')).toMatch(/^9\d\d.ms$/);
    const durations = page.getByRole('slider', { name: 'Day of the duration' });
    await durations.press('End');
    expect(await durations.getAttribute('aria-valuetext')).toMatch(/3 calls, p50 9\d\d.ms, p95 3\.8.s$/);
    await page.getByRole('slider', { name: 'Day of the tokens' }).press('End');
    await page.getByRole('tooltip', { includeHidden: true }).getByText('Cache read').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('and users that were never seen have a page that says so', async () => {
    const { page, problems } = await workspace.open('/models/view?model=..');
    await page.getByText('No calls in these days').waitFor();
    await page.goto('/users/view?user=..');
    await page.getByText('No runs yet').waitFor();
    await page.goto('/users/view');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

testAppearances('users and models', { workspace: () => workspace, path: '/users' }, async (page, check) => {
  for (const [path, text] of [
    ['/users?sort=spend', 'with the most spend'],
    ['/users/view?user=team%2Fada', 'Nothing denied in these days'],
    ['/users/view?user=team%2Fbob', 'Ticket 7'],
    ['/models', '5,000 tokens without a price'],
    ['/models/view?model=gpt-4o', 'Duration per day'],
    ['/models/view?model=house-model', 'No spend in these days'],
  ] as const) {
    await page.goto(path);
    await page.getByText(text).first().waitFor();
    await check(path);
  }
  await page.goto('/users/view?user=team%2Fada');
  await page.getByRole('button', { name: 'Block', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Note').waitFor();
  await check('the dialog');
});
