/** Parts of the dashboard that cannot be loaded, after an upgrade or without a server, never leave a blank page. */

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

test('a page whose file is gone after an upgrade is there after one reload', async () => {
  const { page } = await workspace.open('/guardrails');
  const loads = countLoads(page);
  // The old file is gone; the page that is loaded afterwards names a new one.
  await page.route(RUNS_PAGE, (route) =>
    loads.count === 0 ? route.fulfill({ status: 404, json: { detail: 'Not found' } }) : route.continue(),
  );
  await openRuns(page);
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  expect(loads.count).toBe(1);
  await page.context().close();
});

test('a file that is gone for good is reloaded once, then the page says so and has a button', async () => {
  const { page } = await workspace.open('/guardrails');
  const loads = countLoads(page);
  await page.route(RUNS_PAGE, (route) => route.fulfill({ status: 404, json: { detail: 'Not found' } }));
  await openRuns(page);
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  expect(loads.count).toBe(1);
  // The rest of the dashboard works on.
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

test('a page that is opened without a server says so, and is there when the server is back', async () => {
  const { page } = await workspace.open('/guardrails');
  const loads = countLoads(page);
  await service.interrupt();
  await openRuns(page);
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  await page.getByText('It loads by itself when the server is back').waitFor();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('The server still does not answer').waitFor();
  expect(loads.count).toBe(0);
  await service.resume();
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  expect(loads.count).toBe(1);
  await page.context().close();
});

test('a chart that cannot be loaded leaves the rest of the overview', async () => {
  const { agent, operator } = workspace;
  await operator.send('PUT', '/v1/model-pricing/gpt-4o', {
    input_cost_per_token: 0.001,
    output_cost_per_token: 0.001,
  });
  const { body: run } = await agent.post('/v1/runs/', { user_id: 'ada' });
  const { body: step } = await agent.post(`/v1/runs/${run.id}/steps`, {
    type: 'MODEL_CALL',
    sequence: 1,
    model: 'gpt-4o',
  });
  await agent.send('PATCH', `/v1/runs/${run.id}/steps/${step.id}`, {
    status: 'COMPLETED',
    prompt_tokens: 10,
    completion_tokens: 10,
  });
  const { page } = await workspace.open('/guardrails');
  await page.route('**/assets/spend-chart-*.js', (route) => route.fulfill({ status: 404, body: '' }));
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('The chart could not be loaded').waitFor();
  await page.getByRole('link', { name: /Run of ada/ }).waitFor();
  await page.context().close();
});

test('a start without its script says so instead of staying blank', async () => {
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

/** How often the document itself is asked for from now on. */
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
