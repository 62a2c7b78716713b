import { defineConfig } from 'vitest/config';

/** Measurements, run manually: npm run bench. A test records one or more figures; it fails when it could not measure them. */
export default defineConfig({
  test: {
    include: [
      process.env['SOAK_MINUTES'] === undefined ? 'bench/figures/*.bench.ts' : 'bench/soak/*.bench.ts',
    ],
    // Filling a store with 10,000,000 steps and recomputing all its counters is slow.
    testTimeout: 2 * 60 * 60_000,
    hookTimeout: 10 * 60_000,
    fileParallelism: false,
    disableConsoleIntercept: true,
    reporters: ['bench/figure-reporter.ts'],
  },
});
