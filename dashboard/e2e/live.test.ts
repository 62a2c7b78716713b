/** Open pages show changes within a second, and ask for nothing while nothing changes. Without the stream, they poll. */

import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { startRun } from './support/run.ts';
import { following, isStream, STREAM_PATH, settled } from './support/settled.ts';
import { startTestBed } from './support/test-bed.ts';
import { newMember, newWorkspace, type TestWorkspace } from './support/workspace.ts';

/** Far more than a second, which the report shows: a busy machine must not decide a test. */
const SHOWN_WITHIN_MS = 5_000;
/** After the first reads, each query is read once more, because the stream may have begun later. */
const LAST_POLL_MS = 11_000;
const IDLE_MS = 30_000;
/** Longer than the interval of lists without a stream. */
const POLL_MS = 5_000;

const bed = startTestBed();

afterEach(async () => {
  for (const context of bed.browser.contexts()) await context.close();
});

describe('a change by someone else is shown without a refresh', () => {
  test('a run in the list, its end, and a step in its page', async () => {
    const { workspace, page, problems } = await openLive('/runs');
    await workspace.operator.send('PATCH', '/v1/workspace/', { max_concurrent_runs: 10 });
    const times: number[] = [];
    for (const user of ['ada', 'alan', 'barbara', 'edsger', 'grace']) {
      const link = page.getByRole('link', { name: `Run of ${user}` });
      const show = () => link.waitFor({ timeout: SHOWN_WITHIN_MS });
      times.push(await timed(() => Promise.all([startRun(workspace, { user_id: user }), show()])));
      // Not in step with the service, which looks for changes four times a second.
      await page.waitForTimeout(1_370);
    }
    console.log(`new runs were shown ${times.join(', ')} ms after their requests began`);
    await page.getByRole('link', { name: /Run of grace/ }).click();
    await page.getByText('Running').first().waitFor();
    await settled(page);
    const runId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const steps = `/v1/runs/${runId}/steps`;
    await workspace.agent.post(steps, { type: 'TOOL_CALL', sequence: 1, tool_name: 'weather' });
    await page.getByText('weather').first().waitFor({ timeout: SHOWN_WITHIN_MS });
    await workspace.agent.post(`/v1/runs/${runId}/end`, { status: 'COMPLETED' });
    await page.getByText('Completed').first().waitFor({ timeout: SHOWN_WITHIN_MS });
    expect(problems).toEqual([]);
  });

  test('the kill switch, on every page', async () => {
    const { workspace, page } = await openLive('/users');
    await workspace.operator.post('/v1/workspace/kill-switch', { active: true });
    await page.getByText('The kill switch is on.').waitFor({ timeout: SHOWN_WITHIN_MS });
  });

  test('the removal of the member who looks at it', async () => {
    const workspace = await newWorkspace(bed);
    const viewer = await newMember(bed, workspace, 'viewer');
    const { page } = await viewer.open('/runs');
    await following(page);
    await workspace.operator.send('DELETE', `/v1/members/${viewer.id}`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor({ timeout: SHOWN_WITHIN_MS });
  });
});

test('a page makes no request in 30 seconds while nothing changes', async () => {
  const { workspace, page } = await openLive('/');
  await page.waitForTimeout(LAST_POLL_MS);
  await settled(page);
  const requests = await requestsDuring(page, () => page.waitForTimeout(IDLE_MS));
  expect(requests).toEqual([]);
  // The stream is still alive.
  await startRun(workspace, { user_id: 'grace' });
  await page.getByRole('link', { name: /Run of grace/ }).waitFor({ timeout: SHOWN_WITHIN_MS });
});

test.each([
  ['refused', { status: 503, body: '{"detail":"There are too many streams"}' }],
  ['not what it should be', { status: 200, contentType: 'text/html', body: '<p>Sign in to the network</p>' }],
])('a page polls while the stream is %s', async (_, response) => {
  const workspace = await newWorkspace(bed);
  const { page } = await workspace.open('/settings');
  await page.route(`**${STREAM_PATH}`, (route) => route.fulfill(response));
  await page.goto('/runs');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  const requests = await requestsDuring(page, () => page.waitForTimeout(POLL_MS));
  expect(requests).toContain('/v1/runs/');
  await startRun(workspace, { user_id: 'grace' });
  await page.getByRole('link', { name: /Run of grace/ }).waitFor();
});

test('a page polls after the stream was cut, and follows changes again when it is back', async () => {
  const { workspace, page } = await openLive('/runs');
  await page.route(`**${STREAM_PATH}`, (route) => route.abort());
  await bed.service.interrupt();
  await page.getByText(/^Connection lost/).waitFor();
  await bed.service.resume();
  await page.getByText(/^Connection lost/).waitFor({ state: 'hidden' });
  await startRun(workspace, { user_id: 'grace' });
  await page.getByRole('link', { name: /Run of grace/ }).waitFor();
  const opened = page.waitForResponse((reply) => isStream(reply.request()) && reply.ok(), {
    timeout: 60_000,
  });
  await page.unroute(`**${STREAM_PATH}`);
  await opened;
  await startRun(workspace, { user_id: 'linus' });
  await page.getByRole('link', { name: /Run of linus/ }).waitFor({ timeout: SHOWN_WITHIN_MS });
});

/** Opens a page, and waits until it follows changes. */
async function openLive(path: string): Promise<{ workspace: TestWorkspace; page: Page; problems: string[] }> {
  const workspace = await newWorkspace(bed);
  const { page, problems } = await workspace.open(path);
  await following(page);
  await settled(page);
  return { workspace, page, problems };
}

/** The paths of all requests but the stream itself. */
async function requestsDuring(page: Page, work: () => Promise<unknown>): Promise<string[]> {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  await work();
  return paths.filter((path) => path !== STREAM_PATH);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return Math.round(performance.now() - begun);
}
