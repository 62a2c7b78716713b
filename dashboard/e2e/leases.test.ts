/** Leases and stops: an operator stops a run, a lease ends one, and every page says why. */

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { APPEARANCES, testAppearances } from './support/appearances.ts';
import { startRun } from './support/run.ts';
import { startTestBed } from './support/test-bed.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

const STEP = { type: 'MODEL_CALL', sequence: 1, model: 'gpt-4o' };
/** The shortest lease, so that a test can wait for its end. */
const SHORT_LEASE_SECONDS = 10;
const COUNTDOWN = /Lease ends in (\d+)\ss unless the agent sends something/;

const bed = startTestBed();

describe('an operator', () => {
  test('stops a run: its agent is denied the next step, and another operator sees why', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace);
    const { page, problems } = await workspace.open(`/runs/${runId}`);
    const other = await workspace.open(`/runs/${runId}`);
    await openDialog(page);
    await confirmButton(page).click();
    await dialog(page).waitFor({ state: 'hidden' });
    await page.getByText('Stopped by an operator').waitFor();
    await page.getByText('Failed', { exact: true }).waitFor();
    expect(await stopButton(page).count()).toBe(0);
    await waitForFocusOnHeading(page);

    const { body: step } = await workspace.agent.post(`/v1/runs/${runId}/steps`, STEP);
    expect(step.decision).toEqual({ outcome: 'DENY', reason: 'RUN_ALREADY_ENDED' });
    await other.page.getByText('Stopped by an operator').waitFor();
    expect(await stopButton(other.page).count()).toBe(0);

    await page.reload();
    await page.getByText('Step 1 was denied: run had already ended').waitFor();
    await page.getByRole('button', { name: 'Explain' }).click();
    await dialog(page).getByText('by the agent itself, by its lease or by an operator').waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
    await page.context().close();
    await other.page.context().close();
  });

  test('does not stop a run with Enter on the dialog that has just opened', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace);
    const { page } = await workspace.open(`/runs/${runId}`);
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`);
    });
    await stopButton(page).focus();
    await page.keyboard.press('Enter');
    await dialog(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'hidden' });
    // After the reload, every request that Enter could have sent has been recorded.
    await page.reload();
    await stopButton(page).waitFor();
    expect(writes).toEqual([]);
    expect(await statusOf(workspace, runId)).toBe('RUNNING');
    await page.context().close();
  });

  test('is told by the open dialog that the run has ended', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace);
    const { page } = await workspace.open(`/runs/${runId}`);
    await openDialog(page);
    await workspace.agent.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' });
    await dialog(page).getByText('The agent has completed the run.').waitFor();
    expect(await confirmButton(page).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await waitForFocusOnHeading(page);
    await page.context().close();
  });

  test('keeps the place on the page when the run ends and the focused button disappears', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace);
    const { page } = await workspace.open(`/runs/${runId}`);
    await stopButton(page).focus();
    await workspace.agent.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' });
    await page.getByText('Completed', { exact: true }).waitFor();
    await waitForFocusOnHeading(page);
    await page.context().close();
  });

  test('gets no error if the run has ended and the page does not know it yet', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace);
    const { page, problems } = await workspace.open(`/runs/${runId}`);
    const { body: known } = await workspace.operator.get(`/v1/runs/${runId}`);
    const path = `**/v1/runs/${runId}`;
    await page.route(path, (route) => route.fulfill({ json: known }));
    await page.route(`${path}/stop`, async (route) => {
      await page.unroute(path);
      await route.continue();
    });
    await openDialog(page);
    await workspace.agent.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' });
    const answered = page.waitForResponse(`${path}/stop`);
    await confirmButton(page).click();
    expect((await answered).status()).toBe(400);
    await dialog(page).getByText('The agent has completed the run.').waitFor();
    expect(
      await dialog(page)
        .getByText(/Request ID/)
        .count(),
    ).toBe(0);
    expect(await confirmButton(page).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByText('Completed', { exact: true }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

describe('a lease', () => {
  test('counts down, then ends the run, and the page says so without a reload', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace, { lease_seconds: SHORT_LEASE_SECONDS });
    const { page } = await workspace.open(`/runs/${runId}`);
    const first = await secondsLeft(page);
    expect(first).toBeLessThanOrEqual(SHORT_LEASE_SECONDS);
    await waitForSecondsLeft(page, { below: first - 1 });
    await page.getByText('Ended by its lease: no request arrived before the lease ended').waitFor();
    await page.getByText('Failed', { exact: true }).waitFor();
    expect(await page.getByText(COUNTDOWN).count()).toBe(0);
    expect(await stopButton(page).count()).toBe(0);
    await page.context().close();
  });

  test('is renewed by what the agent sends', async () => {
    const workspace = await newWorkspace(bed);
    const runId = await startRun(workspace, { lease_seconds: 50 });
    const { page } = await workspace.open(`/runs/${runId}`);
    await waitForSecondsLeft(page, { below: (await secondsLeft(page)) - 5 });
    const low = await secondsLeft(page);
    await workspace.agent.post(`/v1/runs/${runId}/heartbeat`);
    await waitForSecondsLeft(page, { above: low });
    await page.context().close();
  });

  test('can be switched off', async () => {
    const workspace = await newWorkspace(bed);
    await workspace.operator.send('PATCH', '/v1/workspace/', { run_lease_seconds: null });
    const { page } = await workspace.open(`/runs/${await startRun(workspace)}`);
    await page.getByText('No lease: the run ends only when its agent or an operator ends it.').waitFor();
    await page.context().close();
  });
});

describe('the lease of a workspace', () => {
  const field = (page: Page) => page.getByRole('textbox', { name: 'Seconds until a silent run ends' });
  const save = (page: Page) => page.getByRole('button', { name: 'Save: Seconds until a silent run ends' });
  const saved = async ({ operator }: TestWorkspace) =>
    (await operator.get('/v1/workspace/')).body.run_lease_seconds;

  test('is a day, and is saved and shown in words', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open('/guardrails');
    await page.getByText('A silent run ends after 1 day.').waitFor();
    await page.getByText('No runs in the last 7 days to compare with.').waitFor();
    await field(page).fill('90');
    await page.getByText('Saves 90 seconds').waitFor();
    await save(page).click();
    await page.getByText('Saved. It applies to runs that start from now on.').waitFor();
    await page.getByText('A silent run ends after 90 seconds.').waitFor();
    expect(await saved(workspace)).toBe(90);

    const runId = await startRun(workspace);
    await page.goto(`/runs/${runId}`);
    await page.getByText(/Lease ends in 1\smin/).waitFor();
    await page.context().close();
  });

  test('is compared with the runs of the last days while it is typed', async () => {
    const workspace = await newWorkspace(bed);
    await startRun(workspace);
    const { page, problems } = await workspace.open('/guardrails');
    const expired = 'In the last 7 days, none of 1 run ended by the lease.';
    await page.getByText(`${expired} No running run has been silent for 1 day until now.`).waitFor();
    await field(page).fill('604800');
    await page.getByText(`${expired} No running run has been silent for 7 days until now.`).waitFor();
    await field(page).fill('');
    await page.getByText(expired, { exact: true }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('is rejected outside of its bounds before anything is sent', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open('/guardrails');
    for (const text of ['9', '604801', '60.5', '1,000', '1 day']) {
      await field(page).fill(text);
      await page.getByText('Enter a whole number from 10 to 604800').waitFor();
      expect(await save(page).isDisabled(), text).toBe(true);
      await field(page).press('Enter');
    }
    await field(page).fill('604800');
    await page.getByText('Saves 7 days').waitFor();
    expect(await saved(workspace)).toBe(86_400);
    await page.context().close();
  });

  test('is never if the field is empty', async () => {
    const workspace = await newWorkspace(bed);
    const { page } = await workspace.open('/guardrails');
    await field(page).fill('');
    await page.getByText('Saves never: runs never end by themselves').waitFor();
    await save(page).click();
    await page.getByText('Saved. It applies to runs that start from now on.').waitFor();
    await page.getByText(/^Runs never end by themselves/).waitFor();
    expect(await field(page).getAttribute('placeholder')).toBe('Never');
    expect(await saved(workspace)).toBeNull();
    await page.context().close();
  });
});

describe('an ended run', () => {
  let workspace: TestWorkspace;
  const runs = { running: '', expired: '', stopped: '' };

  beforeAll(async () => {
    workspace = await newWorkspace(bed);
    runs.expired = await startRun(workspace, { user_id: 'lost', lease_seconds: SHORT_LEASE_SECONDS });
    runs.stopped = await startRun(workspace, { user_id: 'halted' });
    await workspace.operator.post(`/v1/runs/${runs.stopped}/stop`);
    const failed = await startRun(workspace, { user_id: 'honest' });
    await workspace.agent.post(`/v1/runs/${failed}/end`, { status: 'FAILED' });
    const long = await startRun(workspace, { user_id: 'an-operator@a-rather-long-domain-name.example.com' });
    await workspace.agent.post(`/v1/runs/${long}/end`, { status: 'COMPLETED' });
    runs.running = await startRun(workspace);
    await vi.waitFor(async () => expect(await statusOf(workspace, runs.expired)).toBe('FAILED'), {
      timeout: 30_000,
      interval: 500,
    });
  });

  test('has its reason beside the status in the list', async () => {
    const { page } = await workspace.open('/runs');
    const status = async (user: string) => {
      const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: `Run of ${user}` }) });
      return row.getByRole('cell').first().textContent();
    };
    await page.getByRole('link', { name: 'Run of lost, FAILED, lease ended' }).waitFor();
    expect(await status('lost')).toBe('Failed · lease ended');
    expect(await status('halted')).toBe('Failed · stopped');
    expect(await status('honest')).toBe('Failed');
    await page.context().close();
  });

  test('is found by the filter of expired runs, and a silent one by that of idle runs', async () => {
    const { page, problems } = await workspace.open('/runs');
    const filter = (name: string) =>
      page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name, exact: true });
    await filter('Expired').click();
    await page.getByText('Ended by their lease').waitFor();
    await page.getByText('1–1 of 1', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: /^Run of / }).count()).toBe(1);
    await page.getByRole('link', { name: 'Run of lost, FAILED, lease ended' }).waitFor();
    await page.reload();
    await page.getByText('1–1 of 1', { exact: true }).waitFor();
    expect(await filter('Expired').getAttribute('aria-current')).toBe('true');

    const asked = page.waitForRequest((request) => request.url().includes('idle=true'));
    await filter('Idle').click();
    expect(new URL((await asked).url()).searchParams.has('status')).toBe(false);
    await page.getByText('the agent has sent nothing for 5 minutes or more').waitFor();
    await page.getByText('No matching runs').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('is counted up to the bound of the service, and the list says so', async () => {
    const { page } = await workspace.open('/settings');
    await page.route('**/v1/runs/?*end_reason=*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), total: 10_000 } });
    });
    await page.goto('/runs?status=EXPIRED');
    await page.getByText('1–25 of 10,000+', { exact: true }).waitFor();
    await page.context().close();
  });

  testAppearances(
    'it and the list',
    { workspace: () => workspace, path: '/runs', appearances: APPEARANCES.slice(0, 3) },
    async (page, check) => {
      await check('/runs');
      const hidden = await page
        .getByRole('table')
        .evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0));
      expect(hidden, 'columns of the list are out of view').toBe(0);
      for (const name of ['expired', 'stopped', 'running'] as const) {
        await page.goto(`/runs/${runs[name]}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await check(name);
      }
      await openDialog(page);
      await page.waitForTimeout(400);
      await check('the dialog');
      for (const path of ['/setup', '/guardrails']) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await check(path);
      }
      await page.getByRole('textbox', { name: 'Seconds until a silent run ends' }).fill('9');
      await page.getByText('Enter a whole number from 10 to 604800').waitFor();
      await check('a lease out of bounds');
    },
  );
});

