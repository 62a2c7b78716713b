/** A new workspace for a test, with API clients for its operator and an agent, and signed-in pages. */

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { Api } from './api.ts';
import { openPage, type WatchedPage } from './browser.ts';
import type { Service } from './service.ts';

export interface TestWorkspace {
  readonly token: string;
  /** Makes changes outside of the page under test. */
  readonly operator: Api;
  readonly agent: Api;
  open(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

let registered = 0;

export async function newWorkspace(
  { browser, service }: { browser: Browser; service: Service },
  plan = 'scale',
): Promise<TestWorkspace> {
  registered += 1;
  const { body } = await new Api(service.url, null).post('/v1/auth/register', {
    email: `operator-${registered}@example.com`,
    password: 'correct horse',
  });
  const operator = new Api(service.url, body.access_token);
  await operator.send('PUT', '/v1/billing/plan', { plan });
  return {
    token: body.access_token,
    operator,
    agent: new Api(service.url, body.api_key),
    open: async (path, options) => {
      const watched = await openPage(browser, service.url, { reducedMotion: 'reduce', ...options });
      await watched.page.addInitScript(
        (value) => localStorage.setItem('guarded-runs-token', value),
        body.access_token,
      );
      await watched.page.goto(path);
      await watched.page.getByRole('heading', { level: 1 }).waitFor();
      return watched;
    },
  };
}
