import { configDefaults, defineConfig } from 'vitest/config';

/** Kills the daemon at random for minutes, so it waits for a machine that has nothing else to do: `npm run soak`. */
const SOAK = 'test/e2e/chaos-kill.test.ts';

const EXCLUDED = [...configDefaults.exclude, ...(process.env.HEARTHD_SOAK ? [] : [SOAK])];

/**
 * Tests that leave nothing behind in their process: pure functions, and homes of their own in memory. One process runs many such
 * files, so that what all of them import is loaded once, which takes longer than most of them. Whatever changes what its process has
 * in common (spies on globals, `process`, modules put in others' place) belongs into the list below.
 */
const TOGETHER = ['app', 'cli', 'contract', 'drivers', 'faces', 'hap-spec', 'home', 'kernel', 'web'];

/** Of those folders' tests, what ends processes or changes their environment, has real accessories, or weighs the memory of its own. */
const NOT_TOGETHER = [
  'test/app/automations/engine/kill-process.test.ts',
  'test/app/history/store.test.ts',
  'test/cli/{completion,daemon,start}.test.ts',
  'test/drivers/{hap,http}/**/*.test.ts',
  'test/drivers/discovery/{fuzz,loopback}.test.ts',
  'test/drivers/virtual/{kill,safe-pattern}.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/*.test.ts', `test/!(${TOGETHER.join('|')})/**/*.test.ts`, ...NOT_TOGETHER],
          exclude: EXCLUDED,
        },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: TOGETHER.map((folder) => `test/${folder}/**/*.test.ts`),
          exclude: [...EXCLUDED, ...NOT_TOGETHER],
          isolate: false,
        },
      },
    ],
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
