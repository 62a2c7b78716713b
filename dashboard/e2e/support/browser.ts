/** Starts a real Chromium and opens pages that record errors, policy violations and requests to other origins. */

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from './find-chromium.js';
import { watchTraffic } from './settled.ts';

/** The browser logs 4xx responses as errors. The tests cause some on purpose. */
const EXPECTED_REPORT = /^Failed to load resource: the server responded with a status of 4\d\d/;

export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_FLAGS, ...flags] });
}

export interface WatchedPage {
  readonly page: Page;
  /** Console errors, uncaught errors, policy violations and requests to other origins so far. */
  readonly problems: string[];
}

export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  watchTraffic(page);
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`Policy violation: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !EXPECTED_REPORT.test(message.text())) {
      problems.push(`${message.type()}: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:' && url.protocol !== 'blob:') {
      problems.push(`request to another origin: ${request.url()}`);
    }
  });
  return { page, problems };
}
