/** In JavaScript, because the script that makes the screenshots runs without a compiler. */

import { existsSync } from 'node:fs';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Nothing but the page itself: no sandbox (containers have none), no requests of the browser's own. */
export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The installed Chromium; CHROMIUM_PATH decides where it is somewhere else.
 * @returns {string}
 */
export function findChromium() {
  const found = process.env['CHROMIUM_PATH'] ?? CANDIDATES.find((path) => existsSync(path));
  if (found === undefined) {
    throw new Error(
      'No Chromium found. Install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    );
  }
  return found;
}
