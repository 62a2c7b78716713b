/** Where a denial is explained, an operator lifts it: exactly its reason, after a confirmation, and the page says what has changed since. */

import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { testAppearances } from './support/appearances.ts';
import { callModel, setPrice } from './support/model-call.ts';
import { startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newMember, newWorkspace, type TestWorkspace } from './support/workspace.ts';

const MODEL = 'gpt-4o';
const STAYS = 'The decision above stays as it was made.';

const bed = startTestBed();

describe('a blocked user', () => {
  test('is unblocked from the denied run, which keeps its decision', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await blockedRun(workspace);
    const { page, problems } = await workspace.open(`/runs/${runId}`);
    await button(page, 'Unblock this user').click();
    await dialog(page).getByText('Unblock ada?').waitFor();
    await expectFocusOn(page, 'Cancel');
    await confirm(page, 'Unblock').click();
    await page.getByText('This user is not blocked any more.').waitFor();
    await page.getByText(STAYS).waitFor();
    await page.getByText('Denied: user is blocked').waitFor();
    expect(await button(page, 'Unblock this user').count()).toBe(0);
    await expectFocusOnOutcome(page);
    expect(await isBlocked(workspace)).toBe(false);
    await startRun(workspace);

    await page.reload();
    await page.getByText('This user is not blocked any more.').waitFor();
    await workspace.operator.post('/v1/users/block', { user_id: 'ada' });
    await page.reload();
    await button(page, 'Unblock this user').waitFor();
    expect(await page.getByText(STAYS).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('whom someone else unblocks in the meantime leaves nothing to confirm', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open(`/runs/${await blockedRun(workspace)}`);
    await button(page, 'Unblock this user').click();
    await confirm(page, 'Unblock').waitFor();
    await workspace.operator.post('/v1/users/unblock', { user_id: 'ada' });
    await dialog(page).getByText('ada is already unblocked.').waitFor();
    expect(await confirm(page, 'Unblock').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByText('This user is not blocked any more.').waitFor();
    await expectFocusOnOutcome(page);
    await page.context().close();
  });
});

describe('the kill switch', () => {
  test('is turned off from the step that it denied; Escape closes only the dialog', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace);
    await workspace.operator.post('/v1/workspace/kill-switch', { active: true });
    await deniedStep(workspace, runId, { type: 'OUTPUT' });
    const { page, problems } = await workspace.open(`/runs/${runId}`);
    const drawer = await explain(page);
    await button(drawer, 'Turn the kill switch off').click();
    await dialogNamed(page, 'Allow agents to resume?').waitFor();
    await expectFocusOn(page, 'Cancel');
    await page.keyboard.press('Escape');
    await dialogNamed(page, 'Allow agents to resume?').waitFor({ state: 'hidden' });
    await drawer.getByText('Denied: kill switch is on').waitFor();
    expect(await killSwitch(workspace)).toBe(true);

    await button(drawer, 'Turn the kill switch off').click();
    await confirm(dialogNamed(page, 'Allow agents to resume?'), 'Turn the kill switch off').click();
    await drawer.getByText('The kill switch is off now.').waitFor();
    await expectFocusOnOutcome(page);
    expect(await killSwitch(workspace)).toBe(false);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('a budget', () => {
  test('of the workspace is raised from the step that it denied, never lowered or removed', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await spentRun(workspace, { daily_budget_usd: 1 });
    const { page, problems } = await workspace.open(`/runs/${runId}`);
    const writes = writesOf(page);
    const drawer = await explain(page);
    await button(drawer, 'Raise the daily budget').click();
    const raise = dialogNamed(page, /^Raise the daily budget of /);
    await raise.getByText('Now: $1.00 per day. The workspace has spent $1.50 today.').waitFor();
    await raise.getByText('It applies to the whole workspace, all users together').waitFor();
    const field = raise.getByRole('textbox', { name: 'New daily budget' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
    expect(await field.inputValue()).toBe('');
    await page.keyboard.press('Enter');
    for (const [text, problem] of [
      ['0.5', 'Enter more than $1.00'],
      ['1', 'Enter more than $1.00'],
      ['1,5', 'Use a decimal point and no commas'],
    ] as const) {
      await field.fill(text);
      await raise.getByText(problem).waitFor();
      expect(await confirm(raise, 'Raise the budget').isDisabled(), text).toBe(true);
      await field.press('Enter');
    }
    await field.fill('1.2');
    await raise.getByText('Saves $1.20 per day. That is not enough yet').waitFor();
    await field.fill(' ');
    expect(await confirm(raise, 'Raise the budget').isDisabled()).toBe(true);
    await field.press('Enter');
    expect(writes).toEqual([]);

    await field.fill('5');
    await raise.getByText('Saves $5.00 per day.', { exact: true }).waitFor();
    await confirm(raise, 'Raise the budget').click();
    await drawer.getByText('The daily budget is $5.00 now. The workspace has spent $1.50 today.').waitFor();
    await expectFocusOnOutcome(page);
    expect(writes).toHaveLength(1);
    expect((await settings(workspace)).daily_budget_usd).toBe(5);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('that someone else has changed is not overwritten before the page has said so', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open(`/runs/${await spentRun(workspace, { daily_budget_usd: 1 })}`);
    const drawer = await explain(page);
    await button(drawer, 'Raise the daily budget').click();
    const raise = dialogNamed(page, /^Raise the daily budget of /);
    await raise.getByRole('textbox').fill('3');
    await workspace.operator.send('PATCH', '/v1/workspace/', { daily_budget_usd: 1.4 });
    await confirm(raise, 'Raise the budget').click();
    await raise.getByText('Someone else saved $1.40 per day.').waitFor();
    expect((await settings(workspace)).daily_budget_usd).toBe(1.4);
    await confirm(raise, 'Raise the budget').click();
    await drawer.getByText('The daily budget is $3.00 now.').waitFor();
    expect((await settings(workspace)).daily_budget_usd).toBe(3);
    await page.context().close();
  });

  test('of each user is raised for every user, from the run that it denied', async () => {
    const workspace = await newWorkspace(bed);
    await spentRun(workspace, { user_daily_budget_usd: 1 });
    const { page, problems } = await workspace.open(`/runs/${await deniedRun(workspace)}`);
    await button(page, 'Raise the daily budget per user').click();
    await dialog(page).getByText('Now: $1.00 per user per day. This user has spent $1.50 today.').waitFor();
    await dialog(page)
      .getByText('It applies to every user of this workspace, not only to this one')
      .waitFor();
    await dialog(page).getByRole('textbox', { name: 'New daily budget per user' }).fill('2.5');
    await page.keyboard.press('Enter');
    await page
      .getByText('The daily budget per user is $2.50 now. This user has spent $1.50 today.')
      .waitFor();
    await expectFocusOnOutcome(page);
    expect((await settings(workspace)).user_daily_budget_usd).toBe(2.5);
    await startRun(workspace);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('that was removed since says so instead of a button', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await spentRun(workspace, { daily_budget_usd: 1 });
    await workspace.operator.send('PATCH', '/v1/workspace/', { daily_budget_usd: null });
    const { page } = await workspace.open(`/runs/${runId}`);
    const drawer = await explain(page);
    await drawer.getByText('There is no daily budget any more.').waitFor();
    expect(await button(drawer, 'Raise the daily budget').count()).toBe(0);
    await page.context().close();
  });
});

describe('the slots', () => {
  test('are freed from the list of the runs that hold them', async () => {
    const workspace = await newWorkspace(bed);
    await workspace.operator.send('PATCH', '/v1/workspace/', { max_concurrent_runs: 2 });
    const kept = await startRun(workspace, { user_id: 'grace' });
    const stopped = await startRun(workspace);
    const denied = await deniedRun(workspace, 'linus');
    const { page, problems } = await workspace.open(`/runs/${denied}`);
    await page.getByRole('link', { name: 'See the runs that hold the slots' }).click();
    await page.waitForURL('**/runs?status=RUNNING');
    await button(page, 'Stop the run of grace').waitFor();
    const writes = writesOf(page);
    await button(page, 'Stop the run of ada').click();
    await dialog(page).getByText('Stop this run of ada?').waitFor();
    await dialog(page).getByText(stopped).waitFor();
    await expectFocusOn(page, 'Cancel');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'hidden' });
    expect(writes).toEqual([]);

    await button(page, 'Stop the run of ada').click();
    await confirm(page, 'Stop the run').click();
    await page.getByRole('link', { name: /^Run of ada/ }).waitFor({ state: 'hidden' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(writes).toHaveLength(1);
    expect((await workspace.operator.get(`/v1/runs/${stopped}`)).body.end_reason).toBe('STOPPED');
    expect((await workspace.operator.get(`/v1/runs/${kept}`)).body.status).toBe('RUNNING');

    await page.goBack();
    await page.getByText('1 of 2 slots is free now.').waitFor();
    await page.getByText(STAYS).waitFor();
    expect(await button(page, 'Raise the limit of concurrent runs').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('are more after the limit is raised', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open(`/runs/${await runWithoutSlot(workspace)}`);
    await button(page, 'Raise the limit of concurrent runs').click();
    await dialog(page).getByText('Now: 1 concurrent run. 1 run is running.').waitFor();
    await dialog(page).getByRole('textbox', { name: 'New limit of concurrent runs' }).fill('3');
    await confirm(page, 'Raise the limit').click();
    await page.getByText('2 of 3 slots are free now.').waitFor();
    expect((await settings(workspace)).max_concurrent_runs).toBe(3);
    await page.context().close();
  });

  test('are not a setting of every plan', async () => {
    const workspace = await newWorkspace(bed, 'basic');
    for (const user_id of ['ada', 'grace', 'linus']) await startRun(workspace, { user_id });
    const { page } = await workspace.open(`/runs/${await deniedRun(workspace)}`);
    await page.getByText('A custom number of concurrent runs is not part of the Basic plan').waitFor();
    await page.getByRole('link', { name: 'See the runs that hold the slots' }).waitFor();
    expect(await button(page, 'Raise the limit of concurrent runs').count()).toBe(0);
    await page.context().close();
  });

  test('a run that has ended elsewhere is not stopped from the list', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace);
    const { page, problems } = await workspace.open('/runs?status=RUNNING');
    await page.route('**/v1/runs/?*', (route) => route.abort());
    await button(page, 'Stop the run of ada').click();
    await workspace.agent.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' });
    await page.route(`**/v1/runs/${runId}/stop`, async (route) => {
      await page.unroute('**/v1/runs/?*');
      await route.continue();
    });
    await confirm(page, 'Stop the run').click();
    await dialog(page).getByText('The run has already ended.').waitFor();
    expect(await confirm(page, 'Stop the run').isDisabled()).toBe(true);
    expect(problems.filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
    await page.context().close();
  });
});

describe('other reasons', () => {
  test('a price is added for the model of the denied call', async () => {
    const workspace = await newWorkspace(bed);
    await workspace.operator.send('PATCH', '/v1/workspace/', { deny_unpriced_models: true });
    const runId = await startRun(workspace);
    await deniedStep(workspace, runId, { type: 'MODEL_CALL', model: MODEL });
    const { page, problems } = await workspace.open(`/runs/${runId}`);
    const drawer = await explain(page);
    await drawer.getByRole('link', { name: 'Add a price for this model' }).click();
    await page.waitForURL(`**/prices?add=${MODEL}`);
    expect(await dialog(page).getByRole('textbox', { name: 'Model' }).inputValue()).toBe(MODEL);
    await dialog(page).getByLabel('Input per 1M tokens').fill('2.5');
    await dialog(page).getByLabel('Output per 1M tokens').fill('10');
    await confirm(page, 'Save price').click();
    await dialog(page).waitFor({ state: 'hidden' });
    await page.waitForURL('**/prices');

    await page.goto(`/runs/${runId}`);
    await (await explain(page)).getByText(`${MODEL} has a price now.`).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('limits of a run are fixed, and lead to those of later runs', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace, { limits: { max_steps: 1 } });
    await workspace.agent.post(`/v1/runs/${runId}/steps`, { type: 'OUTPUT', sequence: 1 });
    await deniedStep(workspace, runId, { type: 'OUTPUT', sequence: 2 });
    const { page } = await workspace.open(`/runs/${runId}`);
    const drawer = await explain(page);
    await drawer.getByText('Its limits were fixed when it started.').waitFor();
    await drawer.getByText('The limit of the workspace for runs that start now: no limit.').waitFor();
    await drawer.getByRole('link', { name: 'Run limits' }).click();
    await page.waitForURL('**/guardrails#run-limits');
    await page.getByRole('heading', { name: 'Run limits' }).waitFor();
    await page.context().close();
  });

  test('a plan without runs left leads to the plans', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open(`/runs/${await blockedRun(workspace)}`, {});
    const { body: run } = await workspace.operator.get('/v1/runs/?status=BLOCKED');
    const runId = run.items[0].id;
    // A test cannot start as many runs as a plan has: the page is given the decision and the count.
    await page.route(`**/v1/runs/${runId}/decisions`, async (route) => {
      const [start] = await (await route.fetch()).json();
      const rule = { rule: 'monthly_run_limit', value: 1000, limit: 1000, result: 'DENY', resets_at: null };
      await route.fulfill({ json: [{ ...start, reason: 'MONTHLY_RUN_LIMIT_EXCEEDED', rules: [rule] }] });
    });
    await page.route('**/v1/billing/', async (route) => {
      const billing = await (await route.fetch()).json();
      await route.fulfill({ json: { ...billing, monthly_run_limit: 1000, monthly_run_count: 1000 } });
    });
    await page.reload();
    await page.getByRole('link', { name: 'Change the plan' }).click();
    await page.waitForURL('**/settings#plan');
    await page.context().close();
  });
});

test('a viewer reads what would help, and has no button', async () => {
  const workspace = await newWorkspace(bed);
  const viewer = await newMember(bed, workspace, 'viewer');
  const blocked = await blockedRun(workspace);
  const { page, problems } = await viewer.open(`/runs/${blocked}`);
  await page.getByText('An owner or an admin of the workspace can unblock this user.').waitFor();
  expect(await button(page, 'Unblock this user').count()).toBe(0);

  await workspace.operator.post('/v1/users/unblock', { user_id: 'ada' });
  const step = await spentRun(workspace, { daily_budget_usd: 1 });
  await page.goto(`/runs/${step}`);
  const drawer = await explain(page);
  await drawer.getByText('An owner or an admin of the workspace can raise the daily budget.').waitFor();
  expect(await drawer.getByRole('button', { name: /Raise/ }).count()).toBe(0);

  await page.goto('/runs?status=RUNNING');
  await page.getByRole('link', { name: /^Run of ada/ }).waitFor();
  expect(await page.getByRole('button', { name: /Stop/ }).count()).toBe(0);
  expect(problems).toEqual([]);
  await page.context().close();
});

describe('in every appearance', () => {
  let workspace: TestWorkspace;
  let blocked: string;
  let withoutSlot: string;
  let spent: string;

  beforeAll(async () => {
    workspace = await newWorkspace(bed);
    spent = await spentRun(workspace, { daily_budget_usd: 1 });
    await workspace.operator.send('PATCH', '/v1/workspace/', { daily_budget_usd: null });
    withoutSlot = await runWithoutSlot(workspace);
    blocked = await blockedRun(workspace);
    await workspace.operator.send('PATCH', '/v1/workspace/', { daily_budget_usd: 1 });
  });

  testAppearances(
    'a denial and what lifts it',
    { workspace: () => workspace, path: '/' },
    async (page, check) => {
      await page.goto(`/runs/${blocked}`);
      await button(page, 'Unblock this user').waitFor();
      await check('a blocked user');
      await button(page, 'Unblock this user').click();
      await confirm(page, 'Unblock').waitFor();
      await check('the dialog that unblocks');

      await page.goto(`/runs/${withoutSlot}`);
      await button(page, 'Raise the limit of concurrent runs').waitFor();
      await check('too many runs');

      await page.goto(`/runs/${spent}`);
      const drawer = await explain(page);
      await button(drawer, 'Raise the daily budget').click();
      const raise = dialogNamed(page, /^Raise the daily budget of /);
      await raise.getByRole('textbox').fill('1.2');
      await raise.getByText('That is not enough yet').waitFor();
      await check('the dialog that raises a budget');

      await page.goto('/runs?status=RUNNING');
      await button(page, 'Stop the run of ada').first().click();
      await confirm(page, 'Stop the run').waitFor();
      await check('the dialog that stops a run of the list');
      await page.keyboard.press('Escape');
      await check('the runs that hold slots');
    },
  );
});

/** Of the user ada, who is blocked before it. */
async function blockedRun(workspace: TestWorkspace): Promise<string> {
  await workspace.operator.post('/v1/users/block', { user_id: 'ada' });
  return deniedRun(workspace);
}

async function deniedRun({ agent }: TestWorkspace, user_id = 'ada'): Promise<string> {
  const { body } = await agent.post('/v1/runs/', { user_id });
  expect(body.status).toBe('BLOCKED');
  return body.id;
}

async function runWithoutSlot(workspace: TestWorkspace): Promise<string> {
  const { operator } = workspace;
  const { body } = await operator.get('/v1/runs/?status=RUNNING');
  if (body.total === 0) await startRun(workspace);
  await operator.send('PATCH', '/v1/workspace/', { max_concurrent_runs: 1 });
  return deniedRun(workspace);
}

/** Spends $1.50 of the user ada, and then requests a step that the budget denies. */
async function spentRun(workspace: TestWorkspace, budget: object): Promise<string> {
  await setPrice(workspace, MODEL);
  const runId = await startRun(workspace);
  await callModel(workspace, runId, { sequence: 1, model: MODEL, promptTokens: 1_500_000 });
  await workspace.operator.send('PATCH', '/v1/workspace/', budget);
  await deniedStep(workspace, runId, { type: 'OUTPUT', sequence: 2 });
  return runId;
}

async function deniedStep({ agent }: TestWorkspace, runId: string, step: object): Promise<void> {
  const { body } = await agent.post(`/v1/runs/${runId}/steps`, { sequence: 1, ...step });
  expect(body.status).toBe('BLOCKED');
}

/** Opens the explanation of the denied step. */
async function explain(page: Page): Promise<Locator> {
  await button(page, 'Explain').click();
  const drawer = page.getByRole('dialog').filter({ has: page.getByRole('heading', { name: 'Decision' }) });
  await drawer.getByText(/^Denied: /).waitFor();
  return drawer;
}

function button(place: Page | Locator, name: string) {
  return place.getByRole('button', { name, exact: true });
}

function dialog(page: Page) {
  return page.getByRole('dialog');
}

function dialogNamed(page: Page, name: string | RegExp) {
  return page.getByRole('dialog', { name });
}

/** In the only dialog of a page, or in the one given. */
function confirm(place: Page | Locator, name: string) {
  const inside = 'goto' in place ? dialog(place) : place;
  return inside.getByRole('button', { name, exact: true });
}

function writesOf(page: Page): string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`);
  });
  return writes;
}

async function expectFocusOn(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.textContent === wanted, text);
}

/** Keyboard users continue at what has changed, because the button has disappeared. */
async function expectFocusOnOutcome(page: Page): Promise<void> {
  await page.waitForFunction((stays) => {
    const active = document.activeElement;
    return active?.getAttribute('role') === 'status' && active.textContent?.includes(stays);
  }, STAYS);
}

async function settings({ operator }: TestWorkspace) {
  return (await operator.get('/v1/workspace/')).body;
}

async function killSwitch(workspace: TestWorkspace): Promise<boolean> {
  return (await settings(workspace)).kill_switch;
}

async function isBlocked({ operator }: TestWorkspace): Promise<boolean> {
  const { body } = await operator.get('/v1/users/?blocked=true');
  return body.total > 0;
}
