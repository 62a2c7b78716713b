/** Without its server the dashboard says so on every page, stops its clocks, and offers nothing that would fail. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { severeViolations } from './support/accessibility.ts';
import { launchBrowser } from './support/browser.ts';
import { type Service, startService } from './support/service.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const LOST = /^Connection lost\. Data from \d\d:\d\d:\d\d$/;
const LONGER_THAN_A_REFRESH_MS = 11_000;

let service: Service;
let browser: Browser;
let workspace: TestWorkspace;
let runId: string;

beforeAll(async () => {
  service = await startService();
  browser = await launchBrowser();
  workspace = await newWorkspace({ browser, service });
  const { body } = await workspace.agent.post('/v1/runs/', { user_id: 'ada' });
  runId = body.id;
  await workspace.operator.send('PUT', '/v1/model-pricing/gpt-4o', {
    input_cost_per_token: 0.001,
    output_cost_per_token: 0.001,
  });
});

afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  // A test that failed half-way leaves the next one its server.
  await service.resume();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

describe('a lost server', () => {
  test.each([
    { path: '/', blocked: [] },
    { path: '/runs', blocked: [] },
    { path: '/users', blocked: ['Block ada', 'Block a user'] },
    { path: '/guardrails', blocked: ['Stop everything'] },
    {
      path: '/prices',
      blocked: ['Add a price', 'Add from catalogue', 'Edit gpt-4o', 'Deactivate gpt-4o'],
    },
    {
      path: '/settings',
      blocked: ['Regenerate all', 'Create a key', /^Revoke/, 'Change to Pro', 'Save the name'],
    },
    { path: '/setup', blocked: ['Create an API key'] },
    { path: '/runs/:run', blocked: [] },
  ])('is noticed on $path, and what would fail is disabled, until it is back', async ({ path, blocked }) => {
    const page = await open(path.replace(':run', runId));
    await service.interrupt();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor();
    expect(await bar(page).textContent()).toMatch(LOST);
    for (const name of blocked) {
      expect(await page.getByRole('button', { name }).isDisabled(), String(name)).toBe(true);
    }
    expect(await page.getByRole('alert').count(), 'one bar, and no notice besides').toBe(0);
    expect(await severeViolations(page)).toEqual([]);

    await service.resume();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor({ state: 'hidden' });
    for (const name of blocked.filter((name) => name !== 'Save the name')) {
      expect(await page.getByRole('button', { name }).isDisabled(), String(name)).toBe(false);
    }
  });

  test('is dated by the last answer in local time, and durations stand still until it is back', async () => {
    const page = await open('/runs');
    const duration = page
      .getByRole('row', { name: /Run of ada/ })
      .getByRole('cell')
      .nth(3);
    const before = await duration.textContent();
    await page.clock.runFor(3_000);
    expect(await duration.textContent()).not.toBe(before);
    const answered = page.waitForResponse('**/v1/runs/**');
    await page.clock.runFor(4_000);
    await answered;
    await service.interrupt();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor();
    const [, hours, minutes, seconds] =
      /(\d\d):(\d\d):(\d\d)/.exec((await bar(page).textContent()) ?? '') ?? [];
    const now = await page.evaluate(() => Date.now());
    const shown = await page.evaluate(
      ([h, m, s]) => new Date().setHours(Number(h), Number(m), Number(s), 0),
      [hours, minutes, seconds],
    );
    expect(now - shown).toBeGreaterThan(2_000);
    expect(now - shown).toBeLessThan(30_000);

    const stopped = await duration.textContent();
    await page.clock.runFor(60_000);
    expect(await duration.textContent()).toBe(stopped);
    await service.resume();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor({ state: 'hidden' });
    expect(await duration.textContent()).not.toBe(stopped);
  });

  test('that accepts connections and never answers is lost, too', async () => {
    const page = await open('/');
    service.freeze();
    try {
      await page.clock.runFor(2 * LONGER_THAN_A_REFRESH_MS);
      await bar(page).waitFor();
    } finally {
      service.thaw();
    }
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor({ state: 'hidden' });
  });

  test('makes an open dialog wait: nothing is sent, neither then nor when it is back', async () => {
    const page = await open('/guardrails');
    await page.getByRole('button', { name: 'Stop everything' }).click();
    const confirm = page.getByRole('button', { name: 'Turn the kill switch on' });
    await confirm.waitFor();
    await service.interrupt();
    // The first press finds out that the server is lost.
    await confirm.click();
    await bar(page).waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await service.resume();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor({ state: 'hidden' });
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    expect((await workspace.operator.get('/v1/workspace/')).body.kill_switch).toBe(false);
    expect(await confirm.isDisabled()).toBe(false);
  });

  test('does not make a list of something else look like the answer', async () => {
    const page = await open('/runs');
    await page.getByRole('link', { name: /Run of ada/ }).waitFor();
    await service.interrupt();
    await page.getByRole('link', { name: 'Failed', exact: true }).click();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor();
    await page.getByRole('link', { name: /Run of ada/ }).waitFor({ state: 'hidden' });
    await service.resume();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await page.getByText('No run matches').waitFor();
  });

  test('is said to be lost before sign-in, too', async () => {
    const page = await open('/guardrails');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
    await service.interrupt();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await bar(page).waitFor();
    await service.resume();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor({ state: 'hidden' });
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(false);
  });
});

test('one failed request of a server that answers is no lost connection', async () => {
  const page = await open('/runs');
  await page.route('**/v1/users/**', (route) => route.abort());
  const asked = page.waitForResponse('**/health');
  await page.getByRole('link', { name: 'Users' }).click();
  await asked;
  expect(await bar(page).count()).toBe(0);
});

/** A page whose clock moves when the test says so. */
async function open(path: string): Promise<Page> {
  const { page } = await workspace.open('/settings');
  await page.clock.install();
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  return page;
}

function bar(page: Page) {
  return page.getByText(/^Connection lost/);
}
