/** While the server is unreachable, every page says so, durations stop, and actions that would fail are disabled. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { severeViolations } from './support/accessibility.ts';
import { launchBrowser } from './support/browser.ts';
import { type Service, startService } from './support/service.ts';
import { STREAM_PATH, settled } from './support/settled.ts';
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
  // The next test needs a running server even if this one failed halfway.
  await service.resume();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

describe('a lost connection', () => {
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
      blocked: ['Regenerate all', 'Create a key', /^Revoke/, 'Change to Pro', 'Save name'],
    },
    { path: '/setup', blocked: ['Create an API key'] },
    { path: '/runs/:run', blocked: ['Stop run'] },
  ])('is shown on $path and disables all writes until the server is back', async ({ path, blocked }) => {
    const page = await open(path.replace(':run', runId));
    await service.interrupt();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor();
    expect(await bar(page).textContent()).toMatch(LOST);
    for (const name of blocked) {
      expect(await page.getByRole('button', { name }).isDisabled(), String(name)).toBe(true);
    }
    expect(await page.getByRole('alert').count(), 'no notice in addition to the bar').toBe(0);
    expect(await severeViolations(page)).toEqual([]);

    await service.resume();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor({ state: 'hidden' });
    for (const name of blocked.filter((name) => name !== 'Save name')) {
      await enabled(page, name);
    }
  });

  test('shows the local time of the last response and stops durations until the server is back', async () => {
    const page = await open('/runs');
    const duration = page
      .getByRole('row', { name: /Run of ada/ })
      .getByRole('cell')
      .nth(3);
    const before = await duration.textContent();
    await page.clock.runFor(3_000);
    expect(await duration.textContent()).not.toBe(before);
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

  test('is detected if the server accepts connections but does not respond', async () => {
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

  test('disables an open dialog, which sends nothing when the server is back', async () => {
    // Without the stream of changes, whose end would disable the button before the click.
    const page = await open('/guardrails', { isFollowing: false });
    await page.getByRole('button', { name: 'Stop everything' }).click();
    const confirm = page.getByRole('button', { name: 'Turn the kill switch on' });
    await confirm.waitFor();
    await service.interrupt();
    // The first click detects the lost connection.
    await confirm.click();
    await bar(page).waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await service.resume();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor({ state: 'hidden' });
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    expect((await workspace.operator.get('/v1/workspace/')).body.kill_switch).toBe(false);
    await enabled(page, 'Turn the kill switch on');
  });

  test('does not show the previous list as the result of a new filter', async () => {
    const page = await open('/runs');
    await page.getByRole('link', { name: /Run of ada/ }).waitFor();
    await service.interrupt();
    await page.getByRole('link', { name: 'Failed', exact: true }).click();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await bar(page).waitFor();
    await page.getByRole('link', { name: /Run of ada/ }).waitFor({ state: 'hidden' });
    await service.resume();
    await page.clock.runFor(LONGER_THAN_A_REFRESH_MS);
    await page.getByText('No matching runs').waitFor();
  });

  test('is shown before sign-in', async () => {
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
    await enabled(page, 'Sign in');
  });
});

test('a single failed request is not a lost connection if the server responds to a probe', async () => {
  const page = await open('/runs');
  await page.route('**/v1/users/**', (route) => route.abort());
  const probed = page.waitForResponse('**/health');
  await page.getByRole('link', { name: 'Users' }).click();
  await probed;
  expect(await bar(page).count()).toBe(0);
});

/** Opens a page whose clock is controlled by the test. */
async function open(path: string, { isFollowing = true } = {}): Promise<Page> {
  const { page } = await workspace.open('/settings');
  if (!isFollowing) await page.route(`**${STREAM_PATH}`, (route) => route.abort());
  await page.clock.install();
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  return page;
}

/** Waits, because a machine under load may answer a probe too late, and the next probe finds the server again. */
async function enabled(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, disabled: false }).waitFor();
}

function bar(page: Page) {
  return page.getByText(/^Connection lost/);
}
