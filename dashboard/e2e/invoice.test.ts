/** Cost as on the invoice: prices of the cache, list prices by name, tokens in parts, and models without a price. */

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { severeViolations } from './support/accessibility.ts';
import { launchBrowser } from './support/browser.ts';
import { type Service, startService } from './support/service.ts';
import { settled } from './support/settled.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const PRICE = {
  input_cost_per_token: 0.000003,
  output_cost_per_token: 0.000015,
  cache_read_cost_per_token: 0.0000003,
  cache_write_cost_per_token: 0.00000375,
};
const GPT_4O = {
  input_cost_per_token: 0.0000025,
  output_cost_per_token: 0.00001,
  cache_read_cost_per_token: 0.00000125,
  cache_write_cost_per_token: null,
};

let service: Service;
let browser: Browser;

beforeAll(async () => {
  service = await startService();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

describe('a price', () => {
  test('has optional prices of the cache, entered as strictly as the others', async () => {
    const workspace = await newWorkspace({ browser, service });
    const { page, problems } = await workspace.open('/prices');
    await page.getByRole('button', { name: 'Add a price' }).click();
    await page.getByLabel('Model').fill('house-model');
    await page.getByLabel('Input per 1M tokens').fill('3');
    await page.getByLabel('Output per 1M tokens').fill('15');
    const save = page.getByRole('button', { name: 'Save price' });
    expect(await save.isEnabled()).toBe(true);
    await page.getByLabel('Cache read per 1M tokens').fill('0,30');
    expect(await save.isEnabled()).toBe(false);
    await page.getByText('Use a decimal point and no commas').waitFor();
    await page.getByLabel('Cache read per 1M tokens').fill('0.30');
    await page.getByText('Saves $0.30 per million tokens = $0.0000003 per token').waitFor();
    await save.click();
    expect(await cellsOf(page, 'house-model')).toEqual(['$3.00', '$0.30', 'as input', '$15.00']);
    expect(await priceOf(workspace, 'house-model')).toMatchObject({
      ...PRICE,
      cache_write_cost_per_token: null,
    });

    await page.getByRole('button', { name: 'Edit house-model' }).click();
    expect(await page.getByLabel('Cache read per 1M tokens').inputValue()).toBe('0.3');
    await page.getByLabel('Cache read per 1M tokens').fill('');
    await page.getByLabel('Cache write per 1M tokens').fill('3.75');
    await save.click();
    await page.getByRole('cell', { name: '$3.75' }).waitFor();
    expect(await cellsOf(page, 'house-model')).toEqual(['$3.00', 'as input', '$3.75', '$15.00']);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('that differs from the list says so, and changes only when it is saved', async () => {
    const workspace = await newWorkspace({ browser, service });
    const own = { ...GPT_4O, cache_read_cost_per_token: null };
    await workspace.operator.send('PUT', '/v1/model-pricing/gpt-4o', own);
    await workspace.operator.send('PUT', '/v1/model-pricing/openai/gpt-4o-2024-08-06', GPT_4O);
    const { page } = await workspace.open('/prices');
    const mark = page.getByText(/^Differs from the list price of OpenAI/);
    await mark.waitFor();
    expect(await mark.count()).toBe(1);
    expect(await mark.textContent()).toContain('$2.50 input, $1.25 cache read, $10.00 output');
    const review = page.getByRole('button', { name: 'Review list price of gpt-4o' });
    await review.click();
    expect(await page.getByLabel('Cache read per 1M tokens').inputValue()).toBe('1.25');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await priceOf(workspace, 'gpt-4o')).toMatchObject(own);

    await review.click();
    await page.getByRole('button', { name: 'Save price' }).click();
    await mark.waitFor({ state: 'detached' });
    expect(await priceOf(workspace, 'gpt-4o')).toMatchObject(GPT_4O);
    await page.context().close();
  });
});

describe('the catalogue', () => {
  test('finds the model of a dated name and adds its price under that name, with the cache', async () => {
    const workspace = await newWorkspace({ browser, service });
    const { page } = await workspace.open('/prices?catalogue=gpt-4o-2024-08-06');
    await page.getByText('The list price of gpt-4o-2024-08-06, added under this name').waitFor();
    await page.getByRole('button', { name: 'Add gpt-4o-2024-08-06 from OpenAI' }).click();
    await page.getByText('Has a price', { exact: true }).waitFor();
    expect(await priceOf(workspace, 'gpt-4o-2024-08-06')).toMatchObject(GPT_4O);
    expect(await priceOf(workspace, 'gpt-4o')).toBeUndefined();
    await page.context().close();
  });

  test('does not list stubs of fine-tuning', async () => {
    const workspace = await newWorkspace({ browser, service });
    const { page } = await workspace.open('/prices?catalogue=ft%3Agpt');
    await page.getByText('Nothing found').waitFor();
    await page.context().close();
  });
});

describe('models in use without a price', () => {
  test('are added at once, those that the catalogue knows, under the names of the steps', async () => {
    const workspace = await newWorkspace({ browser, service });
    for (const model of ['gpt-4o-2024-08-06', 'anthropic/claude-sonnet-4-5-20250929', 'house-model']) {
      await reportedCall(workspace, { model, prompt_tokens: 10 });
    }
    const { page, problems } = await workspace.open('/prices');
    await page.getByRole('button', { name: 'Add 2 list prices' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add 2 list prices?' });
    const rows = dialog.getByRole('row');
    expect(await rows.count()).toBe(3);
    expect(await rows.filter({ hasText: 'claude-sonnet-4-5-20250929' }).textContent()).toMatch(
      /Anthropic: claude-sonnet-4-5.*\$3\.00\$0\.30\$3\.75\$15\.00$/,
    );
    // Set by someone else while the dialog is open: it is not replaced.
    const other = { ...GPT_4O, input_cost_per_token: 0.000001 };
    await workspace.operator.send('PUT', '/v1/model-pricing/gpt-4o-2024-08-06', other);
    expect(await dialog.getByRole('button', { name: 'Cancel' }).evaluate(isFocused)).toBe(true);
    await dialog.getByRole('button', { name: 'Add 2 prices' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await priceOf(workspace, 'gpt-4o-2024-08-06')).toMatchObject(other);
    expect(await priceOf(workspace, 'anthropic/claude-sonnet-4-5-20250929')).toMatchObject(PRICE);
    expect(await priceOf(workspace, 'house-model')).toBeUndefined();
    await page.getByRole('button', { name: 'Set a price: house-model' }).waitFor();
    expect(await page.getByRole('button', { name: /list price/ }).allTextContents()).toEqual([
      'Review list price',
    ]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('are denied by a setting, and the denial says why', async () => {
    const workspace = await newWorkspace({ browser, service });
    const { page, problems } = await workspace.open('/guardrails');
    const deny = page.getByRole('switch', { name: 'Deny models without a price' });
    expect(await deny.isChecked()).toBe(false);
    await deny.press('Space');
    await page.getByText('Saved: models without a price are denied.').waitFor();
    expect((await workspace.operator.get('/v1/workspace/')).body).toMatchObject({
      deny_unpriced_models: true,
      require_holds: false,
    });
    const runId = await start(workspace);
    await workspace.agent.post(`/v1/runs/${runId}/steps`, {
      type: 'MODEL_CALL',
      sequence: 1,
      model: 'house-model',
    });
    await page.goto(`/runs/${runId}`);
    await page.getByRole('button', { name: 'Explain' }).click();
    const explanation = page.getByRole('dialog');
    await explanation.getByText('Denied: model has no price').waitFor();
    const rule = explanation.getByRole('row').filter({ hasText: 'Price of the model' });
    expect(await rule.getByRole('cell').allTextContents()).toEqual([
      'Price of the model',
      'Deny',
      'Missing',
      '–',
      '–',
    ]);
    await explanation.getByRole('link', { name: 'Models without a price' }).click();
    await page.waitForURL('**/guardrails#unpriced-models');
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('a run', () => {
  let workspace: TestWorkspace;
  let runId: string;

  beforeAll(async () => {
    workspace = await newWorkspace({ browser, service });
    await workspace.operator.send('PUT', '/v1/model-pricing/claude', PRICE);
    runId = await start(workspace);
    await call(workspace, runId, {
      model: 'claude',
      prompt_tokens: 100_000,
      cache_read_tokens: 44_000,
      cache_write_tokens: 8_000,
      completion_tokens: 2_000,
      reasoning_tokens: 500,
      output_data: { answer: 'Lisbon' },
    });
    await call(workspace, runId, { model: 'claude', prompt_tokens: 1_000, completion_tokens: 100 });
    await call(workspace, runId, {
      tool_name: 'search',
      cost_usd: 0.01,
      status: 'FAILED',
      error: 'The search answered with 503 <b>',
    });
    await workspace.agent.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' });
  });

  test('shows its tokens in parts with what each cost', async () => {
    const { page, problems } = await workspace.open(`/runs/${runId}`);
    const table = page.getByRole('region', { name: 'Tokens of the run and their cost' });
    expect(await textsOf(table)).toEqual([
      ['Input', '49,000', '$0.15'],
      ['Read from the cache', '44,000', '$0.013'],
      ['Written to the cache', '8,000', '$0.03'],
      ['Output including 500 of reasoning', '2,100', '$0.032'],
      ['Stated by the report', '–', '$0.01'],
    ]);
    // Exact: 49,000 tokens at $3 per million.
    expect(await table.getByTitle('$0.147').count()).toBe(1);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('shows the parts, the error and the output of a step', async () => {
    const { page, problems } = await workspace.open(`/runs/${runId}?view=table`);
    await page.getByRole('button', { name: 'Model call' }).first().click();
    const step = page.getByRole('dialog');
    const table = step.getByRole('region', { name: 'Tokens of the step and their cost' });
    expect(await textsOf(table)).toEqual([
      ['Input', '48,000', '$0.14'],
      ['Read from the cache', '44,000', '$0.013'],
      ['Written to the cache', '8,000', '$0.03'],
      ['Output including 500 of reasoning', '2,000', '$0.03'],
    ]);
    await step.getByText('"answer": "Lisbon"').waitFor();
    await page.getByRole('button', { name: 'Close step' }).click();
    await page.getByRole('button', { name: 'Tool call' }).click();
    await step.getByText('The search answered with 503 <b>').waitFor();
    await step.getByText('stated by the report').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('adds to the usage of its model what the cache saved', async () => {
    const { page, problems } = await workspace.open('/');
    const models = page.getByRole('region', { name: 'Usage by model' });
    // 44,000 of 101,000 tokens; 44,000 × $2.70 − 8,000 × $0.75 per million.
    expect(await textsOf(models)).toEqual([['claude', '101K', '44 %', '2,100', '$0.11', '$0.22']]);
    expect(await models.getByTitle('$0.1128').count()).toBe(1);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  accessibleIn('the overview, the run and its steps', async (page, check) => {
    await page.goto('/');
    await page.getByRole('region', { name: 'Usage by model' }).waitFor();
    await check('overview');
    await page.goto(`/runs/${runId}`);
    await page.getByRole('region', { name: 'Tokens of the run and their cost' }).waitFor();
    await check('run');
    await page.goto(`/runs/${runId}?view=table`);
    await page.getByRole('button', { name: 'Model call' }).first().click();
    await page.getByRole('region', { name: 'Tokens of the step and their cost' }).waitFor();
    await check('step');
    await page.getByRole('button', { name: 'Close step' }).click();
    await page.getByRole('button', { name: 'Tool call' }).click();
    await check('failed step');
  });

  accessibleIn('the settings and the prices', async (page, check) => {
    await workspace.operator.send('PUT', '/v1/model-pricing/gpt-4o', PRICE);
    await reportedCall(workspace, { model: 'gpt-4o-mini-2024-07-18', prompt_tokens: 10 });
    await page.goto('/guardrails');
    await page.getByRole('switch', { name: 'Deny models without a price' }).scrollIntoViewIfNeeded();
    await check('guardrails');
    await page.goto('/prices');
    await page.getByText(/^Differs from the list price/).waitFor();
    await check('prices');
    await page.getByRole('button', { name: 'Add 1 list price' }).click();
    await page.getByRole('dialog').waitFor();
    await check('list prices');
    await page.goto('/prices?catalogue=gpt-4o-2024-08-06');
    await page.getByText('added under this name').waitFor();
    await check('catalogue');
    await page.goto('/prices');
    await page.getByRole('button', { name: 'Add a price' }).click();
    await page.getByLabel('Cache read per 1M tokens').fill('1,5');
    await check('price');
  });

  function accessibleIn(
    what: string,
    visit: (page: Page, check: (place: string) => Promise<void>) => Promise<void>,
  ): void {
    test.each([
      { colorScheme: 'light', width: 1280 },
      { colorScheme: 'dark', width: 1280 },
      { colorScheme: 'light', width: 390 },
      { colorScheme: 'dark', width: 390 },
    ] as const)(`${what}: accessible in $colorScheme at $width pixels`, async ({ colorScheme, width }) => {
      const viewport = { width, height: 900 };
      const { page, problems } = await workspace.open('/settings', { colorScheme, viewport });
      await visit(page, async (place) => {
        await settled(page);
        // The end of the transition: the contrast is that of the final colours.
        await page.waitForTimeout(400);
        expect(await severeViolations(page), place).toEqual([]);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, `${place} scrolls horizontally`).toBe(0);
      });
      expect(problems).toEqual([]);
      await page.context().close();
    });
  }
});

async function start({ agent }: TestWorkspace): Promise<string> {
  return (await agent.post('/v1/runs/', { user_id: 'ada' })).body.id;
}

type Call = { readonly model?: string; readonly tool_name?: string; readonly status?: string } & Record<
  string,
  unknown
>;

/** Requests a step and reports it. */
async function call({ agent, operator }: TestWorkspace, runId: string, body: Call): Promise<void> {
  const { model, tool_name, ...report } = body;
  const { body: run } = await operator.get(`/v1/runs/${runId}`);
  const { body: step } = await agent.post(`/v1/runs/${runId}/steps`, {
    type: model === undefined ? 'TOOL_CALL' : 'MODEL_CALL',
    sequence: run.steps.length + 1,
    ...(model === undefined ? { tool_name } : { model }),
  });
  const reply = await agent.send('PATCH', `/v1/runs/${runId}/steps/${step.id}`, {
    status: 'COMPLETED',
    duration_ms: 1_200,
    ...report,
  });
  expect(reply.status).toBe(200);
}

async function reportedCall(workspace: TestWorkspace, body: Call): Promise<void> {
  const runId = await start(workspace);
  await call(workspace, runId, body);
  await workspace.agent.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' });
}

async function priceOf({ operator }: TestWorkspace, model: string): Promise<object | undefined> {
  const { body } = await operator.get('/v1/model-pricing/');
  return body.find((price: { model: string }) => price.model === model);
}

/** The cells of a price, without its name and actions. */
async function cellsOf(page: Page, model: string): Promise<string[]> {
  const row = page.getByRole('row').filter({ hasText: model });
  await row.waitFor();
  return (await row.getByRole('cell').allTextContents()).slice(1, -1);
}

async function textsOf(table: Locator): Promise<string[][]> {
  await table.waitFor();
  const rows = await table.locator('tbody').getByRole('row').all();
  return Promise.all(rows.map((row) => row.getByRole('cell').allTextContents()));
}

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}
