/** Where only the operator changes plans, no page has a button or link for it. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './support/appearances.ts';
import { launchBrowser } from './support/browser.ts';
import { type Service, startService } from './support/service.ts';
import { newWorkspace } from './support/workspace.ts';

let service: Service;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([
    startService({ PLAN_CHANGES: 'operator', DEFAULT_PLAN: 'basic' }),
    launchBrowser(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('an owner sees the plans, and who changes them', async () => {
  const workspace = await newWorkspace({ browser, service });
  const { page, problems } = await workspace.open('/settings');
  await page.getByText('The operator of the service changes plans').waitFor();
  await page.getByRole('heading', { name: 'Enterprise' }).waitFor();
  await page.getByText('Your plan').waitFor();
  expect(await page.getByRole('button', { name: /^Change to/ }).count()).toBe(0);
  await expectAccessible(page, '/settings');

  await page.goto('/guardrails');
  await page.getByText('The kill switch is not part of the Basic plan').waitFor();
  expect(await page.getByText('The operator of the service changes plans').count()).toBeGreaterThan(0);
  expect(await page.getByRole('link', { name: 'Change plan' }).count()).toBe(0);
  await expectAccessible(page, '/guardrails');
  expect(problems).toEqual([]);
  await page.context().close();
});
