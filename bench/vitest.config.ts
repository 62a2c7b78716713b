import { defineConfig } from 'vitest/config';

/** Measurements, run by hand: npm run bench. Each prints ratios of figures taken in the same run. */
export default defineConfig({
  test: {
    include: ['bench/**/*.bench.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
});
