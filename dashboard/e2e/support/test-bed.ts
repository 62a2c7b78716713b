/** The service and the browser of a test file: started before its tests and stopped after them. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type Service, startService } from './service.ts';

export interface TestBed {
  readonly service: Service;
  readonly browser: Browser;
}

/** Call it at the top of the file; use the result within tests and hooks. */
export function startTestBed(): TestBed {
  let service: Service | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  return {
    get service() {
      return started(service);
    },
    get browser() {
      return started(browser);
    },
  };
}

function started<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('Not started yet: use it within a test or a hook');
  return thing;
}
