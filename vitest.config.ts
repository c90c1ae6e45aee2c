import { configDefaults, defineConfig } from 'vitest/config';
import { texts } from './src/texts/build/vite-texts.ts';
import { PATIENCE_MS } from './test/support/patience.ts';
import { TestOrder } from './test/support/test-order.ts';

/** Kills the daemon at random for minutes, so it waits for a machine that has nothing else to do: `npm run soak`. */
const SOAK = 'test/e2e/chaos-kill.test.ts';

const EXCLUDED = [...configDefaults.exclude, ...(process.env.HEARTHD_SOAK ? [] : [SOAK])];

/** What needs a process of its own: because it ends it or changes it for good, or weighs its memory. */
const ALONE = [
  'test/app/automations/engine/kill-process.test.ts',
  'test/app/history/store.test.ts',
  'test/cli/{completion,daemon,start}.test.ts',
  'test/drivers/http/**/*.test.ts',
  'test/drivers/virtual/{kill,safe-pattern}.test.ts',
  'test/e2e/{events,home-leaks}.test.ts',
  'test/storage/backups/backups.test.ts',
  'test/support-tests/demo-home.test.ts',
  // They load modules again, which those after them in the same process would have to do for all.
  'test/web/home/kept-home.test.ts',
  'test/web/session/{live-connection,notices,service-worker-push,session}.test.ts',
];

export default defineConfig({
  plugins: [texts({ allAtOnce: true })],
  test: {
    // With `maxWorkers: 0` they take what the command line gives (`--maxWorkers=1`), else what is below.
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE, exclude: EXCLUDED, isolate: true, maxWorkers: 0 } },
      // A process takes one file after the other, so that what they import is loaded once: that takes longer than most of them. All are of
      // one project: each would have processes of its own, and would transform every module again.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...EXCLUDED, ...ALONE],
          isolate: false,
          maxWorkers: 0,
        },
      },
    ],
    sequence: { sequencer: TestOrder },
    globalSetup: 'test/support/run-directory.ts',
    // What hangs, hangs for good: these end it, and are no measure of anything. A small machine that has other work to do may be twenty times
    // slower for a while.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    pool: 'forks',
    // Half of the time tests wait for devices, clocks and browsers: twice the two cores of a small machine keeps those busy.
    maxWorkers: 4,
    // Else vite and Node would each load a copy of graphql, whose types do not know one another.
    server: { deps: { inline: ['graphql', 'graphql-http', '@pothos/core'] } },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // Pages run in the browser and the Matter library in a process of its own: neither counts here.
      exclude: ['src/texts/**', 'src/drivers/matter/child/**'],
      reporter: ['text-summary', 'html'],
      // Just under what is measured.
      thresholds: {
        'src/{api,app,config,contract,hap-spec,home,kernel,relay,storage}/**': {
          lines: 97,
          statements: 96,
          functions: 97,
          branches: 90,
        },
        'src/drivers/**': { lines: 94, statements: 92, functions: 92, branches: 90 },
        'src/cli/**': { lines: 92, statements: 90, functions: 92, branches: 80 },
        'src/web/**': { lines: 56, statements: 56, functions: 58, branches: 59 },
      },
    },
  },
});
