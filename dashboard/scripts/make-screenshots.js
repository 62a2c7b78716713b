/** Takes the screenshots of the README: fills a temporary store with the demo data and captures two pages. */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, findChromium } from '../e2e/support/find-chromium.js';

const COMMAND = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));
const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const MAX_BYTES = 200_000;

const folder = mkdtempSync(join(tmpdir(), 'guarded-runs-screenshots-'));
const env = {
  ...process.env,
  PORT: '0',
  DATABASE_URL: `sqlite:${join(folder, 'demo.db')}`,
  LOG_LEVEL: 'error',
};
const signIn = execFileSync(process.execPath, [COMMAND, 'demo'], { env, encoding: 'utf8' });
const service = spawn(process.execPath, [COMMAND, 'serve'], { env, stdio: ['ignore', 'inherit', 'pipe'] });
try {
  const url = await listeningUrl();
  const token = await tokenOf(url);
  mkdirSync(IMAGES, { recursive: true });
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  try {
    await takeScreenshot(browser, {
      url,
      token,
      name: 'overview.png',
      path: '/',
      colorScheme: 'light',
      height: 1020,
    });
    const runId = await findDeniedRun(url, token);
    await takeScreenshot(browser, {
      url,
      token,
      name: 'denied-step.png',
      path: `/runs/${runId}`,
      colorScheme: 'dark',
      height: 760,
      press: 'Explain',
    });
  } finally {
    await browser.close();
  }
} finally {
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {{ url: string, token: string, name: string, path: string, colorScheme: 'light' | 'dark', height: number,
 *   press?: string }} given
 */
async function takeScreenshot(browser, { url, token, name, path, colorScheme, height, press }) {
  const page = await browser.newPage({
    viewport: { width: 1320, height },
    colorScheme,
    reducedMotion: 'reduce',
  });
  await page.addInitScript((value) => localStorage.setItem('guarded-runs-token', value), token);
  await page.goto(url + path);
  await page.waitForLoadState('networkidle');
  if (press !== undefined) await page.getByRole('button', { name: press }).click();
  await page.waitForTimeout(600);
  const file = join(IMAGES, name);
  await page.screenshot({ path: file });
  await page.close();
  const { size } = statSync(file);
  if (size > MAX_BYTES) throw new Error(`${name} has ${size} bytes, more than ${MAX_BYTES}`);
  process.stdout.write(`docs/images/${name}  ${Math.round(size / 1_000)} kB\n`);
}

/** @returns {Promise<string>} */
function listeningUrl() {
  return new Promise((resolve, reject) => {
    service.stderr.on('data', (/** @type {Buffer} */ chunk) => {
      const url = /Dashboard\s+(http:\S+)/.exec(chunk.toString('utf8'))?.[1];
      if (url !== undefined) resolve(url);
    });
    service.once('exit', (code) => reject(new Error(`The service exited with code ${code}`)));
  });
}

/**
 * @param {string} url
 * @returns {Promise<string>}
 */
async function tokenOf(url) {
  const response = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: /E-mail\s+(\S+)/.exec(signIn)?.[1],
      password: /Password\s+(\S+)/.exec(signIn)?.[1],
    }),
  });
  return (await response.json()).access_token;
}

/**
 * Finds the run with the most steps among those with a denied step.
 * @param {string} url
 * @param {string} token
 * @returns {Promise<string>}
 */
async function findDeniedRun(url, token) {
  const get = async (/** @type {string} */ path) =>
    (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).json();
  const { items } = await get('/v1/runs/?status=FAILED&per_page=100');
  let best = { id: '', steps: 0 };
  for (const { id } of items) {
    const { steps } = await get(`/v1/runs/${id}`);
    const isDenied = steps.some((/** @type {{ status: string }} */ step) => step.status === 'BLOCKED');
    if (isDenied && steps.length > best.steps) best = { id, steps: steps.length };
  }
  return best.id;
}
