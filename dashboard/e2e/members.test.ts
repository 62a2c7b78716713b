/** Who may lift a guardrail, and who did: members, their roles and the activity. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { severeViolations } from './support/accessibility.ts';
import { expectAccessible, testAppearances } from './support/appearances.ts';
import { openPage } from './support/browser.ts';
import { startRun } from './support/run.ts';
import { settled } from './support/settled.ts';
import { startTestBed } from './support/test-bed.ts';
import { newMember, newWorkspace, type Person, type TestWorkspace } from './support/workspace.ts';

const VIEWER_NOTE = 'You are a viewer: you can look, and change nothing.';
/** Longer than the interval at which a page reads its member again. */
const ROLE_TIMEOUT_MS = 15_000;

const bed = startTestBed();

describe('an invited member', () => {
  test('joins with the link, changes a budget, and loses the controls of an open page with the role', async () => {
    const workspace = await newWorkspace(bed);
    const owner = await workspace.open('/settings');
    const link = await invite(owner.page, { email: 'grace@example.com', role: 'Admin' });
    await owner.page.getByRole('table').getByText('grace@example.com').waitFor();

    const { page, problems } = await openPage(bed.browser, bed.service.url);
    await page.goto(link);
    expect(await page.getByLabel('E-mail').inputValue()).toBe('grace@example.com');
    await page.getByLabel('Your name').fill('Grace');
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).not.toContain('#');

    await navigate(page, 'Settings');
    await page.getByText('You are an admin: only an owner changes members and the plan.').waitFor();
    await page.getByRole('button', { name: 'Create a key' }).waitFor();
    expect(await page.getByRole('button', { name: /Invite|Change role|Remove|Change to/ }).count()).toBe(0);

    await navigate(page, 'Guardrails');
    await page.getByRole('textbox', { name: 'Workspace, per day' }).fill('50');
    await page.getByRole('button', { name: 'Save: Workspace, per day' }).click();
    await page.getByText('Saved. It applies from the next decision.').waitFor();
    expect((await workspace.operator.get('/v1/workspace/')).body.daily_budget_usd).toBe(50);
    // What is typed and not saved must not look saved afterwards.
    await page.getByRole('textbox', { name: 'Workspace, per day' }).fill('70');
    await page.evaluate(() => document.body.setAttribute('data-not-reloaded', ''));

    const change = owner.page.getByRole('button', { name: 'Change role of grace@example.com' });
    await change.click({ timeout: ROLE_TIMEOUT_MS });
    await owner.page.getByRole('radio', { name: 'Viewer' }).check();
    await dialog(owner.page).getByRole('button', { name: 'Make a viewer' }).click();
    await dialog(owner.page).waitFor({ state: 'hidden' });
    await owner.page.getByRole('row', { name: /grace@example.com.*Viewer/s }).waitFor();

    await page.getByText(VIEWER_NOTE).waitFor({ timeout: ROLE_TIMEOUT_MS });
    expect(await buttonsOf(page)).toEqual([]);
    const budget = page.getByRole('textbox', { name: 'Workspace, per day' });
    expect(await budget.isEditable()).toBe(false);
    expect(await budget.inputValue()).toBe('50');
    expect(await page.getByRole('link', { name: 'Activity' }).count()).toBe(0);
    expect(await page.locator('body[data-not-reloaded]').count()).toBe(1);
    expect([...problems, ...owner.problems]).toEqual([]);
    await page.context().close();
    await owner.page.context().close();
  });

  test('gets a readable answer to a click that was under way, and the dialog says why nothing is left to confirm', async () => {
    const workspace = await newWorkspace(bed);
    const admin = await newMember(bed, workspace, 'admin');
    const { page } = await admin.open('/guardrails');
    await page.getByRole('button', { name: 'Stop everything' }).click();
    const confirm = dialog(page).getByRole('button', { name: 'Turn the kill switch on' });
    await confirm.waitFor();
    await workspace.operator.send('PATCH', `/v1/members/${admin.id}`, { role: 'viewer' });
    await confirm.click();
    await dialog(page).getByText('You have the role viewer; this endpoint needs owner or admin').waitFor();
    await dialog(page).getByText(VIEWER_NOTE).waitFor();
    expect(await confirm.count()).toBe(0);
    expect(await severeViolations(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    expect((await workspace.operator.get('/v1/workspace/')).body.kill_switch).toBe(false);
    await page.context().close();
  });

  test('is signed out when removed', async () => {
    const workspace = await newWorkspace(bed);
    const admin = await newMember(bed, workspace, 'admin');
    const removed = await admin.open('/guardrails');
    const { page } = await workspace.open('/settings');
    await page.getByRole('button', { name: `Remove ${admin.email}` }).click();
    await dialog(page).getByText('API keys that they have made keep working').waitFor();
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('row', { name: admin.email }).waitFor({ state: 'hidden' });
    await removed.page.getByText('Your session has expired.').waitFor({ timeout: ROLE_TIMEOUT_MS });
    await removed.page.context().close();
    await page.context().close();
  });
});

describe('an invitation', () => {
  test('is valid once, and its link replaces the account that is signed in', async () => {
    const workspace = await newWorkspace(bed);
    const other = await newWorkspace(bed);
    const { page } = await workspace.open('/settings');
    const link = await invite(page, { email: 'once@example.com', role: null });
    await page.context().close();

    const joining = await openPage(bed.browser, bed.service.url);
    await joining.page.goto('/sign-in');
    await joining.page.evaluate((token) => localStorage.setItem('guarded-runs-token', token), other.token);
    await joining.page.goto(link);
    await joining.page.getByText('You are signed in with another account.').waitFor();
    await joining.page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
    await joining.page.getByRole('button', { name: 'Join' }).click();
    await joining.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await joining.page.getByText('once@example.com').first().waitFor();
    expect(await joining.page.getByText(other.email).count()).toBe(0);

    await joining.page.goto('/runs');
    await joining.page.goto(link);
    await joining.page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
    await joining.page.getByRole('button', { name: 'Join' }).click();
    await joining.page.getByRole('alert').waitFor();
    expect(joining.problems).toEqual([]);
    await joining.page.context().close();
  });

  test('that is revoked has a link that does not work', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open('/settings');
    const link = await invite(page, { email: 'late@example.com', role: 'Viewer' });
    await page.getByRole('button', { name: 'Revoke the invitation of late@example.com' }).click();
    await dialog(page).getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Open invitations').waitFor({ state: 'hidden' });
    await page.goto(link);
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('alert').waitFor();
    await page.context().close();
  });
});

