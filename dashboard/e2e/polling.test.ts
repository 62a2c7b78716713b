/** While nothing changes, the service answers polls with 304, and the browser serves its cached response. */

import { expect, onTestFinished, test } from 'vitest';
import { launchBrowser, openPage } from './support/browser.ts';
import { startService } from './support/service.ts';

test('an unchanged read is answered with 304, and the page gets the cached response', async () => {
  const service = await startService();
  onTestFinished(() => service.stop());
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const { page, problems } = await openPage(browser, service.url);
  await page.goto('/');
  const replies = await page.evaluate(async () => {
    const json = { 'content-type': 'application/json' };
    const account = { email: 'poll@example.com', password: 'correct horse' };
    const registered = await fetch('/v1/auth/register', {
      method: 'POST',
      headers: json,
      body: JSON.stringify(account),
    });
    const { access_token: token, api_key: apiKey } = await registered.json();
    const read = async (credential: string) => {
      const reply = await fetch('/v1/users/', { headers: { authorization: `Bearer ${credential}` } });
      return [reply.status, await reply.text()] as const;
    };
    const first = await read(token);
    const again = await read(token);
    await fetch('/v1/users/block', {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ user_id: '..' }),
    });
    return { first, again, changed: await read(token), otherCredential: await read(apiKey) };
  });
  expect(replies.first[0]).toBe(200);
  expect(replies.again).toEqual(replies.first);
  expect(JSON.parse(replies.changed[1]).items).toMatchObject([{ user_id: '..', blocked: true }]);
  expect(replies.otherCredential).toEqual(replies.changed);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const count = (status: number) =>
    Number(
      new RegExp(
        `http_request_duration_seconds_count\\{method="GET",route="/v1/users/",status="${status}"\\} (\\d+)`,
      ).exec(metrics)?.[1],
    );
  expect([count(200), count(304)]).toEqual([2, 2]);
  expect(problems).toEqual([]);
});
