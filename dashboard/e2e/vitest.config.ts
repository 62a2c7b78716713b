import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 400_000,
    // Each file has its own service and browser. Tests often wait, so that two at a time share even a small machine well.
    maxWorkers: 2,
  },
});
