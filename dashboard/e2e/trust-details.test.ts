/** Small things that make pages trustworthy: exact times, one form for resets, plural forms, the way back, and keys that are gone. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './support/appearances.ts';
import { callModel } from './support/model-call.ts';
import { startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const bed = startTestBed();

describe('the drawer of a step', () => {
  test('closes with Back, and closing it leaves no entry in the history', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await runWithSteps(workspace, 2);
    const { page, problems } = await workspace.open('/runs');
    await page.getByRole('link', { name: /^Run of ada/ }).click();
    const step = page.getByRole('button', { name: /Output/ });
    await step.first().click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page, 'the drawer');
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/runs/${runId}`);

    await step.last().click();
    await page.getByRole('dialog').getByText('2. Output').waitFor();
    await page.getByRole('button', { name: 'Close step' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await step.first().click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('that a link has opened closes on the page of its run', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await runWithSteps(workspace, 1);
    const { body: run } = await workspace.operator.get(`/v1/runs/${runId}`);
    const { page } = await workspace.open(`/runs/${runId}?view=table&step=${run.steps[0].id}`);
    await page.getByRole('button', { name: 'Close step' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?view=table');
    await page.context().close();
  });
});

test('a page of a list begins at its top', async () => {
  const workspace = await newWorkspace(bed);
  await workspace.operator.send('PATCH', '/v1/workspace/', { max_concurrent_runs: 100 });
  for (let run = 0; run < 30; run += 1) await startRun(workspace);
  const { page } = await workspace.open('/runs', { viewport: { width: 1280, height: 500 } });
  await page.getByRole('link', { name: 'Older' }).click();
  await page.getByText('26–30 of 30').waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Runs');
  await page.context().close();
});

test('times in details have seconds and the time zone, and resets have one form', async () => {
  const workspace = await newWorkspace(bed, 'basic');
  await workspace.operator.send('PATCH', '/v1/workspace/', { daily_budget_usd: 20 });
  const runId = await runWithSteps(workspace, 1);
  const { page } = await workspace.open(`/runs/${runId}`, { timezoneId: 'Asia/Kathmandu' });
  const exact = /^\d{1,2} \w{3,4}( \d{4})?, \d{2}:\d{2}:\d{2} GMT\+5:45$/;
  expect(await timeAfter(page, 'Started')).toMatch(exact);
  await page.getByRole('button', { name: /Output/ }).click();
  expect(await timeAfter(page, 'Requested')).toMatch(exact);
  const dialog = page.getByRole('dialog');
  const reset = /^\d{1,2} \w{3,4}( \d{4})?, 00:00 UTC/;
  const budget = dialog.getByRole('row').filter({ hasText: 'Workspace daily budget' });
  expect(await budget.getByRole('cell').last().textContent()).toMatch(reset);
  expect(await dialog.getByText(/^Decided/).innerText()).toContain('GMT+5:45');

  await page.goto('/');
  const form = /Resets \d{1,2} \w{3,4}( \d{4})?, 00:00 UTC, in /;
  await page.getByRole('region', { name: 'Spend today' }).getByText(form).waitFor();
  await page.getByRole('region', { name: 'Runs this month' }).getByText(form).waitFor();
  await page.goto('/guardrails');
  await page.getByText(/Budgets reset \d{1,2} \w{3,4}( \d{4})?, 00:00 UTC, in /).waitFor();
  await page.context().close();
});

test('one token and one run are singular', async () => {
  const workspace = await newWorkspace(bed, 'basic');
  const runId = await startRun(workspace);
  await callModel(workspace, runId, { sequence: 1, model: 'house-model', promptTokens: 1 });
  const { page } = await workspace.open(`/runs/${runId}`);
  await page.getByText('1 token without a price').first().waitFor();
  await page.goto('/');
  await page.getByText('1 token in the last 30 days has no price').waitFor();
  await page.goto('/prices');
  await page.getByText('house-model · 1 token').waitFor();
  await page.goto('/settings');
  await page.getByText('1 run this month of 1,000').waitFor();
  await page.context().close();
});

test('the number of a step has separators, and the axis of its timeline round durations', async () => {
  const workspace = await newWorkspace(bed);
  const runId = await startRun(workspace);
  const { body: step } = await workspace.agent.post(`/v1/runs/${runId}/steps`, {
    type: 'OUTPUT',
    sequence: 12_345,
  });
  await workspace.agent.send('PATCH', `/v1/runs/${runId}/steps/${step.id}`, {
    status: 'COMPLETED',
    duration_ms: 61_000,
  });
  await workspace.agent.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' });
  const { page } = await workspace.open(`/runs/${runId}`);
  await page.getByRole('button', { name: /Output/ }).waitFor();
  const labels = await page.locator('[class*="tick"]').allInnerTexts();
  expect(labels.map((label) => label.replaceAll('\u00a0', ' '))).toEqual([
    '0',
    '15 s',
    '30 s',
    '45 s',
    '1 min',
  ]);
  await page.getByRole('button', { name: /12,345/ }).click();
  await page.getByRole('dialog').getByText('12,345. Output').waitFor();
  await page.context().close();
});

test('the box of a new key goes when the key is revoked', async () => {
  const workspace = await newWorkspace(bed);
  const { page, problems } = await workspace.open('/settings');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Label').fill('short-lived');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const box = page.getByText('Copy this key now. It is not shown again.');
  await box.waitFor();
  await page.getByRole('button', { name: /^Revoke short-lived/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await box.waitFor({ state: 'detached' });
  await expectAccessible(page, '/settings');
  expect(problems).toEqual([]);
  await page.context().close();
});

// A month is thousands of durable commits.
test('the demo names the address of the service', { timeout: 240_000 }, async () => {
  expect(await bed.service.run('demo')).toContain(`Sign in at ${bed.service.url}\n`);
});

async function runWithSteps(workspace: TestWorkspace, steps: number): Promise<string> {
  const runId = await startRun(workspace);
  for (let sequence = 1; sequence <= steps; sequence += 1) {
    await workspace.agent.post(`/v1/runs/${runId}/steps`, { type: 'OUTPUT', sequence });
  }
  return runId;
}

/** The value of a fact whose name is given. */
async function timeAfter(page: Page, name: string): Promise<string> {
  const fact = page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd');
  return fact.innerText();
}
