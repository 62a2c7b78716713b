import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SEVERE = new Set(['serious', 'critical']);

/** The serious and critical axe violations on the current page, one line each. */
export async function severeViolations(page: Page): Promise<string[]> {
  // Evaluated through the debugger, to which the Content-Security-Policy does not apply. Once per document: it is large.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  const { violations } = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    return axe.run({ resultTypes: ['violations'] });
  });
  return violations
    .filter(({ impact }) => SEVERE.has(impact ?? ''))
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${impact} ${id}: ${help} at ${target.join(' ')} (${failureSummary})`,
      ),
    );
}
