/** Names and IDs of hundreds of characters wrap, or are cut with a button that copies them: nothing is wider than the screen. */

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible } from './support/appearances.ts';
import { callModel, setPrice } from './support/model-call.ts';
import { startRun } from './support/run.ts';
import { settled } from './support/settled.ts';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const PHONE = 390;
const LENGTH = 255;
const longest = (start: string) => start.padEnd(LENGTH, 'x');
const USER = longest('user-');
const MODEL = longest('model-');
const UNPRICED = longest('unpriced-');
const TOOL = longest('tool_');
const LABEL = longest('label-');

const bed = startTestBed();
let workspace: TestWorkspace;
let runId: string;
let stepId: string;

beforeAll(async () => {
  workspace = await newWorkspace(bed);
  const { operator, agent } = workspace;
  await setPrice(workspace, MODEL);
  await operator.send('PATCH', '/v1/workspace/', {
    name: longest('workspace-'),
    user_daily_budget_usd: 1,
    run_limits: { max_steps: 3 },
  });
  await operator.post('/v1/api-keys/', { label: LABEL, scope: 'agent', user_id: USER });
  runId = await startRun(workspace, { user_id: USER, metadata: { [longest('key-')]: longest('value-') } });
  stepId = await callModel(workspace, runId, { sequence: 1, model: MODEL, promptTokens: 1_000 });
  await callModel(workspace, runId, { sequence: 2, model: UNPRICED, promptTokens: 1_000 });
  for (const sequence of [3, 4]) {
    await agent.post(`/v1/runs/${runId}/steps`, { type: 'TOOL_CALL', sequence, tool_name: TOOL });
  }
  await operator.post('/v1/users/block', { user_id: USER });
});

describe.each([PHONE, 1280])('at %d pixels', (width) => {
  test.each([
    ['the overview', () => '/'],
    ['the runs', () => '/runs'],
    ['the runs of a user', () => `/runs?user=${USER}`],
    ['a run', () => `/runs/${runId}`],
    ['a run as a table', () => `/runs/${runId}?view=table`],
    ['a step', () => `/runs/${runId}?step=${stepId}`],
    ['the users', () => '/users'],
    ['a user', () => `/users/view?user=${USER}`],
    ['the models', () => '/models'],
    ['a model', () => `/models/view?model=${MODEL}`],
    ['a model without a price', () => `/models/view?model=${UNPRICED}`],
    ['the guardrails', () => '/guardrails'],
    ['the prices', () => '/prices'],
    ['the activity', () => '/activity'],
    ['the settings', () => '/settings'],
  ])('%s', async (place, path) => {
    const { page, problems } = await workspace.open(path(), { viewport: { width, height: 860 } });
    if (path().includes('step=')) await page.getByRole('dialog').waitFor();
    await settled(page);
    expect(await tooWide(page), place).toEqual([]);
    if (width === PHONE) await expectAccessible(page, place);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('dialogs', async () => {
    const { page } = await workspace.open('/users', { viewport: { width, height: 860 } });
    for (const [path, button] of [
      ['/users', `Unblock ${USER}`],
      ['/prices', `Edit ${MODEL}`],
      ['/prices', `Deactivate ${MODEL}`],
      ['/settings', new RegExp(`^Revoke ${LABEL}`)],
      [`/runs/${runId}`, 'Stop run'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('button', { name: button }).locator('visible=true').first().click();
      await page.getByRole('dialog').waitFor();
      expect(await tooWide(page), path).toEqual([]);
    }
    await page.context().close();
  });
});

test('a name that is cut is copied as a whole', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page } = await workspace.open('/runs', { permissions });
  const copied = async (label: string) => {
    await page
      .getByRole('button', { name: `Copy: ${label}` })
      .first()
      .click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied('user ID')).toBe(USER);
  await page.goto('/users');
  expect(await copied('user ID')).toBe(USER);
  await page.goto(`/runs/${runId}?step=${stepId}`);
  expect(await copied('name of the model')).toBe(MODEL);
  await page.goto('/prices');
  expect([MODEL, UNPRICED]).toContain(await copied('name of the model'));
  await page.goto('/settings');
  expect(await copied('label of the key')).toBe(LABEL);
  await page.context().close();
});

/** What is wider than the screen, or can only be read by scrolling to the side. Code scrolls, and what is cut is not seen. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const seenRight = (element: Element): number => {
      let { right } = element.getBoundingClientRect();
      for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
        if (getComputedStyle(outer).overflowX === 'visible') continue;
        right = Math.min(right, outer.getBoundingClientRect().right);
      }
      return right;
    };
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.closest('pre, section:has(> pre)') === null)
      .filter((element) => {
        const isScrolled = element.matches('section') && element.scrollWidth > element.clientWidth + 1;
        return isScrolled || seenRight(element) > window.innerWidth + 1;
      })
      .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 40)}`);
  });
}
