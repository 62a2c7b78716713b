/** Checks pages in each colour scheme, wide and on a phone. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { severeViolations } from './accessibility.ts';
import { settled } from './settled.ts';
import type { Person } from './workspace.ts';

const WIDE = 1280;
const PHONE = 390;

export const APPEARANCES = [
  { colorScheme: 'light', width: WIDE },
  { colorScheme: 'dark', width: WIDE },
  { colorScheme: 'light', width: PHONE },
  { colorScheme: 'dark', width: PHONE },
] as const;

export type Check = (place: string) => Promise<void>;

/** Adds a test for each appearance that opens a path, and calls `visit` to go through the pages and check each. */
export function testAppearances(
  what: string,
  open: {
    readonly workspace: () => Pick<Person, 'open'>;
    readonly path: string;
    readonly appearances?: readonly (typeof APPEARANCES)[number][];
  },
  visit: (page: Page, check: Check) => Promise<void>,
): void {
  const appearances = open.appearances ?? APPEARANCES;
  test.each(appearances)(`${what}: accessible in $colorScheme at $width pixels`, async (appearance) => {
    const { colorScheme, width } = appearance;
    const { page, problems } = await open.workspace().open(open.path, {
      colorScheme,
      viewport: { width, height: 860 },
    });
    await visit(page, (place) => expectAccessible(page, place));
    expect(problems).toEqual([]);
    await page.context().close();
  });
}

/** No severe violation, and no horizontal scrolling. */
export async function expectAccessible(page: Page, place: string): Promise<void> {
  await settled(page);
  expect(await severeViolations(page), place).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${place} scrolls horizontally`).toBe(0);
}
