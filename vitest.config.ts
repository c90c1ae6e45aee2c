import { configDefaults, defineConfig } from 'vitest/config';
import { texts } from './src/texts/build/vite-texts.ts';
import { PATIENCE_MS } from './test/support/patience.ts';

/** Kills the daemon at random for minutes, so it waits for a machine that has nothing else to do: `npm run soak`. */
const SOAK = 'test/e2e/chaos-kill.test.ts';

const EXCLUDED = [...configDefaults.exclude, ...(process.env.HEARTHD_SOAK ? [] : [SOAK])];

/**
 * Nearly all run several files to a process, so that what they import is loaded once: that takes longer than most of them. Those with
 * relays, devices and browsers come first, as they wait a lot and take long; what needs nothing but the processor fills up the end.
 */
const UNITS = ['app', 'cli', 'contract', 'docs', 'drivers', 'api', 'hap-spec', 'home', 'kernel', 'texts', 'web'];

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
];

/** Of the units' folders, what has real devices all the same. */
const WITH_DEVICES = [
  'test/drivers/hap/**/*.test.ts',
  'test/drivers/discovery/{fuzz,loopback}.test.ts',
  'test/drivers/matter/{bridge,restarts}.test.ts',
];

function project(name: string, include: string[], exclude: string[], isolate: boolean, retry = 0) {
  return {
    extends: true as const,
    test: { name, include, exclude: [...EXCLUDED, ...exclude], isolate, retry },
  };
}

export default defineConfig({
  plugins: [texts({ allAtOnce: true })],
  test: {
    // They begin in the order of their names.
    projects: [
      project('alone', ALONE, [], true),
      // A browser on a busy machine may miss a step: such a test has a second try, which the report shows (`retry x1`).
      project('browser', ['test/browser/**/*.test.ts'], ALONE, false, 1),
      project(
        'homes',
        ['test/*.test.ts', `test/!(${[...UNITS, 'browser'].join('|')})/**/*.test.ts`, ...WITH_DEVICES],
        ALONE,
        false,
      ),
      project(
        'units',
        UNITS.map((folder) => `test/${folder}/**/*.test.ts`),
        [...ALONE, ...WITH_DEVICES],
        false,
      ),
    ],
    globalSetup: 'test/support/run-directory.ts',
    // What hangs, hangs for good: these end it, and are no measure of anything. A small machine that has other work to do may be twenty times
    // slower for a while.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    pool: 'forks',
    // Much of the time tests wait for devices, clocks and browsers: one more than the two cores of a small machine keeps those busy. Not
    // more: real accessories do real key exchanges (SRP costs a quarter of a second each), and those would time out.
    maxWorkers: 3,
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
