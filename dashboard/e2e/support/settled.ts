/** Waits until a page has loaded what it shows. The stream of changes stays open, so the network never becomes idle. */

import type { Page, Request } from 'playwright-core';

const QUIET_MS = 500;
const POLL_MS = 50;
const DEADLINE_MS = 30_000;
export const STREAM_PATH = '/v1/events';

interface Traffic {
  readonly pending: Set<Request>;
  quietSince: number;
  isFollowing: boolean;
}

const trafficOf = new WeakMap<Page, Traffic>();

/** Call it before the first page is loaded. */
export function watchTraffic(page: Page): void {
  const traffic: Traffic = { pending: new Set(), quietSince: Date.now(), isFollowing: false };
  trafficOf.set(page, traffic);
  const end = (request: Request) => {
    traffic.pending.delete(request);
    traffic.quietSince = Date.now();
  };
  page.on('request', (request) => {
    if (!isStream(request)) traffic.pending.add(request);
  });
  page.on('response', (response) => {
    if (isStream(response.request())) traffic.isFollowing = response.ok();
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  // Requests of the page before are never reported as ended.
  page.on('framenavigated', () => traffic.pending.clear());
}

export function isStream(request: Request): boolean {
  return new URL(request.url()).pathname === STREAM_PATH;
}

export async function settled(page: Page): Promise<void> {
  const traffic = watched(page);
  await page.waitForLoadState('load');
  const isQuiet = () => traffic.pending.size === 0 && Date.now() - traffic.quietSince >= QUIET_MS;
  await until(isQuiet, 'The page does not stop loading');
}

/** Waits until the page has opened the stream of changes. */
export async function following(page: Page): Promise<void> {
  const traffic = watched(page);
  await until(() => traffic.isFollowing, 'The page does not follow changes');
}

function watched(page: Page): Traffic {
  const traffic = trafficOf.get(page);
  if (traffic === undefined) throw new Error('The traffic of this page is not watched');
  return traffic;
}

async function until(isReached: () => boolean, message: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!isReached()) {
    if (Date.now() > deadline) throw new Error(message);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
