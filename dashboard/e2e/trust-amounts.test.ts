/** What the pages say about amounts is true: comparisons do not contradict themselves, and an unknown cost is not zero. */

import { beforeAll, describe, expect, test } from 'vitest';
import { testAppearances } from './support/appearances.ts';
import { callModel, setPrice } from './support/model-call.ts';
import { cellsOf, startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const bed = startTestBed();

describe('a spend just below its limit', () => {
  let workspace: TestWorkspace;
  let runId: string;

  beforeAll(async () => {
    workspace = await newWorkspace(bed);
    await setPrice(workspace, 'gpt-4o');
    await workspace.operator.send('PATCH', '/v1/workspace/', {
      daily_budget_usd: 20,
      user_daily_budget_usd: 20,
      run_limits: { max_cost_usd: 20 },
    });
    runId = await startRun(workspace);
    await callModel(workspace, runId, { sequence: 1, model: 'gpt-4o', promptTokens: 19_996_000 });
    // Its decision has compared the spend of the first step.
    await workspace.agent.post(`/v1/runs/${runId}/steps`, { type: 'OUTPUT', sequence: 2 });
  });

  test('does not read as equal to it in a decision', async () => {
    const { page, problems } = await workspace.open(`/runs/${runId}`);
    await page.getByText('$19.996 of $20.00').waitFor();
    await page.getByRole('button', { name: /Output/ }).click();
    const decision = page.getByRole('dialog');
    await decision.getByText('Allowed: every rule passed').waitFor();
    for (const rule of ['Workspace daily budget', 'User daily budget', 'Cost of the run']) {
      expect((await cellsOf(decision, rule)).slice(1, 4), rule).toEqual(['Pass', '$19.996', '$20.00']);
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('does not read as equal to it in the overview, the guardrails and the users', async () => {
    const { page, problems } = await workspace.open('/');
    await page.getByRole('region', { name: 'Spend today' }).getByText('$19.996 of $20.00').waitFor();
    await page.goto('/guardrails');
    await page.getByText('$19.996 spent today of $20.00').waitFor();
    const meter = page.getByLabel('Workspace budget used today');
    expect(await meter.getAttribute('aria-valuetext')).toBe('>99 %');
    await page.goto('/users');
    await page.getByRole('cell', { name: '$19.996 of $20.00' }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  testAppearances('the pages', { workspace: () => workspace, path: `/users` }, async (page, check) => {
    await page.getByText('$19.996').waitFor();
    await check('/users');
    await page.goto(`/runs/${runId}`);
    await page.getByText('$19.996 of $20.00').waitFor();
    await check('the run');
  });
});

describe('tokens without a price', () => {
  let workspace: TestWorkspace;

  beforeAll(async () => {
    workspace = await newWorkspace(bed);
    await setPrice(workspace, 'gpt-4o');
    await workspace.operator.send('PATCH', '/v1/workspace/', { user_daily_budget_usd: 2 });
    const unpriced = await startRun(workspace, { user_id: 'grace' });
    await callModel(workspace, unpriced, { sequence: 1, model: 'house-model', promptTokens: 1_234 });
    const mixed = await startRun(workspace, { user_id: 'ada' });
    await callModel(workspace, mixed, { sequence: 1, model: 'gpt-4o', promptTokens: 500_000 });
    await callModel(workspace, mixed, { sequence: 2, model: 'house-model', promptTokens: 1 });
    await startRun(workspace, { user_id: 'bob' });
  });

  test('are named in the list of users, so that no user seems to have cost nothing', async () => {
    const { page, problems } = await workspace.open('/users');
    const spendOf = (user: string) =>
      page.getByRole('row').filter({ hasText: user }).getByRole('cell').nth(1).innerText();
    await page.getByRole('row').filter({ hasText: 'grace' }).waitFor();
    expect(flat(await spendOf('grace'))).toBe('no price of $2.00 + 1,234 tokens without a price');
    expect(flat(await spendOf('ada'))).toBe('$0.50 of $2.00 + 1 token without a price');
    expect(flat(await spendOf('bob'))).toBe('$0 of $2.00');
    await page.getByText('1,235 tokens used today have no price').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('are named above the list of runs, and a run without a cost does not seem to be free', async () => {
    const { page, problems } = await workspace.open('/runs');
    const costOf = (user: string) =>
      page.getByRole('row').filter({ hasText: user }).getByRole('cell').last().innerText();
    await page.getByText('1,235 tokens of the last 30 days have no price').waitFor();
    expect(await costOf('grace')).toBe('no price');
    expect(await costOf('ada')).toBe('$0.50');
    expect(await costOf('bob')).toBe('$0');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  testAppearances('the lists', { workspace: () => workspace, path: '/users' }, async (page, check) => {
    await page.getByText('1,235 tokens used today').waitFor();
    await check('/users');
    await page.goto('/runs');
    await page.getByText('1,235 tokens of the last 30 days').waitFor();
    await check('/runs');
  });
});

/** Without line breaks. */
function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
