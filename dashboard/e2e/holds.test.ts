/** Holds: an operator requires them, the overview and a run show what is held, and denials tell the amounts apart. */

import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { testAppearances } from './support/appearances.ts';
import { cellsOf, meterOf, startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const MODEL = 'gpt-4o';
const USD_PER_TOKEN = 0.001;

const bed = startTestBed();

describe('the setting', () => {
  test('is saved as the service answers, and kept over a reload', async () => {
    const workspace = await newWorkspace(bed);
    const { page, problems } = await workspace.open('/guardrails');
    expect(await requireHolds(page).isChecked()).toBe(false);
    await requireHolds(page).press('Space');
    await page.getByText('Saved: holds are required. It applies from the next decision.').waitFor();
    expect(await requireHolds(page).isChecked()).toBe(true);
    expect(await requireHolds(page).evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await isRequired(workspace)).toBe(true);

    await page.reload();
    await requireHolds(page).waitFor();
    expect(await requireHolds(page).isChecked()).toBe(true);
    await requireHolds(page).click();
    await page.getByText('Saved: holds are optional. It applies from the next decision.').waitFor();
    expect(await requireHolds(page).isChecked()).toBe(false);
    expect(await isRequired(workspace)).toBe(false);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('stays as it is until the service has answered, and says what is wanted', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open('/guardrails');
    const bodies: unknown[] = [];
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/v1/workspace/', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      bodies.push(route.request().postDataJSON());
      await answered;
      return route.continue();
    });
    await requireHolds(page).press('Space');
    await page.waitForFunction(() => document.querySelector('[role=switch][aria-busy=true]') !== null);
    expect(await requireHolds(page).isChecked()).toBe(false);
    await requireHolds(page).press('Space');
    // Saved meanwhile by someone else: the request still turns it on.
    await workspace.operator.send('PATCH', '/v1/workspace/', { require_holds: true });
    answer();
    await page.getByText('Saved: holds are required.').waitFor();
    expect(await requireHolds(page).isChecked()).toBe(true);
    expect(bodies).toEqual([{ require_holds: true }]);
    await page.context().close();
  });

  test('tells how many model calls of the last days had no hold', async () => {
    const workspace = await pricedWorkspace({});
    const { page } = await workspace.open('/guardrails');
    await page.getByText('No model calls in the last 7 days to compare with.').waitFor();
    const runId = await startRun(workspace);
    await modelCall(workspace, runId, { estimated_cost_usd: 0.1 });
    await modelCall(workspace, runId, {});
    await page.reload();
    await page
      .getByText('In the last 7 days, 1 of 2 model calls had no hold and would have been denied.')
      .waitFor();
    await page.context().close();
  });

  test('that is refused stays as it was and says why', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open('/guardrails');
    await page.route('**/v1/workspace/', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 422, json: { detail: 'No such setting' } })
        : route.continue(),
    );
    await requireHolds(page).press('Space');
    await page.getByRole('alert').getByText('No such setting').waitFor();
    expect(await requireHolds(page).isChecked()).toBe(false);
    await page.context().close();
  });

  test('is where the denial of a call without a hold leads', async () => {
    const workspace = await pricedWorkspace({ require_holds: true });
    const runId = await startRun(workspace);
    await modelCall(workspace, runId, {});
    const { page } = await workspace.open('/guardrails', { viewport: { width: 1280, height: 500 } });
    await requireHolds(page).waitFor();
    // Within the app: the guardrails page is loaded, and its data is cached.
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.getByRole('link', { name: /^Run of ada/ }).click();
    await page.getByRole('button', { name: 'Explain' }).click();
    const explanation = page.getByRole('dialog');
    await explanation.getByText('Denied: hold required').waitFor();
    expect(await cellsOf(explanation, 'Hold required')).toEqual([
      'Hold required',
      'Deny',
      'Missing',
      '–',
      '–',
    ]);
    await explanation.getByRole('link', { name: 'Holds' }).click();
    await page.waitForURL('**/guardrails#holds');
    await page.waitForFunction(() => {
      const box = document.querySelector('[role=switch]')?.getBoundingClientRect();
      return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight;
    });
    await page.context().close();
  });
});

