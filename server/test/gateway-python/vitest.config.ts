import { defineConfig } from 'vitest/config';

/** Apart from the other tests: it needs Python, and installs packages. */
export default defineConfig({
  test: {
    root: new URL('../../..', import.meta.url).pathname,
    include: ['server/test/gateway-python/**/*.test.ts'],
    env: { TEST_STORE: 'sqlite' },
    testTimeout: 300_000,
  },
});
