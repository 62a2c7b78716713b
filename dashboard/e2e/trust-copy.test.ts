/** Copying works on a page that is loaded over plain HTTP from another machine, where browsers offer no clipboard. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './support/appearances.ts';
import { launchBrowser, openPage, type WatchedPage } from './support/browser.ts';
import { startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

/** Resolved by the browser to this machine, which it does not know: the page is not in a secure context. */
const HOST = 'guard.internal.test';

const bed = startTestBed();
let remote: Browser;

beforeAll(async () => {
  remote = await launchBrowser([`--host-resolver-rules=MAP ${HOST} 127.0.0.1`]);
});

afterAll(() => remote?.close());

test('a new key is copied', async () => {
  const { page, problems } = await openOverHttp(await newWorkspace(bed), '/settings');
  expect(await page.evaluate(() => [window.isSecureContext, 'clipboard' in navigator])).toEqual([
    false,
    false,
  ]);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const key = await page.getByRole('region', { name: 'API key', exact: true }).innerText();
  const copy = page.getByRole('button', { name: /^(Copy|Copied): API key$/ });
  await copy.click();
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  expect(await copy.innerText()).toBe('Copied');
  expect(await copy.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await page.locator('textarea').count()).toBe(0);
  expect(await pasted(page)).toBe(key);
  await expectAccessible(page, 'a copied key');
  expect(unexpected(problems)).toEqual([]);
  await page.context().close();
});

test('the ID of a run, and that of a step in its drawer, are copied', async () => {
  const workspace = await newWorkspace(bed);
  const runId = await startRun(workspace);
  const step = await workspace.agent.post(`/v1/runs/${runId}/steps`, { type: 'OUTPUT', sequence: 1 });
  const { page, problems } = await openOverHttp(workspace, `/runs/${runId}`);
  await page.getByRole('button', { name: 'Copy: run ID' }).click();
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  await page.goto('/settings');
  expect(await pasted(page)).toBe(runId);

  await page.goto(`/runs/${runId}?step=${step.body.id}`);
  await page.getByRole('button', { name: 'Copy: step ID' }).click();
  await page.getByRole('dialog').getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  await page.goto('/settings');
  expect(await pasted(page)).toBe(step.body.id);
  expect(unexpected(problems)).toEqual([]);
  await page.context().close();
});

async function openOverHttp({ token }: TestWorkspace, path: string): Promise<WatchedPage> {
  const origin = `http://${HOST}:${new URL(bed.service.url).port}`;
  const watched = await openPage(remote, origin, { reducedMotion: 'reduce' });
  await watched.page.addInitScript((value) => localStorage.setItem('guarded-runs-token', value), token);
  await watched.page.goto(path);
  await watched.page.getByRole('heading', { level: 1 }).waitFor();
  return watched;
}

/** Over plain HTTP, the browser reports that it ignores a header which is for HTTPS. */
function unexpected(problems: readonly string[]): string[] {
  return problems.filter(
    (problem) => !problem.includes('Cross-Origin-Opener-Policy header has been ignored'),
  );
}

/** What the clipboard has, pasted into the field for the name of the workspace. */
async function pasted(page: Page): Promise<string> {
  const field = page.getByRole('textbox', { name: 'Name' });
  await field.fill('');
  await field.press('ControlOrMeta+v');
  return field.inputValue();
}
