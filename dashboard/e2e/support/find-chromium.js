/** A JavaScript file, because the screenshot script runs without a compiler. */

import { existsSync } from 'node:fs';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Without a sandbox, which containers do not support, and without background requests of the browser. */
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
 * Returns the path of the installed Chromium. CHROMIUM_PATH takes precedence.
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
