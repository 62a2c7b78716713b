/** A chunk that fails to load, after an upgrade or without a server, never leaves a blank page. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { type Service, startService } from './support/service.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const RUNS_PAGE = '**/assets/runs-page-*.js';

let service: Service;
let browser: Browser;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
  browser = await launchBrowser();
  workspace = await newWorkspace({ browser, service });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('a page whose chunk was removed by an upgrade loads after one reload', async () => {
  const { page } = await workspace.open('/guardrails');
  const loads = countLoads(page);
  // The old file is missing until the page is reloaded.
  await page.route(RUNS_PAGE, (route) =>
    loads.count === 0 ? route.fulfill({ status: 404, json: { detail: 'Not found' } }) : route.continue(),
  );
  await openRuns(page);
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  expect(loads.count).toBe(1);
  await page.context().close();
});

test('a chunk that stays missing reloads the page once, then shows an error with a reload button', async () => {
  const { page } = await workspace.open('/guardrails');
  const loads = countLoads(page);
  await page.route(RUNS_PAGE, (route) => route.fulfill({ status: 404, json: { detail: 'Not found' } }));
  await openRuns(page);
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  expect(loads.count).toBe(1);
  // The rest of the dashboard still works.
  await page.getByRole('link', { name: 'Guardrails' }).click();
  await page.getByRole('heading', { name: 'Guardrails', level: 1 }).waitFor();
  await openRuns(page);
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  await page.unroute(RUNS_PAGE);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  expect(loads.count).toBe(2);
  await page.context().close();
});

test('a page opened without a server shows an error and loads when the server is back', async () => {
  const { page } = await workspace.open('/guardrails');
  const loads = countLoads(page);
  await service.interrupt();
  await openRuns(page);
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  await page.getByText('The page loads automatically when the server is back').waitFor();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('The server is still not responding').waitFor();
  expect(loads.count).toBe(0);
  await service.resume();
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  expect(loads.count).toBe(1);
  await page.context().close();
});

test('a missing main script shows an error instead of a blank page', async () => {
  const { page } = await workspace.open('/guardrails');
  await page.route('**/assets/index-*.js', (route) => route.fulfill({ status: 404, body: '' }));
  const loads = countLoads(page);
  await page.reload();
  await page.getByRole('heading', { name: 'The dashboard could not be loaded' }).waitFor();
  expect(loads.count).toBe(2);
  await page.unroute('**/assets/index-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { name: 'Guardrails', level: 1 }).waitFor();
  await page.context().close();
});

/** Counts the document loads from now on. */
function countLoads(page: Page): { count: number } {
  const loads = { count: 0 };
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.count += 1;
  });
  return loads;
}

async function openRuns(page: Page): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Pages', exact: true })
    .getByRole('link', { name: 'Runs' })
    .click();
}