describe('a budget with open holds', () => {
  let workspace: TestWorkspace;
  let runId: string;

  beforeAll(async () => {
    workspace = await pricedWorkspace({
      daily_budget_usd: 1,
      user_daily_budget_usd: 2,
      run_limits: { max_cost_usd: 2 },
    });
    runId = await startRun(workspace);
    await report(workspace, runId, await modelCall(workspace, runId, { estimated_cost_usd: 0.15 }), 200);
    await modelCall(workspace, runId, { estimated_cost_usd: 0.4 });
    await modelCall(workspace, runId, { estimated_cost_usd: 0.5 });
  });

  test('shows them on the overview and the guardrails page', async () => {
    const { page, problems } = await workspace.open('/');
    const tile = page.getByRole('region', { name: 'Spend today' });
    await tile.getByText('+ $0.40 held', { exact: true }).waitFor();
    expect(await tile.getByRole('paragraph').first().textContent()).toBe('$0.20 of $1.00');
    expect(await meterOf(tile, 'Workspace budget used today')).toBe(60);
    await page.goto('/guardrails');
    await page.getByText('$0.20 spent today · $0.40 held of $1.00').waitFor();
    expect(await meterOf(page, 'Workspace budget used today')).toBe(60);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('shows them beside the spend of the user', async () => {
    const { page } = await workspace.open('/users');
    const row = page.getByRole('row').filter({ hasText: 'ada' });
    await row.getByText('+ $0.40 held', { exact: true }).waitFor();
    expect(await meterOf(row, 'Budget of ada used today')).toBe(30);
    await page.context().close();
  });

  test('explains a denial with spend, holds and request', async () => {
    const { page } = await workspace.open(`/runs/${runId}`);
    await page.getByRole('button', { name: 'Explain' }).click();
    const explanation = page.getByRole('dialog');
    await explanation
      .getByText('The workspace had $0.20 spent, $0.40 held, $0.50 requested of $1.00.')
      .waitFor();
    const cells = await cellsOf(explanation, 'Workspace daily budget');
    expect(cells.slice(0, 4)).toEqual([
      'Workspace daily budget',
      'Deny',
      '$0.20+ $0.40 held+ $0.50 requested',
      '$1.00',
    ]);
    await page.context().close();
  });

  test('shows on the page of the run what is held, and by how much a step exceeded its hold', async () => {
    const { page } = await workspace.open(`/runs/${runId}`);
    await page.getByText('Limits of this run').waitFor();
    expect(await factOf(page, 'Cost')).toBe('$0.20 + $0.40 held');
    await page.getByText('$0.20 + $0.40 held of $2.00').waitFor();
    const timeline = page.getByRole('listitem').filter({ hasText: 'Model call' });
    await timeline.nth(0).getByText('$0.05 over hold').waitFor();
    expect(await timeline.nth(1).textContent()).toMatch(/In progress\$0\.40held$/);

    await timeline.nth(0).getByRole('button').click();
    await page.getByRole('dialog').getByText('$0.05 more than its hold').waitFor();
    expect(await factOf(page.getByRole('dialog'), 'Hold')).toBe('$0.15');
    await page.getByRole('button', { name: 'Close step' }).click();
    await timeline.nth(1).getByRole('button').click();
    await page.getByRole('dialog').getByText('held until the step is reported or the run ends').waitFor();
    await page.context().close();
  });

  testAppearances('the pages', { workspace: () => workspace, path: '/settings' }, async (page, check) => {
    await page.goto('/');
    await page.getByText('+ $0.40 held', { exact: true }).waitFor();
    await check('the overview');
    await page.goto('/users');
    await page.getByText('+ $0.40 held', { exact: true }).waitFor();
    await check('the users');
    await page.goto('/guardrails#holds');
    await page.getByText('$0.20 spent today · $0.40 held of $1.00').waitFor();
    await check('the guardrails');
    await page.goto(`/runs/${runId}`);
    await page.getByText('over hold').waitFor();
    await check('the run');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('dialog').getByText('The workspace had $0.20 spent').waitFor();
    await page.waitForTimeout(400);
    await check('the explanation');
  });

  describe('when the run has ended without a report', () => {
    let endedId: string;

    beforeAll(async () => {
      endedId = await startRun(workspace, { user_id: 'grace' });
      await modelCall(workspace, endedId, { estimated_cost_usd: 0.1 });
      const silent = await modelCall(workspace, endedId, { estimated_cost_usd: 0.05 });
      await report(workspace, endedId, silent, null);
      await workspace.operator.post(`/v1/runs/${endedId}/stop`);
    });

    test('a cost is estimated and says why', async () => {
      const { page } = await workspace.open(`/runs/${endedId}`);
      await page.getByText('Run ID').waitFor();
      expect(await factOf(page, 'Cost')).toBe('$0.15');
      const timeline = page.getByRole('listitem').filter({ hasText: 'Model call' });
      expect(await timeline.nth(0).textContent()).toMatch(/No report\$0\.10estimated$/);
      await timeline.nth(0).getByRole('button').click();
      await page.getByRole('dialog').getByText('estimated: the run ended without a report').waitFor();
      await page.getByRole('button', { name: 'Close step' }).click();
      await timeline.nth(1).getByRole('button').click();
      await page.getByRole('dialog').getByText('estimated: the report had no tokens').waitFor();
      await page.context().close();
    });

    testAppearances('the run', { workspace: () => workspace, path: '/settings' }, async (page, check) => {
      await page.goto(`/runs/${endedId}?view=table`);
      await page.getByText('estimated').first().waitFor();
      await check('the table of steps');
      await page.getByRole('button', { name: 'Model call' }).first().click();
      await page.getByRole('dialog').getByText('estimated: the run ended without a report').waitFor();
      await page.waitForTimeout(400);
      await check('the step');
    });
  });
});

async function pricedWorkspace(settings: object): Promise<TestWorkspace> {
  const workspace = await newWorkspace(bed);
  const price = { input_cost_per_token: USD_PER_TOKEN, output_cost_per_token: USD_PER_TOKEN };
  await workspace.operator.send('PUT', `/v1/model-pricing/${MODEL}`, price);
  await workspace.operator.send('PATCH', '/v1/workspace/', settings);
  return workspace;
}

/** Requests a model call and returns the ID of the step. */
async function modelCall(
  { agent, operator }: TestWorkspace,
  runId: string,
  estimate: { readonly estimated_cost_usd?: number },
): Promise<string> {
  const { body: run } = await operator.get(`/v1/runs/${runId}`);
  const reply = await agent.post(`/v1/runs/${runId}/steps`, {
    type: 'MODEL_CALL',
    sequence: run.steps.length + 1,
    model: MODEL,
    ...estimate,
  });
  expect(reply.status).toBe(201);
  return reply.body.id;
}

async function report(
  { agent }: TestWorkspace,
  runId: string,
  stepId: string,
  tokens: number | null,
): Promise<void> {
  const reply = await agent.send('PATCH', `/v1/runs/${runId}/steps/${stepId}`, {
    status: 'COMPLETED',
    duration_ms: 1_200,
    ...(tokens === null ? {} : { prompt_tokens: tokens }),
  });
  expect(reply.status).toBe(200);
}

async function isRequired({ operator }: TestWorkspace): Promise<boolean> {
  return (await operator.get('/v1/workspace/')).body.require_holds;
}

function requireHolds(page: Page): Locator {
  return page.getByRole('switch', { name: 'Require holds' });
}

/** The value of the first fact with this exact name. */
async function factOf(place: Page | Locator, name: string): Promise<string | null> {
  const term = place.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) });
  return term.locator('xpath=following-sibling::dd').first().textContent();
}
