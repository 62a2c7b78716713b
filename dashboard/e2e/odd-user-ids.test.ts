/** User IDs with a special meaning in URL paths work like any other. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { type Service, startService } from './support/service.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

let service: Service;
let browser: Browser;
let workspace: TestWorkspace;
let page: Page;

beforeAll(async () => {
  service = await startService();
  browser = await launchBrowser();
  workspace = await newWorkspace({ browser, service });
  ({ page } = await workspace.open('/users'));
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

describe.each(['.', '..', '%2e%2e', 'a/../b', '?x=#1'])('the user %s', (userId) => {
  test('can be blocked, unblocked and linked to', async () => {
    await page.goto('/users');
    await page.getByRole('button', { name: 'Block a user' }).click();
    await page.getByLabel('User ID').fill(userId);
    await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByRole('button', { name: `Unblock ${userId}`, exact: true }).waitFor();
    const { body: denied } = await workspace.agent.post('/v1/runs/', { user_id: userId });
    expect(denied.decision.reason).toBe('USER_BLOCKED');

    await page.getByRole('button', { name: `Unblock ${userId}`, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock', exact: true }).click();
    await page.getByRole('button', { name: `Block ${userId}`, exact: true }).waitFor();
    const { body: run } = await workspace.agent.post('/v1/runs/', { user_id: userId });
    expect(run.status).toBe('RUNNING');
    await workspace.agent.post(`/v1/runs/${run.id}/end`, { status: 'COMPLETED' });

    await page.getByRole('link', { name: userId, exact: true }).click();
    await page.getByRole('heading', { name: userId, level: 1, exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('user')).toBe(userId);
    await page.getByRole('link', { name: `Run of ${userId}, COMPLETED` }).waitFor();
    await page.getByRole('link', { name: 'Runs of this user' }).click();
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('user')).toBe(userId);
    await page.getByRole('link', { name: `Run of ${userId}, COMPLETED` }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: `Run of ${userId}, COMPLETED` }).click();
    await page.getByRole('heading', { name: `Run of ${userId}` }).waitFor();
    await page.getByRole('link', { name: 'Runs of this user' }).click();
    await page.getByRole('link', { name: `Run of ${userId}, COMPLETED` }).waitFor();
  });
});