describe('the only owner', () => {
  test('has no controls that would fail; with a second owner, both have', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open('/settings');
    await page.getByRole('row', { name: /\(you\).*Owner.*the only one/s }).waitFor();
    expect(await page.getByRole('button', { name: /^(Change role of|Remove) / }).count()).toBe(0);
    const second = await newMember(bed, workspace, 'owner');
    await page
      .getByRole('button', { name: `Change role of ${second.email}` })
      .waitFor({ timeout: ROLE_TIMEOUT_MS });
    await page.getByRole('button', { name: `Remove ${workspace.email}` }).click();
    await dialog(page).getByText('This is you: your account is deleted').waitFor();
    // The other owner is faster.
    await second.api.send('PATCH', `/v1/members/${await idOf(workspace)}`, { role: 'admin' });
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog(page).getByText('You have the role admin; this endpoint needs owner').waitFor();
    await dialog(page).getByText('only an owner changes members and the plan').waitFor();
    await page.context().close();
  });
});

describe('who turned the kill switch on', () => {
  test('is on the guardrails page, and in the activity with everything else that they did', async () => {
    const workspace = await newWorkspace(bed);
    const admin = await newMember(bed, workspace, 'admin');
    const { page, problems } = await workspace.open('/guardrails');
    await page.getByRole('heading', { name: 'Kill switch is off' }).waitFor();
    await admin.api.send('PATCH', '/v1/workspace/', { daily_budget_usd: 10 });
    await admin.api.send('PATCH', '/v1/workspace/', { daily_budget_usd: 50 });
    await admin.api.post('/v1/users/block', { user_id: 'ada' });
    await admin.api.post('/v1/workspace/kill-switch', { active: true });
    await page.getByText(/^On since \d\d:\d\d today, turned on by/).waitFor({ timeout: ROLE_TIMEOUT_MS });
    await page.getByRole('main').getByRole('link', { name: admin.email }).click();

    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    const entries = page.getByRole('table').getByRole('row');
    await entries.filter({ hasText: `${admin.email} turned the kill switch on` }).waitFor();
    await entries
      .filter({ hasText: `${admin.email} raised the daily budget from $10.00 to $50.00` })
      .waitFor();
    await entries.filter({ hasText: `${admin.email} joined as admin` }).waitFor();
    expect(await entries.filter({ hasText: workspace.email }).count()).toBe(0);
    expect(await severeViolations(page)).toEqual([]);

    await page.getByRole('link', { name: `Only ${admin.email}` }).click();
    await entries.filter({ hasText: `${workspace.email} invited ${admin.email} as admin` }).waitFor();
    await page.getByLabel('Action').selectOption({ label: 'User blocked' });
    await page.getByText('1–1 of 1').waitFor();
    expect(new URL(page.url()).search).toBe('?action=user.blocked');
    await page.getByLabel('To').fill('2020-01-01');
    await page.getByText('No matching activity').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'ada', exact: true }).click();
    expect(new URL(page.url()).search).toBe('?user=ada');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('is not shown to viewers, and neither is the activity', async () => {
    const workspace = await newWorkspace(bed);
    const viewer = await newMember(bed, workspace, 'viewer');
    await workspace.operator.post('/v1/workspace/kill-switch', { active: true });
    const { page } = await viewer.open('/guardrails');
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.getByRole('heading', { name: 'Kill switch is on' }).waitFor();
    await page.goto('/activity');
    await page.getByText('Only owners and admins see the activity').waitFor();
    expect(await page.getByText('turned on by').count()).toBe(0);
    expect(refused).toEqual([]);
    await page.context().close();
  });
});

