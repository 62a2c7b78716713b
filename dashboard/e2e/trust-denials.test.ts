/** The way from the denials of the overview to the runs: its words say what it leads to, and the list says what it shows. */

import { expect, test } from 'vitest';
import { expectAccessible } from './support/appearances.ts';
import { startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace } from './support/workspace.ts';

const bed = startTestBed();

test('the denials of today lead to the runs that were denied, and the filter to runs with denied steps', async () => {
  const workspace = await newWorkspace(bed);
  const runId = await startRun(workspace, { limits: { max_steps: 1 } });
  for (const sequence of [1, 2]) {
    await workspace.agent.post(`/v1/runs/${runId}/steps`, { type: 'OUTPUT', sequence });
  }
  await workspace.operator.post('/v1/users/block', { user_id: 'bob' });
  await workspace.agent.post('/v1/runs/', { user_id: 'bob' });
  const { page, problems } = await workspace.open('/');
  const denied = page.getByRole('region', { name: 'Denied today' });
  await denied.getByText('Step limit of the run reached').first().waitFor();
  await page.getByRole('link', { name: 'Runs denied at their start' }).click();

  await page
    .getByText('Not allowed to start. Runs with a step that was denied later keep their own status')
    .waitFor();
  await page.getByRole('link', { name: 'Run of bob, BLOCKED, user is blocked' }).waitFor();
  expect(await page.getByRole('link', { name: /^Run of ada/ }).count()).toBe(0);
  await expectAccessible(page, 'the blocked runs');

  await page.getByLabel('Denied').selectOption({ label: 'Step limit of the run reached' });
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await page.getByRole('link', { name: 'Run of ada, RUNNING, 1 denied step' }).waitFor();
  expect(await page.getByRole('link', { name: /^Run of bob/ }).count()).toBe(0);

  await page.goto(`/runs/${runId}`);
  await page.getByText('Step 2 was denied: step limit of the run reached').waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});
