/** A dialog does what it was opened for, even if other users change the data. Enter alone never confirms a dialog. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const MODEL = 'gpt-4o';

const bed = startTestBed();

describe('the kill switch', () => {
  test('stays on if someone else turns it on while the dialog to turn it on is open', async () => {
    const { workspace, page } = await open('/guardrails');
    await page.getByRole('button', { name: 'Stop everything' }).click();
    await dialog(page).getByText('Stop all agents of this workspace?').waitFor();
    await workspace.operator.post('/v1/workspace/kill-switch', { active: true });
    await dialog(page).getByText('The kill switch is already on').waitFor();
    await dialog(page).getByText('Stop all agents of this workspace?').waitFor();
    expect(
      await dialog(page)
        .getByRole('button', { name: /kill switch off/i })
        .count(),
    ).toBe(0);
    expect(await confirmButton(page, 'Turn the kill switch on').isDisabled()).toBe(true);
    expect((await workspace.operator.get('/v1/workspace/')).body.kill_switch).toBe(true);
    await page.context().close();
  });

  test('is set, not toggled: a request sent before the page knows of the change does not turn it off', async () => {
    const { workspace, page } = await open('/guardrails');
    await page.getByRole('button', { name: 'Stop everything' }).click();
    await workspace.operator.post('/v1/workspace/kill-switch', { active: true });
    const sent = page.waitForRequest('**/v1/workspace/kill-switch');
    await confirmButton(page, 'Turn the kill switch on').click();
    expect((await sent).postDataJSON()).toEqual({ active: true });
    await page.getByRole('heading', { name: 'Kill switch is on' }).waitFor();
    expect((await workspace.operator.get('/v1/workspace/')).body.kill_switch).toBe(true);
    await page.context().close();
  });

  test('stays off if someone else turns it off while the dialog to turn it off is open', async () => {
    const { workspace, page } = await open('/guardrails', async ({ operator }) => {
      await operator.post('/v1/workspace/kill-switch', { active: true });
    });
    await page.getByRole('button', { name: 'Turn off and resume' }).click();
    await workspace.operator.post('/v1/workspace/kill-switch', { active: false });
    await dialog(page).getByText('The kill switch is already off').waitFor();
    expect(await confirmButton(page, 'Turn the kill switch off').isDisabled()).toBe(true);
    await page.context().close();
  });
});

describe('a user', () => {
  test('stays blocked if someone else blocks the user while the dialog is open', async () => {
    const { workspace, page } = await open('/users', async ({ agent }) => {
      await agent.post('/v1/runs/', { user_id: 'ada' });
    });
    await page.getByRole('button', { name: 'Block ada' }).click();
    await workspace.operator.post('/v1/users/ada/block');
    await dialog(page).getByText('ada is already blocked').waitFor();
    await dialog(page).getByText('Block ada?').waitFor();
    expect(await confirmButton(page, 'Block').isDisabled()).toBe(true);
    expect((await workspace.operator.get('/v1/users/')).body.items[0].blocked).toBe(true);
    await page.context().close();
  });
});

describe('a key', () => {
  test('created by someone else is not revoked by a dialog opened before', async () => {
    const { workspace, page } = await open('/settings');
    await page.getByRole('button', { name: 'Regenerate all' }).click();
    await workspace.operator.post('/v1/api-keys/', { label: 'created elsewhere' });
    await confirmButton(page, 'Regenerate').click();
    await dialog(page).getByText('The keys have changed: 2 keys are now active').waitFor();
    expect(await activeKeys(workspace)).toBe(2);
    await confirmButton(page, 'Regenerate').click();
    await dialog(page).waitFor({ state: 'hidden' });
    expect(await activeKeys(workspace)).toBe(1);
    await page.context().close();
  });

  test('revoked by someone else is reported as revoked', async () => {
    const { workspace, page } = await open('/settings');
    await page.getByRole('button', { name: /^Revoke/ }).click();
    const [key] = (await workspace.operator.get('/v1/api-keys/')).body;
    await workspace.operator.send('DELETE', `/v1/api-keys/${key.id}`);
    await confirmButton(page, 'Revoke').click();
    await dialog(page).getByText('This key is already revoked').waitFor();
    await page.context().close();
  });
});

