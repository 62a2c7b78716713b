/** The overview: its range, the budget and the forecast of today, and denials that lead to their runs. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { APPEARANCES, expectAccessible } from './support/appearances.ts';
import { startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const MODEL = 'gpt-4o';
const USD_PER_TOKEN = 0.001;

const bed = startTestBed();

describe('the range', () => {
  test('is in the URL, for links, reloads and the back button', async () => {
    const workspace = await newWorkspace(bed);
    await spend(workspace, 1);
    const { page, problems } = await workspace.open('/');
    await page.getByText('$1.00 in the last 30 days (UTC), by model').waitFor();
    expect(await currentRange(page)).toEqual(['30 days']);
    expect(await daysOfTable(page)).toBe(30);

    await page.getByRole('link', { name: '7 days' }).click();
    await page.getByText('$1.00 in the last 7 days (UTC), by model').waitFor();
    expect(new URL(page.url()).search).toBe('?days=7');
    expect(await currentRange(page)).toEqual(['7 days']);
    expect(await daysOfTable(page)).toBe(7);

    await page.getByRole('link', { name: '90 days' }).click();
    await page.getByText('$1.00 in the last 90 days (UTC), by model').waitFor();
    await page.reload();
    await page.getByText('$1.00 in the last 90 days (UTC), by model').waitFor();
    expect(await daysOfTable(page)).toBe(90);
    await page.goBack();
    await page.getByText('$1.00 in the last 7 days (UTC), by model').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('that is not offered is the default', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open('/?days=1000000');
    await page.getByText('Nothing denied in the last 30 days').waitFor();
    expect(await currentRange(page)).toEqual(['30 days']);
    await page.context().close();
  });
});

describe('the spend chart', () => {
  test('shows the figures of a day with the pointer and with the keyboard', async () => {
    const workspace = await newWorkspace(bed);
    await spend(workspace, 1.25);
    await spend(workspace, 0.5, 'other-model');
    const { page, problems } = await workspace.open('/?days=7');
    const plot = page.getByRole('slider', { name: 'Day of the chart' });
    await plot.waitFor();
    expect(await tooltip(page).count()).toBe(0);

    const box = await plot.boundingBox();
    if (box === null) throw new Error('The chart is not visible');
    await page.mouse.move(box.x + box.width - 4, box.y + 20);
    expect(await tooltip(page).innerText()).toMatch(
      /\(UTC\)\s+gpt-4o\s+\$1\.25\s+other-model\s+\$0\.50\s+Total\s+\$1\.75/,
    );
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    expect(await tooltip(page).innerText()).toMatch(/\(UTC\)\s+Total\s+\$0/);
    await page.mouse.move(0, 0);
    expect(await tooltip(page).count()).toBe(0);

    await plot.focus();
    expect(await tooltip(page).innerText()).toContain('$1.75');
    expect(await plot.getAttribute('aria-valuetext')).toMatch(
      /^\d+ \w+: \$1\.75, gpt-4o \$1\.25, other-model \$0\.50$/,
    );
    await plot.press('ArrowLeft');
    expect(await tooltip(page).innerText()).toMatch(/Total\s+\$0$/);
    expect(await plot.getAttribute('aria-valuenow')).toBe('6');
    await plot.press('Home');
    expect(await plot.getAttribute('aria-valuenow')).toBe('1');
    await plot.press('End');
    expect(await plot.getAttribute('aria-valuenow')).toBe('7');
    await plot.press('Escape');
    expect(await tooltip(page).count()).toBe(0);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('has a line for the budget, unless it is far above the bars', async () => {
    const workspace = await newWorkspace(bed);
    await spend(workspace, 1);
    await setBudget(workspace, 2);
    const { page } = await workspace.open('/');
    const panel = page.getByRole('region', { name: 'Spend per day' });
    await panel.getByText('Daily budget $2.00', { exact: true }).waitFor();
    const label = panel.getByText('Budget $2.00', { exact: true });
    const today = await panel.locator('svg rect').last().boundingBox();
    const line = await label.boundingBox();
    if (today === null || line === null) throw new Error('The chart is not visible');
    expect(line.y + line.height).toBeLessThan(today.y);

    await setBudget(workspace, 1_000);
    await page.reload();
    await panel.getByText('Daily budget $1,000.00 (above the chart)').waitFor();
    expect(await panel.getByText('Budget $1,000.00', { exact: true }).count()).toBe(0);
    await page.context().close();
  });
});

describe('the forecast of today', () => {
  test('says when the budget is reached at this pace', async () => {
    const workspace = await newWorkspace(bed);
    for (const usd of [1, 2, 3]) await spend(workspace, usd);
    await setBudget(workspace, 10);
    expect(await spendTile(workspace, '12:00')).toContain('Reaches $10.00 at 20:00 UTC at this pace');
    expect(await spendTile(workspace, '18:00')).toContain('$8.00 by 00:00 UTC at this pace');
    expect(await spendTile(workspace, '00:30')).toContain('Too early in the day for a forecast');
    await setBudget(workspace, 6);
    expect(await spendTile(workspace, '00:30')).toContain('Reached: runs and steps are denied');
  });

  test('admits that it has too little data, and needs a budget', async () => {
    const workspace = await newWorkspace(bed);
    await spend(workspace, 6);
    expect(await spendTile(workspace, '12:00')).not.toMatch(/pace|forecast/);
    await setBudget(workspace, 10);
    expect(await spendTile(workspace, '12:00')).toContain('Too few runs today for a forecast');
  });

  /** The text of the tile at a time of this day. */
  async function spendTile(workspace: TestWorkspace, time: string): Promise<string> {
    const { page } = await workspace.open('/');
    await page.clock.setFixedTime(new Date(`${today()}T${time}:00Z`));
    await page.reload();
    const tile = page.getByRole('region', { name: 'Spend today' });
    await tile.getByText(/Resets|No budget/).waitFor();
    const text = await tile.innerText();
    await page.context().close();
    return text;
  }
});

