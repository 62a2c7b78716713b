/** The gateway in the dashboard: its settings work as they are copied, and a run shows that it came through it. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProviderStandIn, startProvider } from '../../sdk/typescript/test/support/provider-stand-in.ts';
import { testAppearances } from './support/appearances.ts';
import { launchBrowser } from './support/browser.ts';
import { type Service, startService } from './support/service.ts';
import { newWorkspace, type TestWorkspace } from './support/workspace.ts';

/** Where the SDKs of the providers are found. */
const SDK = fileURLToPath(new URL('../../sdk/typescript/', import.meta.url));
const CALL = `
import OpenAI from 'openai';
const openai = new OpenAI({ defaultHeaders: { 'X-Guarded-User': 'ann', 'X-Guarded-Session': 'ticket 4711' } });
const { choices } = await openai.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] });
console.log(choices[0].message.content);
`;

const run = promisify(execFile);

let provider: ProviderStandIn;
let service: Service;
let browser: Browser;
let workspace: TestWorkspace;
beforeAll(async () => {
  provider = await startProvider();
  const environment = { GATEWAY_OPENAI_URL: provider.url, GATEWAY_OPENAI_API_KEY: 'sk-of-the-provider' };
  [service, browser] = await Promise.all([startService(environment), launchBrowser()]);
  workspace = await newWorkspace({ service, browser });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await provider?.stop();
});

const codeOf = async (page: Page, label: string) =>
  (await page.getByRole('region', { name: label, exact: true }).textContent()) ?? '';

describe('an agent whose code stays as it is', () => {
  test('is guarded with the settings of the set-up page, and its run says where it came from', async () => {
    const { page, problems } = await workspace.open('/setup');
    await page.getByRole('button', { name: 'Create an API key' }).click();
    await page.getByText('Or change only a base URL').waitFor();
    const region = page.getByRole('region', { name: 'settings for OpenAI', exact: true });
    await expect.poll(() => region.textContent()).toContain('lg_');
    const settings = await codeOf(page, 'settings for OpenAI');
    for (let call = 0; call < 2; call += 1) {
      const { stdout } = await run('sh', ['-c', `${settings}\nnode --input-type=module -e "$CALL"`], {
        cwd: SDK,
        env: { ...process.env, CALL },
      });
      expect(stdout).toBe('Hello, world\n');
    }

    await page.goto(`${service.url}/runs`);
    await page.getByRole('link', { name: 'ann' }).first().waitFor();
    const [{ id }] = (await workspace.operator.get('/v1/runs/?user_id=ann')).body.items;
    await page.goto(`${service.url}/runs/${id}`);
    await page.getByText('Gateway (openai), session').waitFor();
    expect(await page.getByText('session_key').count()).toBe(0);
    await page.getByRole('link', { name: 'ticket 4711' }).click();
    await page.waitForURL(/\/runs\?metadata=session_key/);
    await page.getByRole('row').nth(1).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('keeps the key of its provider if the service has none, and is told which header to add', async () => {
    const { page } = await workspace.open('/setup');
    await page.getByText('Or change only a base URL').waitFor();
    await page.getByText('The service has no key of Anthropic').waitFor();
    expect(await codeOf(page, 'settings for Anthropic')).toBe(
      `export ANTHROPIC_BASE_URL=${service.url}/gateway/anthropic`,
    );
    expect(await codeOf(page, 'header for Anthropic')).toContain('X-Guarded-Key: ');
    await page.context().close();
  });
});

testAppearances(
  'the settings of the gateway, and a run through it',
  { workspace: () => workspace, path: '/setup' },
  async (page, check) => {
    await page.getByText('Or change only a base URL').waitFor();
    await check('the settings');
    const [{ id }] = (await workspace.operator.get('/v1/runs/?user_id=ann')).body.items;
    await page.goto(`${service.url}/runs/${id}`);
    await page.getByText('Gateway (openai), session').waitFor();
    await check('the run');
  },
);
