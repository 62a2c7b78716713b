import { defineConfig } from 'vitest/config';

/** Measurements, run by hand: npm run bench. A test is a figure or some; it fails when it could not be measured. */
export default defineConfig({
  test: {
    include: [
      process.env['SOAK_MINUTES'] === undefined ? 'bench/figures/*.bench.ts' : 'bench/soak/*.bench.ts',
    ],
    // Filling a store with 10,000,000 steps and recomputing all its counters takes its time.
    testTimeout: 2 * 60 * 60_000,
    hookTimeout: 10 * 60_000,
    fileParallelism: false,
    disableConsoleIntercept: true,
    reporters: ['bench/figure-reporter.ts'],
  },
});