describe('denials', () => {
  test('are bars per day and reason, each a link to its runs', async () => {
    const workspace = await newWorkspace(bed);
    await deny(workspace);
    const { page, problems } = await workspace.open('/?days=7');
    const panel = page.getByRole('region', { name: 'Denials per day' });
    const kill = panel.getByRole('link', { name: /^\d+ \w+: 2 denied, Kill switch is on$/ });
    const blocked = panel.getByRole('link', { name: /^\d+ \w+: 1 denied, User is blocked$/ });
    const day = today();
    expect(await kill.getAttribute('href')).toBe(
      `/runs?deny_reason=KILL_SWITCH_ACTIVE&from=${day}&to=${day}`,
    );
    const reason = panel.getByRole('link', { name: 'Kill switch is on', exact: true });
    const firstDay = new Date(Date.parse(day) - 6 * 86_400_000).toISOString().slice(0, 10);
    expect(await reason.getAttribute('href')).toBe(
      `/runs?deny_reason=KILL_SWITCH_ACTIVE&from=${firstDay}&to=${day}`,
    );

    await kill.hover();
    expect(await tooltip(page).innerText()).toMatch(
      /\(UTC\)\s+Kill switch is on\s+2\s+All denials of the day\s+3/,
    );
    await page.mouse.move(0, 0);
    expect(await tooltip(page).count()).toBe(0);
    await blocked.focus();
    expect(await tooltip(page).innerText()).toMatch(
      /\(UTC\)\s+User is blocked\s+1\s+All denials of the day\s+3/,
    );
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(`/runs?deny_reason=USER_BLOCKED&from=${day}&to=${day}`);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('of several days share a tab stop that the arrow keys move', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open('/');
    // A new workspace has no history: the days before are added to the response.
    await page.route('**/v1/usage/daily?*', async (route) => {
      const response = await route.fetch();
      const days = await response.json();
      for (const [index, count] of [3, 5, 8].entries()) {
        days[days.length - 1 - 2 * index].denials = [{ reason: 'LOOP_DETECTED', count }];
      }
      await route.fulfill({ response, json: days });
    });
    await page.reload();
    const bars = page.getByRole('link', { name: /denied, Loop detected$/ });
    await bars.first().waitFor();
    expect(await bars.evaluateAll((links) => links.map((link) => link.getAttribute('tabindex')))).toEqual([
      '-1',
      '-1',
      '0',
    ]);
    await page.getByRole('link', { name: 'Loop detected', exact: true }).focus();
    await page.keyboard.press('Tab');
    expect(await focusedName(page)).toMatch(/: 3 denied/);
    await page.keyboard.press('ArrowLeft');
    expect(await focusedName(page)).toMatch(/: 5 denied/);
    await page.keyboard.press('Home');
    expect(await focusedName(page)).toMatch(/: 8 denied/);
    await page.keyboard.press('ArrowLeft');
    expect(await focusedName(page)).toMatch(/: 8 denied/);
    await page.keyboard.press('Escape');
    expect(await tooltip(page).count()).toBe(0);
    await page.context().close();
  });
});

test.each(APPEARANCES)('is accessible in $colorScheme at $width pixels', async ({ colorScheme, width }) => {
  const workspace = await newWorkspace(bed);
  await spend(workspace, 2);
  await setBudget(workspace, 3);
  await deny(workspace);
  const { page, problems } = await workspace.open('/?days=90', {
    colorScheme,
    viewport: { width, height: 860 },
  });
  await page.getByRole('slider', { name: 'Day of the chart' }).focus();
  await tooltip(page).waitFor();
  await expectAccessible(page, 'the spend chart');
  await page.getByRole('link', { name: /denied, Kill switch is on$/ }).focus();
  await page.getByText('All denials of the day').waitFor();
  await expectAccessible(page, 'the denials');
  expect(problems).toEqual([]);
  await page.context().close();
});

function tooltip(page: Page) {
  return page.getByRole('tooltip', { includeHidden: true });
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

async function currentRange(page: Page): Promise<string[]> {
  return page.getByRole('navigation', { name: 'Period' }).locator('[aria-current]').allInnerTexts();
}

async function daysOfTable(page: Page): Promise<number> {
  return page.getByRole('table', { name: 'Spend per day' }).locator('tbody tr').count();
}

async function focusedName(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
}

async function setBudget({ operator }: TestWorkspace, usd: number): Promise<void> {
  const { status } = await operator.send('PATCH', '/v1/workspace/', { daily_budget_usd: usd });
  expect(status).toBe(200);
}

/** A run with a model call that costs as much. */
async function spend(workspace: TestWorkspace, usd: number, model = MODEL): Promise<void> {
  await workspace.operator.send('PUT', `/v1/model-pricing/${model}`, {
    input_cost_per_token: USD_PER_TOKEN,
    output_cost_per_token: USD_PER_TOKEN,
  });
  const { agent } = workspace;
  const runId = await startRun(workspace);
  const step = await agent.post(`/v1/runs/${runId}/steps`, { type: 'MODEL_CALL', sequence: 1, model });
  const { status } = await agent.send('PATCH', `/v1/runs/${runId}/steps/${step.body.id}`, {
    status: 'COMPLETED',
    prompt_tokens: Math.round(usd / USD_PER_TOKEN),
    completion_tokens: 0,
  });
  expect(status).toBe(200);
}

/** Two runs by the kill switch, and one by a block. */
async function deny({ operator, agent }: TestWorkspace): Promise<void> {
  await operator.post('/v1/workspace/kill-switch', { active: true });
  await agent.post('/v1/runs/', { user_id: 'ada' });
  await agent.post('/v1/runs/', { user_id: 'ada' });
  await operator.post('/v1/workspace/kill-switch', { active: false });
  await operator.post('/v1/users/block', { user_id: 'eve' });
  await agent.post('/v1/runs/', { user_id: 'eve' });
}
