/** Every page is accessible, does not overflow and logs no errors: with and without data, light, dark and on a phone. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { severeViolations } from './support/accessibility.ts';
import { Api } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { type Service, startService } from './support/service.ts';
import { settled } from './support/settled.ts';

const SIGNED_IN_PAGES = [
  '/',
  '/runs',
  '/users',
  '/users?sort=spend&search=m',
  '/users/view?user=nobody',
  '/models',
  '/models/view?model=unknown',
  '/guardrails',
  '/prices',
  '/activity',
  '/settings',
  '/setup',
  '/nowhere',
];
const APPEARANCES = [
  { scheme: 'light', width: 1360 },
  { scheme: 'dark', width: 1360 },
  { scheme: 'light', width: 360 },
] as const;

let service: Service;
let browser: Browser;
const tokens = { demo: '', empty: '' };
const runs = { completed: '', blocked: '', running: '' };
let people: readonly string[] = [];

beforeAll(async () => {
  service = await startService();
  browser = await launchBrowser();
  const printed = await service.run('demo');
  const anonymous = new Api(service.url, null);
  const signIn = await anonymous.post('/v1/auth/login', {
    email: /E-mail\s+(\S+)/.exec(printed)?.[1],
    password: /Password\s+(\S+)/.exec(printed)?.[1],
  });
  tokens.demo = signIn.body.access_token;
  const registered = await anonymous.post('/v1/auth/register', {
    email: 'empty@example.com',
    password: 'correct horse',
  });
  tokens.empty = registered.body.access_token;
  const operator = new Api(service.url, tokens.demo);
  const newestOf = async (status: string): Promise<string> =>
    (await operator.get(`/v1/runs/?status=${status}&per_page=1`)).body.items[0].id;
  const { by_user, by_model } = (await operator.get('/v1/usage/summary')).body;
  people = [
    `/users/view?user=${encodeURIComponent(by_user[0].user_id)}`,
    `/models/view?model=${encodeURIComponent(by_model[0].model)}`,
  ];
  runs.completed = await newestOf('COMPLETED');
  runs.blocked = await newestOf('BLOCKED');
  runs.running = await newestOf('RUNNING');
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('the demo data leaves every counter correct', async () => {
  expect(await service.run('verify')).toMatch(/^0 differences/);
});

describe.each(APPEARANCES)('$scheme at $width pixels', ({ scheme, width }) => {
  test('signed out', async () => {
    await checkPages({
      scheme,
      width,
      token: null,
      paths: [
        '/sign-in',
        '/register',
        '/reset-password#token',
        '/reset-password',
        '/join#email=grace%40example.com&token=t',
        '/join',
      ],
    });
  });

  test('without data', async () => {
    await checkPages({ scheme, width, token: tokens.empty, paths: SIGNED_IN_PAGES });
  });

  test('with a month of data', async () => {
    const details = [
      ...people,
      `/runs/${runs.completed}`,
      `/runs/${runs.blocked}`,
      `/runs/${runs.running}?view=table`,
    ];
    await checkPages({ scheme, width, token: tokens.demo, paths: [...SIGNED_IN_PAGES, ...details] });
  });

  test('dialogs and drawers', async () => {
    const { page, problems } = await signedInPage({ scheme, width, token: tokens.demo });
    const open = async (path: string, button: string | RegExp) => {
      await page.goto(path);
      await page.getByRole('button', { name: button }).first().click();
      await page.getByRole('dialog').waitFor();
      await page.waitForTimeout(400);
      expect(await severeViolations(page), `${path} ${button}`).toEqual([]);
    };
    await open(`/runs/${runs.completed}`, /Model call/);
    await open(`/runs/${runs.running}`, 'Stop run');
    await open('/guardrails', 'Stop everything');
    await open('/prices', 'Add from catalogue');
    await open('/prices', 'Add a price');
    await open('/users', /^Block maria/);
    await open('/prices', /^Edit/);
    await open('/settings', 'Create a key');
    await open('/settings', 'Invite a member');
    await open('/settings', 'Change to Basic');
    if (width < 900) await open('/', 'Open menu');
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

interface Appearance {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly token: string | null;
}

async function checkPages({ paths, ...given }: Appearance & { paths: readonly string[] }): Promise<void> {
  const { page, problems } = await signedInPage(given);
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    expect(await severeViolations(page), path).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${path} scrolls horizontally`).toBe(0);
  }
  expect(problems).toEqual([]);
  await page.context().close();
}

async function signedInPage({ scheme, width, token }: Appearance) {
  const watched = await openPage(browser, service.url, {
    colorScheme: scheme,
    viewport: { width, height: 860 },
    reducedMotion: 'reduce',
  });
  if (token !== null) {
    await watched.page.addInitScript((value) => localStorage.setItem('guarded-runs-token', value), token);
  }
  return watched;
}
