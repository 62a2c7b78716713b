/** A number is saved as it was meant or not at all, and the page says what will be saved before it is. */

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
    ['0,02', 'Decimals are written with a point and without commas'],
    ['1,250', 'Decimals are written with a point and without commas'],
    ['1 250', 'A plain number such as 25 or 0.50'],
    ['1e3', 'A plain number such as 25 or 0.50'],
    ['-1', 'A plain number such as 25 or 0.50'],
    ['0.0000000000001', 'At most 12 decimal places'],
    ['1234567.123456789012', 'More digits than can be kept exactly'],
    ['9999999', 'At most 9223372'],
  ])('of %s is refused with a reason and cannot be saved, typed or pasted', async (text, reason) => {
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

  test('of 0.02 is shown as what will be saved, and saved as that', async () => {
    await field().fill('0.02');
    await page.getByText('Saves $0.02 per day').waitFor();
    await save().click();
    await page.getByText('Saved. It counts from the next decision on.').waitFor();
    expect((await workspace.operator.get('/v1/workspace/')).body.daily_budget_usd).toBe(0.02);
  });

  test('that is emptied is shown as a removed limit', async () => {
    await field().fill('');
    await page.getByText('Removes the limit').waitFor();
    await save().click();
    await page.getByText('Saved. It counts from the next decision on.').waitFor();
    expect((await workspace.operator.get('/v1/workspace/')).body.daily_budget_usd).toBeNull();
  });

  test('per user says so', async () => {
    await page.getByRole('textbox', { name: 'Each user, per day' }).fill('1250.5');
    await page.getByText('Saves $1,250.50 per user and day').waitFor();
  });
});

describe('a number of runs', () => {
  test.each(['1.000', '1,000', '0', '1e2', '2147483648'])('of %s is refused', async (text) => {
    await page.getByRole('textbox', { name: 'At most' }).fill(text);
    await page.getByText('A whole number from 1 to 2147483647').waitFor();
    expect(await page.getByRole('button', { name: 'Save: At most' }).isDisabled()).toBe(true);
  });

  test('is shown as what will be saved', async () => {
    await page.getByRole('textbox', { name: 'At most' }).fill('1000');
    await page.getByText('Saves 1,000 runs at the same time').waitFor();
  });
});

describe('a price', () => {
  test('of 2,50 is refused; 2.50 is shown per million and per token, and saved as that', async () => {
    await page.goto('/prices');
    await page.getByRole('button', { name: 'Add a price' }).click();
    await page.getByLabel('Model').fill('gpt-4o');
    await page.getByLabel('Input per 1M tokens').fill('2,50');
    await page.getByLabel('Output per 1M tokens').fill('10');
    await page.getByText('Decimals are written with a point and without commas').waitFor();
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

test.each(['light', 'dark'] as const)('a refusal can be read on a %s page', async (colorScheme) => {
  const { page: other } = await workspace.open('/guardrails', { colorScheme });
  await other.getByRole('textbox', { name: 'Workspace, per day' }).fill('0,02');
  await other.getByText('Decimals are written with a point').waitFor();
  expect(await severeViolations(other)).toEqual([]);
  await other.context().close();
});
