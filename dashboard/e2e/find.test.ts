/** Finding: filters of the run list in its URL, its export, and one search for ids, users and pages. */

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { testAppearances } from './support/appearances.ts';
import { startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const bed = startTestBed();
let workspace: TestWorkspace;
let deniedId: string;
let runId: string;
let stepId: string;

beforeAll(async () => {
  workspace = await newWorkspace(bed);
  const { agent, operator } = workspace;
  await operator.post('/v1/users/mallory/block');
  deniedId = (await agent.post('/v1/runs/', { user_id: 'mallory', metadata: { plan: 'free' } })).body.id;
  runId = await startRun(workspace, { metadata: { plan: 'pro' } });
  const step = { type: 'MODEL_CALL', sequence: 1, model: 'gpt-4o' };
  stepId = (await agent.post(`/v1/runs/${runId}/steps`, step)).body.id;
  await operator.post(`/v1/runs/${runId}/stop`);
  await agent.post(`/v1/runs/${runId}/steps`, { ...step, sequence: 2 });
});

const linkOf = (page: Page, user: string) => page.getByRole('link', { name: new RegExp(`^Run of ${user},`) });

const metadata = (page: Page) => page.getByRole('textbox', { name: 'Metadata' });

describe('the list of runs', () => {
  test('says why a run was denied, why it ended, and filters by the reason', async () => {
    const { page, problems } = await workspace.open('/runs');
    await page.getByText('· user is blocked').waitFor();
    await page.getByLabel('Denied').selectOption({ label: 'User is blocked' });
    await linkOf(page, 'ada').waitFor({ state: 'hidden' });
    await linkOf(page, 'mallory').waitFor();
    expect(new URL(page.url()).search).toBe('?deny_reason=USER_BLOCKED');
    await page.getByLabel('Denied').selectOption({ label: 'Has denied steps' });
    await linkOf(page, 'mallory').waitFor({ state: 'hidden' });
    await linkOf(page, 'ada').waitFor();
    await page.reload();
    await linkOf(page, 'ada').waitFor();
    expect(await page.getByLabel('Denied').inputValue()).toBe('STEPS');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('filters by metadata and by days, all in the URL, and Back undoes each', async () => {
    const { page, problems } = await workspace.open('/runs');
    await metadata(page).fill('plan=pro');
    await metadata(page).press('Enter');
    await linkOf(page, 'mallory').waitFor({ state: 'hidden' });
    await linkOf(page, 'ada').waitFor();
    await page.getByLabel('To (UTC)').fill('2020-01-01');
    await page.getByText('No matching runs').waitFor();
    expect(new URL(page.url()).search).toBe('?to=2020-01-01&metadata=plan%3Dpro');
    await page.goBack();
    await linkOf(page, 'ada').waitFor();
    await page.goBack();
    await linkOf(page, 'mallory').waitFor();
    await metadata(page).fill('plan');
    await metadata(page).press('Enter');
    await page.getByText('Like name=value').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('is exported with its filters, as CSV and as JSON lines', async () => {
    const { page, problems } = await workspace.open('/runs?deny_reason=USER_BLOCKED');
    const exported = async (format: string) => {
      await page.getByRole('button', { name: 'Export' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: format }).click(),
      ]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    const csv = await exported('CSV');
    expect(csv.name).toBe('runs.csv');
    expect(csv.text.split('\r\n').map((line) => line.split(',')[0])).toEqual(['id', deniedId, '']);
    const lines = await exported('JSON lines');
    expect(lines.name).toBe('runs.jsonl');
    expect(JSON.parse(lines.text)).toMatchObject({ id: deniedId, deny_reason: 'USER_BLOCKED' });
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('the search', () => {
  const searchFor = async (page: Page, text: string) => {
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Search' }).fill(text);
  };
  const hit = (page: Page, name: RegExp) => page.getByRole('option', { name });

  test('opens a run by its id, a step by its id, and a user by a prefix, with the keyboard', async () => {
    const { page, problems } = await workspace.open('/settings');
    await searchFor(page, runId);
    await hit(page, new RegExp(`${runId} Run of ada`)).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/runs/${runId}`);

    await searchFor(page, stepId);
    await hit(page, /Step$/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/runs/${runId}?step=${stepId}`);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');

    await searchFor(page, 'mal');
    await hit(page, /^mallory/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/users/view?user=mallory');
    await page.getByRole('heading', { name: 'mallory', level: 1 }).waitFor();
    await linkOf(page, 'mallory').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('goes to a page, and says when nothing is found', async () => {
    const { page } = await workspace.open('/');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox', { name: 'Search' }).fill('pri');
    await hit(page, /^Prices/).click();
    await page.getByRole('heading', { name: 'Prices', level: 1 }).waitFor();
    await searchFor(page, 'no such thing');
    await page.getByText('Nothing found.').waitFor();
    await page.context().close();
  });

  testAppearances('search', { workspace: () => workspace, path: '/runs' }, async (page, check) => {
    await searchFor(page, 'mal');
    await hit(page, /^mallory/).waitFor();
    await check('search');
  });
});

testAppearances(
  'runs with filters',
  { workspace: () => workspace, path: '/runs?deny_reason=USER_BLOCKED' },
  async (page, check) => {
    await linkOf(page, 'mallory').waitFor();
    await check('runs');
  },
);
