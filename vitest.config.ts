import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Real accessories do real key exchanges (SRP costs a quarter of a second each): more workers than cores only time out.
    maxWorkers: 2,
    coverage: { provider: 'v8', include: ['src/**'] },
  },
});