describe('a change of plan', () => {
  const stopped = async ({ operator }: TestWorkspace) => {
    await operator.post('/v1/workspace/kill-switch', { active: true });
    await operator.send('PATCH', '/v1/workspace/', { user_daily_budget_usd: 2, max_concurrent_runs: 20 });
  };

  test('is not confirmed by Enter alone, and the kill switch stays on', async () => {
    const { workspace, page } = await open('/settings', stopped);
    await page.getByRole('button', { name: 'Change to Basic' }).click();
    await dialog(page).waitFor();
    await expectFocusOn(page, 'Cancel');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'hidden' });
    expect((await workspace.operator.get('/v1/billing/')).body.plan).toBe('scale');
    expect((await workspace.operator.get('/v1/workspace/')).body.kill_switch).toBe(true);
    await page.context().close();
  });

  test('lists the guardrails it removes and requires a confirmation for each', async () => {
    const { workspace, page } = await open('/settings', stopped);
    await page.getByRole('button', { name: 'Change to Basic' }).click();
    const confirm = confirmButton(page, 'Change to Basic');
    await dialog(page)
      .getByText('The kill switch is on. Changing to Basic turns it off, and agents can resume.')
      .waitFor();
    await dialog(page).getByText('The budget of $2.00 per user per day is removed.').waitFor();
    await dialog(page).getByText('At most 3 concurrent runs instead of 20.').waitFor();
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Turn the kill switch off' }).check();
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Remove the budget per user' }).check();
    await confirm.click();
    await dialog(page).waitFor({ state: 'hidden' });
    expect((await workspace.operator.get('/v1/workspace/')).body.kill_switch).toBe(false);
    await page.context().close();
  });

  test('is not sent if someone else turns the kill switch on while the dialog is open', async () => {
    const { workspace, page } = await open('/settings');
    await page.getByRole('button', { name: 'Change to Pro' }).click();
    await dialog(page).getByText('All your settings are kept').waitFor();
    await workspace.operator.post('/v1/workspace/kill-switch', { active: true });
    await confirmButton(page, 'Change to Pro').click();
    await dialog(page).getByText('The settings have changed').waitFor();
    await dialog(page).getByText('Changing to Pro turns it off').waitFor();
    expect(await confirmButton(page, 'Change to Pro').isDisabled()).toBe(true);
    expect((await workspace.operator.get('/v1/billing/')).body.plan).toBe('scale');
    expect((await workspace.operator.get('/v1/workspace/')).body.kill_switch).toBe(true);
    await page.context().close();
  });

  test('has nothing left to do if someone else has already chosen the same plan', async () => {
    const { workspace, page } = await open('/settings');
    await page.getByRole('button', { name: 'Change to Enterprise' }).click();
    await workspace.operator.send('PUT', '/v1/billing/plan', { plan: 'enterprise' });
    await confirmButton(page, 'Change to Enterprise').click();
    await dialog(page).getByText('The plan has changed to Enterprise').waitFor();
    expect(await confirmButton(page, 'Change to Enterprise').isDisabled()).toBe(true);
    await page.context().close();
  });
});

describe('Enter right after a dialog opens', () => {
  test.each([
    { path: '/guardrails', opener: 'Stop everything' },
    { path: '/guardrails', opener: 'Turn off and resume', killSwitch: true },
    { path: '/users', opener: 'Block ada' },
    { path: '/users', opener: 'Unblock grace' },
    { path: '/users', opener: 'Block a user' },
    { path: '/settings', opener: 'Regenerate all' },
    { path: '/settings', opener: /^Revoke/ },
    { path: '/settings', opener: 'Invite a member' },
    { path: '/settings', opener: 'Change to Pro' },
    { path: '/settings', opener: 'Change to Enterprise' },
    { path: '/prices', opener: `Deactivate ${MODEL}` },
    { path: '/prices', opener: `Edit ${MODEL}` },
  ])('sends nothing: $opener', async ({ path, opener, killSwitch = false }) => {
    const { page } = await open(path, async ({ operator, agent }) => {
      await agent.post('/v1/runs/', { user_id: 'ada' });
      await operator.post('/v1/users/grace/block');
      await operator.send('PUT', `/v1/model-pricing/${MODEL}`, {
        input_cost_per_token: 0.000001,
        output_cost_per_token: 0.000001,
      });
      if (killSwitch) await operator.post('/v1/workspace/kill-switch', { active: true });
    });
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`);
    });
    await page.getByRole('button', { name: opener }).click();
    await dialog(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]') !== null);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    // After the reload, every request that Enter could have sent has been recorded.
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(writes).toEqual([]);
    await page.context().close();
  });
});

async function open(path: string, prepare: (workspace: TestWorkspace) => Promise<void> = async () => {}) {
  const workspace = await newWorkspace(bed);
  await prepare(workspace);
  const { page } = await workspace.open(path);
  return { workspace, page };
}

function dialog(page: Page) {
  return page.getByRole('dialog');
}

function confirmButton(page: Page, name: string) {
  return dialog(page).getByRole('button', { name, exact: true });
}

async function expectFocusOn(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.textContent === wanted, text);
}

async function activeKeys({ operator }: TestWorkspace): Promise<number> {
  const { body } = await operator.get('/v1/api-keys/');
  return body.filter(({ is_active }: { is_active: boolean }) => is_active).length;
}
