/** A change saved by someone else is not silently overwritten, and does not overwrite unsaved input. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const MODEL = 'gpt-4o';
const LONGER_THAN_A_REFRESH_MS = 11_000;

const bed = startTestBed();

describe('a price', () => {
  const price = (input: number, isActive = true) => ({
    input_cost_per_token: input,
    output_cost_per_token: 0.00001,
    is_active: isActive,
  });
  const withPrice = async ({ operator }: TestWorkspace) => {
    await operator.send('PUT', `/v1/model-pricing/${MODEL}`, price(0.000001));
  };

  test('changed by someone else is not silently overwritten', async () => {
    const { workspace, page } = await open('/prices', withPrice);
    await page.getByRole('button', { name: `Edit ${MODEL}` }).click();
    await page.getByLabel('Input per 1M tokens').fill('3');
    await workspace.operator.send('PUT', `/v1/model-pricing/${MODEL}`, price(0.000002));
    await confirmButton(page, 'Save price').click();
    await dialog(page).getByText('The price has changed: $2.00 input, $10.00 output').waitFor();
    expect(await inputPrice(workspace)).toBe(0.000002);
    expect(await page.getByLabel('Input per 1M tokens').inputValue()).toBe('3');
    await confirmButton(page, 'Save price').click();
    await dialog(page).waitFor({ state: 'hidden' });
    expect(await inputPrice(workspace)).toBe(0.000003);
    await page.context().close();
  });

  test('deactivated by someone else is not silently reactivated', async () => {
    const { workspace, page } = await open('/prices', withPrice);
    await page.getByRole('button', { name: `Edit ${MODEL}` }).click();
    await page.getByLabel('Input per 1M tokens').fill('3');
    await workspace.operator.send('PUT', `/v1/model-pricing/${MODEL}`, price(0.000001, false));
    await confirmButton(page, 'Save price').click();
    await dialog(page).getByText('The price has been deactivated').waitFor();
    expect((await workspace.operator.get('/v1/model-pricing/')).body).toEqual([]);
    await page.context().close();
  });

  test('added by someone else is not overwritten by a new one', async () => {
    const { workspace, page } = await open('/prices');
    await page.getByRole('button', { name: 'Add a price' }).click();
    await page.getByLabel('Model').fill(MODEL);
    await page.getByLabel('Input per 1M tokens').fill('3');
    await page.getByLabel('Output per 1M tokens').fill('4');
    await workspace.operator.send('PUT', `/v1/model-pricing/${MODEL}`, price(0.000002));
    await confirmButton(page, 'Save price').click();
    await dialog(page).getByText('This model already has a price').waitFor();
    expect(await inputPrice(workspace)).toBe(0.000002);
    await page.context().close();
  });

  test('added by someone else is not overwritten from the catalogue, and its row says so', async () => {
    const { workspace, page } = await open(`/prices?catalogue=${MODEL}`);
    const add = page.getByRole('button', { name: `Add ${MODEL} from OpenAI`, exact: true });
    await add.waitFor();
    await workspace.operator.send('PUT', `/v1/model-pricing/${MODEL}`, price(0.000002));
    await add.click();
    await add.waitFor({ state: 'hidden' });
    const row = dialog(page)
      .getByRole('row')
      .filter({ hasText: 'Has a price' })
      .filter({ has: page.getByRole('alert') });
    await row.getByText('This model already has a price. It was not changed.').waitFor();
    expect(await inputPrice(workspace)).toBe(0.000002);
    await page.context().close();
  });

  test('changed by someone else is not silently deactivated', async () => {
    const { workspace, page } = await open('/prices', withPrice);
    await page.getByRole('button', { name: `Deactivate ${MODEL}` }).click();
    await workspace.operator.send('PUT', `/v1/model-pricing/${MODEL}`, price(0.000002));
    await confirmButton(page, 'Deactivate').click();
    await dialog(page).getByText('The price has changed: $2.00 input').waitFor();
    expect(await inputPrice(workspace)).toBe(0.000002);
    await page.context().close();
  });
});

describe('a field', () => {
  test('keeps unsaved input when someone else saves another value, and says so', async () => {
    const { workspace, page } = await openWithClock('/guardrails');
    const field = page.getByRole('textbox', { name: 'Workspace, per day' });
    await field.fill('5');
    await workspace.operator.send('PATCH', '/v1/workspace/', { daily_budget_usd: 7 });
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await page.getByText('Someone else saved $7.00 per day').waitFor();
    expect(await field.inputValue()).toBe('5');
    await page.getByText('Saves $5.00 per day').waitFor();
    await page.context().close();
  });

  test('that has focus does not change before the first key press', async () => {
    const { workspace, page } = await openWithClock('/guardrails', async ({ operator }) => {
      await operator.send('PATCH', '/v1/workspace/', { daily_budget_usd: 2 });
    });
    const field = page.getByRole('textbox', { name: 'Workspace, per day' });
    await field.focus();
    await field.press('End');
    await workspace.operator.send('PATCH', '/v1/workspace/', { daily_budget_usd: 700 });
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await page.getByText('Someone else saved $700.00 per day').waitFor();
    await field.pressSequentially('5');
    expect(await field.inputValue()).toBe('25');
    await page.context().close();
  });
});

async function open(path: string, prepare: (workspace: TestWorkspace) => Promise<void> = async () => {}) {
  const workspace = await newWorkspace(bed);
  await prepare(workspace);
  const { page } = await workspace.open(path);
  return { workspace, page };
}

/** The test moves the clock of the page, instead of waiting for a refresh. */
async function openWithClock(path: string, prepare?: (workspace: TestWorkspace) => Promise<void>) {
  const { workspace, page } = await open('/settings', prepare);
  await page.clock.install();
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { workspace, page };
}

function dialog(page: Page) {
  return page.getByRole('dialog');
}

function confirmButton(page: Page, name: string) {
  return dialog(page).getByRole('button', { name, exact: true });
}

async function inputPrice({ operator }: TestWorkspace): Promise<number> {
  return (await operator.get('/v1/model-pricing/')).body[0].input_cost_per_token;
}
