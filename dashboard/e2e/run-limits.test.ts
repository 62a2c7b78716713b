/** Limits of one run: an operator sets them, a run reaches one, and its page says which. */

import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { testAppearances } from './support/appearances.ts';
import { cellsOf, meterOf, startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const NO_LIMITS = {
  max_cost_usd: null,
  max_steps: null,
  max_duration_seconds: null,
  max_repeats: null,
  repeat_exempt_tools: [],
};
const LIMITS = { max_cost_usd: 0.5, max_steps: 3, max_duration_seconds: 3600, max_repeats: 2 };
const FROM_NEXT_RUN = 'Saved. It applies to runs that start from now on.';

const bed = startTestBed();

describe('the run limits of a workspace', () => {
  test.each([
    { label: 'Cost of a run', field: 'max_cost_usd', text: '0.50', saves: 'Saves $0.50 per run', value: 0.5 },
    { label: 'Steps of a run', field: 'max_steps', text: '40', saves: 'Saves 40 steps per run', value: 40 },
    {
      label: 'Seconds that a run may last',
      field: 'max_duration_seconds',
      text: '5400',
      saves: 'Saves 1 hour 30 minutes per run',
      value: 5400,
    },
    {
      label: 'Equal steps',
      field: 'max_repeats',
      text: '3',
      saves: 'Saves 3 equal steps among the last 20 of a run',
      value: 3,
    },
  ])('$label is saved alone, kept over a reload, and removed again', async (limit) => {
    const { label, field, text, saves, value } = limit;
    const workspace = await newWorkspace(bed);
    const { page, problems } = await workspace.open('/guardrails');
    expect(await fieldOf(page, label).getAttribute('placeholder')).toBe('No limit');
    await fieldOf(page, label).fill(text);
    await page.getByText(saves, { exact: true }).waitFor();
    await saveOf(page, label).click();
    await page.getByText(FROM_NEXT_RUN).waitFor();
    expect(await savedLimits(workspace)).toEqual({ ...NO_LIMITS, [field]: value });

    await page.reload();
    await fieldOf(page, label).waitFor();
    expect(await fieldOf(page, label).inputValue()).toBe(String(value));
    await fieldOf(page, label).fill('');
    await page.getByText('Removes the limit').waitFor();
    await saveOf(page, label).click();
    await page.getByText(FROM_NEXT_RUN).waitFor();
    expect(await savedLimits(workspace)).toEqual(NO_LIMITS);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('are rejected outside of their bounds before anything is sent', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open('/guardrails');
    for (const [label, text, problem] of [
      ['Cost of a run', '9223373', 'Enter at most 9223372'],
      ['Steps of a run', '0', 'Enter a whole number from 1 to 2147483647'],
      ['Seconds that a run may last', '2147483648', 'Enter a whole number from 1 to 2147483647'],
      ['Equal steps', '21', 'Enter a whole number from 1 to 20'],
      ['Tools that may repeat', `${'x'.repeat(256)}`, 'A name has at most 255 characters'],
    ] as const) {
      await fieldOf(page, label).fill(text);
      await page.getByText(problem, { exact: true }).first().waitFor();
      expect(await saveOf(page, label).isDisabled(), label).toBe(true);
      await fieldOf(page, label).press('Enter');
      await fieldOf(page, label).fill('');
    }
    expect(await savedLimits(workspace)).toEqual(NO_LIMITS);
    await page.context().close();
  });

  test('are compared with the runs of the last days while they are typed', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace);
    for (const tool of ['search', 'fetch', 'send']) await step(workspace, runId, tool);
    const { page, problems } = await workspace.open('/guardrails');
    const days = 'In the last 7 days,';
    await fieldOf(page, 'Steps of a run').fill('2');
    await page.getByText(`${days} 1 of 1 run had more steps, which would have been denied.`).waitFor();
    await fieldOf(page, 'Steps of a run').fill('3');
    await page.getByText(`${days} none of 1 run had more steps, which would have been denied.`).waitFor();
    await fieldOf(page, 'Cost of a run').fill('0.50');
    await page
      .getByText(`${days} none of 1 run cost as much: the next step would have been denied.`)
      .waitFor();
    await fieldOf(page, 'Seconds that a run may last').fill('2147483647');
    await page
      .getByText(`${days} none of 1 run lasted as long: later steps would have been denied.`)
      .waitFor();
    await page.getByText('It cannot be compared with past runs').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('do not count the tools that may repeat', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open('/guardrails');
    const label = 'Tools that may repeat';
    await fieldOf(page, label).fill('poll,  "wait, then look", poll');
    await page.getByText('Saves 2 tools: poll, "wait, then look"').waitFor();
    await fieldOf(page, label).press('Enter');
    await page.getByText('Saved. It applies from the next decision, also to active runs.').waitFor();
    expect(await fieldOf(page, label).inputValue()).toBe('poll, "wait, then look"');
    expect(await savedLimits(workspace)).toEqual({
      ...NO_LIMITS,
      repeat_exempt_tools: ['poll', 'wait, then look'],
    });
    await page.context().close();
  });
});

describe('a run', () => {
  test('that reaches its step limit shows the meter and explains the denial', async () => {
    const workspace = await newWorkspace(bed);
    await workspace.operator.send('PATCH', '/v1/workspace/', { run_limits: LIMITS });
    const runId = await startRun(workspace);
    const { page, problems } = await workspace.open(`/runs/${runId}`);
    await limitsOf(page).getByText('0 of 3').waitFor();
    for (const tool of ['search', 'fetch', 'summarise', 'send']) await step(workspace, runId, tool);
    await page.getByText('Step 4 was denied: step limit of the run reached').waitFor();

    await limitsOf(page).getByText('3 of 3').waitFor();
    await limitsOf(page).getByText('$0 of $0.50').waitFor();
    await limitsOf(page)
      .getByText(/ of 1\sh/)
      .waitFor();
    await limitsOf(page).getByText('At most 2 of the last 20').waitFor();
    expect(await meterOf(limitsOf(page), 'Steps used')).toBe(100);
    expect(await meterOf(limitsOf(page), 'Cost used')).toBe(0);

    await page.getByRole('button', { name: 'Explain' }).click();
    const explanation = page.getByRole('dialog');
    await explanation.getByText('This run had 3 steps, without denied ones; it may have 3.').waitFor();
    expect(await cellsOf(explanation, 'Steps of the run')).toEqual([
      'Steps of the run',
      'Deny',
      '3',
      '3',
      '–',
    ]);
    expect(await cellsOf(explanation, 'Cost of the run')).toEqual([
      'Cost of the run',
      'Pass',
      '$0',
      '$0.50',
      '–',
    ]);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('that loops is told how many steps were equal', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace, { limits: { max_duration_seconds: 5400, max_repeats: 2 } });
    for (let repeat = 0; repeat < 3; repeat += 1) await step(workspace, runId, 'search');
    const { page } = await workspace.open(`/runs/${runId}`);
    await page.getByText('Step 3 was denied: loop detected').waitFor();
    await page.getByRole('button', { name: 'Explain' }).click();
    const explanation = page.getByRole('dialog');
    await explanation.getByText('This run had 2 equal steps among the last 20; it may have 2.').waitFor();
    const duration = await cellsOf(explanation, 'Duration of the run');
    expect(duration[2]).toMatch(/^\d+(\.\d)?\s(ms|s)$/);
    expect(duration[3]).toBe('1\u00a0h\u00a030\u00a0min');
    await page.context().close();
  });

  test('without limits has no section for them', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open(`/runs/${await startRun(workspace)}`);
    await page.getByText('Run ID').waitFor();
    expect(await limitsOf(page).count()).toBe(0);
    await page.context().close();
  });
});

