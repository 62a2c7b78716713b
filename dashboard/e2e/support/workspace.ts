/** A new workspace for a test, with API clients for its operator and an agent, and signed-in pages of its members. */

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { Api } from './api.ts';
import { openPage, type WatchedPage } from './browser.ts';
import type { Service } from './service.ts';

interface Bed {
  readonly browser: Browser;
  readonly service: Service;
}

/** Someone who is signed in. */
export interface Person {
  readonly email: string;
  readonly token: string;
  open(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

export interface TestWorkspace extends Person {
  /** Makes changes outside of the page under test. */
  readonly operator: Api;
  readonly agent: Api;
}

export interface TestMember extends Person {
  readonly id: string;
  readonly api: Api;
}

let registered = 0;

export async function newWorkspace(bed: Bed, plan = 'scale'): Promise<TestWorkspace> {
  registered += 1;
  const email = `operator-${registered}@example.com`;
  const { body } = await new Api(bed.service.url, null).post('/v1/auth/register', {
    email,
    password: 'correct horse',
  });
  const operator = new Api(bed.service.url, body.access_token);
  await operator.send('PUT', '/v1/billing/plan', { plan });
  return {
    ...signedIn(bed, { email, token: body.access_token }),
    operator,
    agent: new Api(bed.service.url, body.api_key),
  };
}

/** A member who was invited to the workspace and has joined. */
export async function newMember(
  bed: Bed,
  { operator }: TestWorkspace,
  role: 'owner' | 'admin' | 'viewer',
): Promise<TestMember> {
  registered += 1;
  const email = `${role}-${registered}@example.com`;
  const invited = await operator.post('/v1/members/invitations', { email, role });
  const { body } = await new Api(bed.service.url, null).post('/v1/auth/register', {
    email,
    password: 'correct horse',
    invitation: invited.body.token,
  });
  return {
    ...signedIn(bed, { email, token: body.access_token }),
    id: body.user.id,
    api: new Api(bed.service.url, body.access_token),
  };
}

function signedIn({ browser, service }: Bed, person: { email: string; token: string }): Person {
  return {
    ...person,
    open: async (path, options) => {
      const watched = await openPage(browser, service.url, { reducedMotion: 'reduce', ...options });
      await watched.page.addInitScript(
        (value) => localStorage.setItem('guarded-runs-token', value),
        person.token,
      );
      await watched.page.goto(path);
      await watched.page.getByRole('heading', { level: 1 }).waitFor();
      return watched;
    },
  };
}
