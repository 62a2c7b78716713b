import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // One browser at a time: on small machines, parallel browsers are slower.
    fileParallelism: false,
  },
});
