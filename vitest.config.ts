import { configDefaults, defineConfig } from 'vitest/config';

/** Kills the daemon at random for minutes, so it waits for a machine that has nothing else to do: `npm run soak`. */
const SOAK = 'test/e2e/chaos-kill.test.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(process.env.HEARTHD_SOAK ? [] : [SOAK])],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // Most of the time tests wait for devices, clocks and browsers: one more than the two cores of a small machine keeps those busy. Not
    // more: real accessories do real key exchanges (SRP costs a quarter of a second each), and those would time out.
    maxWorkers: 3,
    // Else vite and Node would each load a copy of graphql, whose types do not know one another.
    server: { deps: { inline: ['graphql', 'graphql-http', '@pothos/core'] } },
    coverage: { provider: 'v8', include: ['src/**'] },
  },
});