describe('a viewer', () => {
  /** The buttons that a viewer has: none that would be refused. */
  const PAGES: readonly { path: string; buttons: readonly (string | RegExp)[] }[] = [
    { path: '/', buttons: [] },
    { path: '/runs', buttons: ['Export'] },
    { path: '/users', buttons: [] },
    { path: '/guardrails', buttons: [] },
    { path: '/prices', buttons: [] },
    { path: '/activity', buttons: [] },
    {
      path: '/setup',
      buttons: [
        'Copy: curl command of the test denial',
        'Copy: curl command',
        'Copy: settings for OpenAI',
        'Copy: header for OpenAI',
        'Copy: settings for Anthropic',
        'Copy: header for Anthropic',
      ],
    },
    { path: '/settings', buttons: ['Change password', 'Sign out everywhere'] },
  ];
  const RUN_BUTTONS = ['Copy: user ID', 'Copy: run ID'];
  const MODEL = 'gpt-4o';

  test('sees every page, with no button that would be refused', async () => {
    const workspace = await prepared();
    const runId = await startRun(workspace);
    const viewer = await newMember(bed, workspace, 'viewer');
    const { page, problems } = await viewer.open('/');
    for (const { path, buttons } of [...PAGES, { path: `/runs/${runId}`, buttons: RUN_BUTTONS }]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectAccessible(page, path);
      expect(await buttonsOf(page), path).toEqual(buttons);
      expect(await page.getByRole('main').getByRole('switch', { disabled: false }).count(), path).toBe(0);
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('has fewer buttons than an owner on the pages that change something', async () => {
    const workspace = await prepared();
    const runId = await startRun(workspace);
    const { page } = await workspace.open('/');
    for (const path of ['/users', '/guardrails', '/prices', '/setup', '/settings', `/runs/${runId}`]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      const allowed = PAGES.find((candidate) => candidate.path === path)?.buttons ?? RUN_BUTTONS;
      expect((await buttonsOf(page)).length, path).toBeGreaterThan(allowed.length);
    }
    await page.context().close();
  });

  test('may look at the catalogue, which adds nothing', async () => {
    const viewer = await newMember(bed, await prepared(), 'viewer');
    const { page } = await viewer.open('/prices?catalogue=claude');
    await dialog(page).getByText(VIEWER_NOTE).waitFor();
    await dialog(page)
      .getByRole('row', { name: /claude/ })
      .first()
      .waitFor();
    expect(await dialog(page).getByRole('button', { name: /^Add/ }).count()).toBe(0);
    await page.context().close();
  });

  let viewer: Person;
  testAppearances(
    'the guardrails and settings of a viewer',
    {
      workspace: () => ({ open: async (...args) => (await viewerOnce()).open(...args) }),
      path: '/guardrails',
    },
    async (page, check) => {
      await page.getByText(VIEWER_NOTE).waitFor();
      await check('guardrails');
      await page.goto('/settings');
      await page.getByText(VIEWER_NOTE).waitFor();
      await check('settings');
    },
  );

  async function viewerOnce(): Promise<Person> {
    viewer ??= await newMember(bed, await prepared(), 'viewer');
    return viewer;
  }

  async function prepared(): Promise<TestWorkspace> {
    const workspace = await newWorkspace(bed);
    await workspace.operator.post('/v1/users/block', { user_id: 'grace' });
    await workspace.operator.send('PUT', `/v1/model-pricing/${MODEL}`, {
      input_cost_per_token: 0.000001,
      output_cost_per_token: 0.000001,
    });
    return workspace;
  }
});

describe('members and activity', () => {
  let workspace: TestWorkspace;
  testAppearances(
    'the members, their dialogs and the activity',
    { workspace: () => ({ open: async (...args) => (await prepared()).open(...args) }), path: '/settings' },
    async (page, check) => {
      await page.getByText('Open invitations').waitFor();
      await check('members');
      await page
        .getByRole('button', { name: /^Change role of/ })
        .first()
        .click();
      await dialog(page).waitFor();
      await check('change role');
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'hidden' });
      await invite(page, { email: 'shown@example.com', role: 'Viewer', check: () => check('the link') });
      await page.goto('/activity');
      await page.getByText('invited shown@example.com as viewer').first().waitFor();
      await check('activity');
    },
  );

  async function prepared(): Promise<TestWorkspace> {
    if (workspace !== undefined) return workspace;
    workspace = await newWorkspace(bed);
    await newMember(bed, workspace, 'owner');
    await workspace.operator.post('/v1/members/invitations', { email: 'open@example.com', role: 'viewer' });
    return workspace;
  }
});

/** Invites through the page and returns the path of the link; without a role, with the preselected one. */
async function invite(
  page: Page,
  given: { email: string; role: string | null; check?: () => Promise<void> },
): Promise<string> {
  await page.getByRole('button', { name: 'Invite a member' }).click();
  await dialog(page).getByLabel('E-mail').fill(given.email);
  expect(await page.getByRole('radio', { name: 'Viewer' }).isChecked()).toBe(true);
  if (given.role !== null) await page.getByRole('radio', { name: given.role }).check();
  await dialog(page).getByRole('button', { name: 'Invite', exact: true }).click();
  const link = page.getByRole('region', { name: 'Invitation link', exact: true });
  await link.waitFor();
  await given.check?.();
  const { pathname, hash } = new URL((await link.textContent()) ?? '');
  await page.getByRole('button', { name: 'Done' }).click();
  await dialog(page).waitFor({ state: 'hidden' });
  return pathname + hash;
}

/** The names of the buttons of a page, without the navigation. */
async function buttonsOf(page: Page): Promise<string[]> {
  return page
    .locator('main button:not([role=tab]):not(.mantine-PasswordInput-visibilityToggle)')
    .evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''),
    );
}

async function idOf({ operator }: TestWorkspace): Promise<string> {
  return (await operator.get('/v1/auth/me')).body.id;
}

async function navigate(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

function dialog(page: Page) {
  return page.getByRole('dialog');
}
