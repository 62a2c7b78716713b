/**
 * Random tests that can run for seconds or for hours. `npm test` keeps them short; TEST_FULL=1 runs them at the size in
 * docs/guarantees.md; `npm run torture` repeats them with new seeds.
 */

/** The seed from the environment, or a new one; printed, so that a failure can be replayed with TEST_SEED. */
export function campaignSeed(name: string): number {
  const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  process.stderr.write(`${name}: TEST_SEED=${seed}\n`);
  return seed;
}

export const isFullSize = process.env['TEST_FULL'] === '1';

export function campaignSize<Size>(given: { short: Size; full: Size }): Size {
  return isFullSize ? given.full : given.short;
}

/** Prints what a campaign did. */
export function reportCampaign(name: string, figures: Readonly<Record<string, number | string>>): void {
  const text = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
  process.stderr.write(`${name}: ${text.join(', ')}\n`);
}
