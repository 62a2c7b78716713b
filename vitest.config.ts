import { defineConfig } from 'vitest/config';

/** What is about the store runs on every store; everything else runs once, with the first. */
const STORE_TESTS = [
  'server/test/fuzz/**/*.test.ts',
  'server/test/gateway/**/*.test.ts',
  'server/test/http/**/*.test.ts',
  'server/test/neighbours/**/*.test.ts',
  'server/test/store/**/*.test.ts',
  'server/test/workload/**/*.test.ts',
];
const POSTGRES_TESTS = 'server/test/postgres/**/*.test.ts';

/** Long: a busy machine must not decide a test. */
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } };

export default defineConfig({
  test: {
    // One test waits for a database or a process while another one computes, also on two cores.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...timeouts,
          name: 'sqlite',
          env: { TEST_STORE: 'sqlite' },
          include: [
            'server/test/**/*.test.ts',
            'sdk/typescript/test/**/*.test.ts',
            'dashboard/test/**/*.test.ts',
          ],
          exclude: [POSTGRES_TESTS, 'server/test/gateway-python/**'],
        },
      },
      {
        test: {
          ...timeouts,
          name: 'postgres',
          env: { TEST_STORE: 'postgres' },
          include: [...STORE_TESTS, POSTGRES_TESTS],
          globalSetup: 'server/test/support/postgres-setup.ts',
        },
      },
    ],
  },
});