describe('with limits that are set and reached', () => {
  let workspace: TestWorkspace;
  let runId: string;

  beforeAll(async () => {
    workspace = await newWorkspace(bed);
    await workspace.operator.send('PATCH', '/v1/workspace/', {
      run_limits: { ...LIMITS, repeat_exempt_tools: ['poll', 'wait'] },
    });
    runId = await startRun(workspace);
    for (const tool of ['search', 'fetch', 'summarise', 'send']) await step(workspace, runId, tool);
  });

  testAppearances('the pages', { workspace: () => workspace, path: '/guardrails' }, async (page, check) => {
    await fieldOf(page, 'Equal steps').waitFor();
    await check('/guardrails');
    await fieldOf(page, 'Equal steps').fill('21');
    await page.getByText('Enter a whole number from 1 to 20').waitFor();
    await check('a limit out of bounds');
    await page.goto(`/runs/${runId}`);
    await limitsOf(page).waitFor();
    await check('the run');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('dialog').getByText('This run had 3 steps').waitFor();
    await page.waitForTimeout(400);
    await check('the explanation');
  });
});

/** Requests a call of the tool with the same input each time. */
async function step({ agent, operator }: TestWorkspace, runId: string, tool: string): Promise<void> {
  const { body: run } = await operator.get(`/v1/runs/${runId}`);
  await agent.post(`/v1/runs/${runId}/steps`, {
    type: 'TOOL_CALL',
    sequence: run.steps.length + 1,
    tool_name: tool,
    input_data: { query: 'weather' },
  });
}

async function savedLimits({ operator }: TestWorkspace): Promise<unknown> {
  return (await operator.get('/v1/workspace/')).body.run_limits;
}

function fieldOf(page: Page, label: string): Locator {
  return page.getByRole('textbox', { name: label });
}

function saveOf(page: Page, label: string): Locator {
  return page.getByRole('button', { name: `Save: ${label}` });
}

function limitsOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Limits of this run' });
}
