import { defineConfig } from 'vitest/config';

/** The SDK in other runtimes: npm run test:runtimes. Their binaries are large, so the other tests do without them. */
export default defineConfig({
  test: {
    include: ['sdk/typescript/runtimes/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    expect: { poll: { timeout: 20_000 } },
  },
});
