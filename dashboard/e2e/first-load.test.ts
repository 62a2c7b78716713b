/** How much the first load of the overview transfers: signed in, with an empty cache, as the service sends it. */

import { beforeAll, expect, test } from 'vitest';
import { Api } from './support/api.ts';
import { openPage } from './support/browser.ts';
import { startTestBed } from './support/test-bed.ts';

const MAX_BYTES = 200_000;
const MAX_REQUESTS = 15;
/** The page repeats its requests at longer intervals. */
const POLL_SECONDS = 3;

const bed = startTestBed();
let token: string;

beforeAll(async () => {
  token = await signIn();
});

test('the overview loads in at most 15 requests and 200 kB, with its fonts and data', async () => {
  const { page, problems } = await openPage(bed.browser, bed.service.url);
  await page.addInitScript((value) => localStorage.setItem('guarded-runs-token', value), token);
  const debuggerSession = await page.context().newCDPSession(page);
  await debuggerSession.send('Network.enable');
  const requests = new Map<string, { readonly url: string; readonly at: number }>();
  const bytes = new Map<string, number>();
  debuggerSession.on('Network.requestWillBeSent', ({ requestId, request: { url }, timestamp: at }) => {
    const isPoll = [...requests.values()].some((other) => other.url === url && at - other.at > POLL_SECONDS);
    if (!isPoll) requests.set(requestId, { url, at });
  });
  // Headers and the body, compressed.
  debuggerSession.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    bytes.set(requestId, encodedDataLength),
  );
  // A stream of events stays open.
  debuggerSession.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType === 'text/event-stream') bytes.set(requestId, response.encodedDataLength);
  });

  await page.goto('/');
  for (const region of ['Spend per day', 'Denials per day', 'Models', 'Top users', 'Newest runs']) {
    await page
      .getByRole('region', { name: region, exact: true })
      .getByRole('listitem')
      .or(page.getByRole('region', { name: region, exact: true }).getByRole('row'))
      .first()
      .waitFor();
  }
  await page.evaluate(() => document.fonts.ready);
  await expect.poll(() => [...requests.keys()].filter((id) => !bytes.has(id))).toEqual([]);

  const loads = [...requests].map(([id, { url }]) => ({
    path: new URL(url).pathname,
    bytes: bytes.get(id) ?? 0,
  }));
  const report = loads.map((load) => `${load.bytes} ${load.path}`).join('\n');
  expect(
    loads.some(({ path }) => path.endsWith('.woff2')),
    report,
  ).toBe(true);
  expect(loads.length, report).toBeLessThanOrEqual(MAX_REQUESTS);
  expect(
    loads.reduce((sum, load) => sum + load.bytes, 0),
    report,
  ).toBeLessThanOrEqual(MAX_BYTES);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the menu of a narrow page, which loads on demand, returns the focus when it is closed', async () => {
  const { page, problems } = await openPage(bed.browser, bed.service.url, {
    viewport: { width: 390, height: 844 },
  });
  await page.addInitScript((value) => localStorage.setItem('guarded-runs-token', value), token);
  await page.goto('/guardrails');
  const button = page.getByRole('button', { name: 'Open menu' });
  for (const _time of ['first', 'second']) {
    await button.click();
    await page.getByRole('dialog').getByRole('link', { name: 'Runs' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  }
  expect(problems).toEqual([]);
  await page.context().close();
});

/** With a month of data. */
async function signIn(): Promise<string> {
  const printed = await bed.service.run('demo');
  const { body } = await new Api(bed.service.url, null).post('/v1/auth/login', {
    email: /E-mail\s+(\S+)/.exec(printed)?.[1],
    password: /Password\s+(\S+)/.exec(printed)?.[1],
  });
  return body.access_token;
}
