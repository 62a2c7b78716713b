import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRoute, nameOf, ROUTES } from '../support/routes.js';
import { startTestService, type TestService } from '../support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const withSlash = (path: string) => path.replace(/\/?$/, '/');
const withoutSlash = (path: string) => path.replace(/\/$/, '');

test.each(ROUTES.map((route) => [nameOf(route), route] as const))(
  '%s works with and without the last slash, without a redirect',
  async (_, route) => {
    const replies = [
      await callRoute(service, route, withSlash),
      await callRoute(service, route, withoutSlash),
    ];
    expect(replies.map(({ status }) => status)).toEqual([route.status, route.status]);
    expect(replies.map(({ headers }) => headers.get('location'))).toEqual([null, null]);
  },
);

test('a query works with both forms', async () => {
  const { machine } = await service.register();
  for (const path of ['/v1/runs?per_page=7', '/v1/runs/?per_page=7']) {
    expect((await machine.get(path)).body).toMatchObject({ items: [], per_page: 7 });
  }
});

test('the reference page works at both addresses, without a redirect', async () => {
  for (const path of ['/docs', '/docs/']) {
    const page = await service.anonymous.get(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  }
});
