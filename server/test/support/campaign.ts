/**
 * Random tests that can run for seconds or for hours. `npm test` keeps them short; TEST_FULL=1 runs them at the size in
 * docs/guarantees.md; `npm run torture` repeats them with new seeds.
 */

export const isFullSize = process.env['TEST_FULL'] === '1';

/** `npm test` makes the same choices every time: what fails there was changed, not found by chance. */
const SHORT_SEED = 20261116;

/** The seed from the environment; without it, a new one in full size. Printed, so that a failure can be replayed with TEST_SEED. */
export function campaignSeed(name: string): number {
  const chosen = isFullSize ? Math.floor(Math.random() * 2 ** 31) : SHORT_SEED;
  const seed = Number(process.env['TEST_SEED'] ?? chosen);
  process.stderr.write(`${name}: TEST_SEED=${seed}\n`);
  return seed;
}

export function campaignSize<Size>(given: { short: Size; full: Size }): Size {
  return isFullSize ? given.full : given.short;
}

/** Prints what a campaign did. */
export function reportCampaign(name: string, figures: Readonly<Record<string, number | string>>): void {
  const text = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
  process.stderr.write(`${name}: ${text.join(', ')}\n`);
}
