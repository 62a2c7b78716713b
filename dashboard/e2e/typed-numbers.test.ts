/** Ambiguous numbers are rejected, and the page previews the value that it will save. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { severeViolations } from './support/accessibility.ts';
import { launchBrowser } from './support/browser.ts';
import { type Service, startService } from './support/service.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

let service: Service;
let browser: Browser;
let workspace: TestWorkspace;
let page: Page;

beforeAll(async () => {
  service = await startService();
  browser = await launchBrowser();
  workspace = await newWorkspace({ browser, service });
  ({ page } = await workspace.open('/guardrails', { permissions: ['clipboard-read', 'clipboard-write'] }));
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

describe('a budget', () => {
  const field = () => page.getByRole('textbox', { name: 'Workspace, per day' });
  const save = () => page.getByRole('button', { name: 'Save: Workspace, per day' });

  test.each([
    ['0,02', 'Use a decimal point and no commas'],
    ['1,250', 'Use a decimal point and no commas'],
    ['1 250', 'Enter a number such as 25 or 0.50'],
    ['1e3', 'Enter a number such as 25 or 0.50'],
    ['-1', 'Enter a number such as 25 or 0.50'],
    ['0.0000000000001', 'Use at most 12 decimal places'],
    ['1234567.123456789012', 'Too many digits to store exactly'],
    ['9999999', 'Enter at most 9223372'],
  ])('of %s, typed or pasted, is rejected with a reason and cannot be saved', async (text, reason) => {
    await field().fill('');
    await field().pressSequentially(text);
    await page.getByText(reason).waitFor();
    expect(await save().isDisabled()).toBe(true);
    await field().press('Enter');

    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await field().fill('');
    await field().press('Control+v');
    expect(await field().inputValue()).toBe(text);
    await page.getByText(reason).waitFor();
    expect(await save().isDisabled()).toBe(true);
    expect((await workspace.operator.get('/v1/workspace/')).body.daily_budget_usd).toBeNull();
  });

  test('of 0.02 is previewed and saved', async () => {
    await field().fill('0.02');
    await page.getByText('Saves $0.02 per day').waitFor();
    await save().click();
    await page.getByText('Saved. It applies from the next decision.').waitFor();
    expect((await workspace.operator.get('/v1/workspace/')).body.daily_budget_usd).toBe(0.02);
  });

  test('that is cleared is previewed as a removed limit', async () => {
    await field().fill('');
    await page.getByText('Removes the limit').waitFor();
    await save().click();
    await page.getByText('Saved. It applies from the next decision.').waitFor();
    expect((await workspace.operator.get('/v1/workspace/')).body.daily_budget_usd).toBeNull();
  });

  test('per user is previewed per user', async () => {
    await page.getByRole('textbox', { name: 'Each user, per day' }).fill('1250.5');
    await page.getByText('Saves $1,250.50 per user per day').waitFor();
  });
});

describe('a number of runs', () => {
  test.each(['1.000', '1,000', '0', '1e2', '2147483648'])('of %s is rejected', async (text) => {
    await page.getByRole('textbox', { name: 'At most' }).fill(text);
    await page.getByText('Enter a whole number from 1 to 2147483647').waitFor();
    expect(await page.getByRole('button', { name: 'Save: At most' }).isDisabled()).toBe(true);
  });

  test('is previewed', async () => {
    await page.getByRole('textbox', { name: 'At most' }).fill('1000');
    await page.getByText('Saves 1,000 concurrent runs').waitFor();
  });
});

describe('a price', () => {
  test('of 2,50 is rejected; 2.50 is previewed per million and per token, and saved', async () => {
    await page.goto('/prices');
    await page.getByRole('button', { name: 'Add a price' }).click();
    await page.getByLabel('Model').fill('gpt-4o');
    await page.getByLabel('Input per 1M tokens').fill('2,50');
    await page.getByLabel('Output per 1M tokens').fill('10');
    await page.getByText('Use a decimal point and no commas').waitFor();
    expect(await page.getByRole('button', { name: 'Save price' }).isDisabled()).toBe(true);
    await page.getByLabel('Input per 1M tokens').fill('2.50');
    await page.getByText('Saves $2.50 per million tokens = $0.0000025 per token').waitFor();
    await page.getByText('Saves $10.00 per million tokens = $0.00001 per token').waitFor();
    await page.getByRole('button', { name: 'Save price' }).click();
    await page.getByRole('button', { name: 'Edit gpt-4o' }).waitFor();
    expect((await workspace.operator.get('/v1/model-pricing/')).body).toMatchObject([
      { input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001 },
    ]);
  });
});

test.each(['light', 'dark'] as const)('a validation error is readable on a %s page', async (colorScheme) => {
  const { page: other } = await workspace.open('/guardrails', { colorScheme });
  await other.getByRole('textbox', { name: 'Workspace, per day' }).fill('0,02');
  await other.getByText('Use a decimal point').waitFor();
  expect(await severeViolations(other)).toEqual([]);
  await other.context().close();
});
