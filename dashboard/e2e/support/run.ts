/** Runs of a test workspace, and how pages explain their decisions. */

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestWorkspace } from './workspace.ts';

/** Starts a run, by default of the user ada, and returns its ID. */
export async function startRun({ agent }: TestWorkspace, body: object = {}): Promise<string> {
  const reply = await agent.post('/v1/runs/', { user_id: 'ada', ...body });
  expect(reply.body.status).toBe('RUNNING');
  return reply.body.id;
}

export async function meterOf(place: Page | Locator, label: string): Promise<number> {
  return place.getByLabel(label).evaluate((meter) => (meter as HTMLMeterElement).value);
}

/** The cells of a rule in the table of a decision. */
export async function cellsOf(explanation: Locator, rule: string): Promise<string[]> {
  return explanation.getByRole('row').filter({ hasText: rule }).getByRole('cell').allTextContents();
}