async function statusOf({ operator }: TestWorkspace, runId: string): Promise<string> {
  return (await operator.get(`/v1/runs/${runId}`)).body.status;
}

async function secondsLeft(page: Page): Promise<number> {
  const shown = await page.getByText(COUNTDOWN).textContent();
  return Number(COUNTDOWN.exec(shown ?? '')?.[1]);
}

async function waitForSecondsLeft(
  page: Page,
  { above = 0, below = Number.MAX_SAFE_INTEGER }: { above?: number; below?: number },
): Promise<void> {
  await page.waitForFunction(
    ({ pattern, least, most }) => {
      const shown = new RegExp(pattern).exec(document.body.textContent ?? '')?.[1];
      return shown !== undefined && Number(shown) > least && Number(shown) < most;
    },
    { pattern: COUNTDOWN.source, least: above, most: below },
  );
}

async function waitForFocusOnHeading(page: Page): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
}

function stopButton(page: Page) {
  return page.getByRole('button', { name: 'Stop run', exact: true });
}

function dialog(page: Page) {
  return page.getByRole('dialog');
}

async function openDialog(page: Page): Promise<void> {
  await stopButton(page).click();
  await dialog(page).getByText('Stop this run of ada?').waitFor();
}

function confirmButton(page: Page) {
  return dialog(page).getByRole('button', { name: 'Stop the run', exact: true });
}
