import { configDefaults, defineConfig } from 'vitest/config';

/** Trials that take a minute each. `npm run test:slow` runs them, and nothing else. */
const slow = '**/*.slow.test.ts';
const isSlow = process.env.npm_lifecycle_event === 'test:slow';

export default defineConfig({
  test: {
    include: isSlow ? [`test/${slow}`] : ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: isSlow ? configDefaults.exclude : [...configDefaults.exclude, slow],
    globalSetup: ['test/kit/services.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
