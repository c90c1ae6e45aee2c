// Vitest itself imports tests' TypeScript in its own process as well.
import './test/support/typescript/register.js';
import { configDefaults, defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { texts } from './src/texts/build/vite-texts.ts';
import { PATIENCE_MS } from './test/support/patience.ts';
import { TestOrder } from './test/support/test-order.ts';

/** Kills the daemon at random for minutes, so it waits for a machine that has nothing else to do: `npm run soak`. */
const SOAK = 'test/e2e/chaos-kill.test.ts';

/** Visits every page in both languages, both looks and four sizes, which takes minutes: `npm run every-page`. */
const EVERY_PAGE = 'test/browser/every-page.test.ts';

const EXCLUDED = [
  ...configDefaults.exclude,
  ...(process.env.HEARTHD_SOAK ? [] : [SOAK]),
  ...(process.env.HEARTHD_EVERY_PAGE ? [] : [EVERY_PAGE]),
];

/** What needs a process of its own: because it ends it or changes it for good, or weighs its memory. */
const ALONE = [
  'test/app/automations/engine/kill-process.test.ts',
  'test/app/history/store.test.ts',
  'test/cli/{completion,daemon,start}.test.ts',
  'test/drivers/http/**/*.test.ts',
  'test/drivers/virtual/{kill,safe-pattern}.test.ts',
  'test/e2e/{events,home-leaks,hostile}.test.ts',
  'test/storage/backups/backups.test.ts',
  'test/support-tests/demo-home.test.ts',
];

/** The modules of the pages have their texts from Vite. */
const PAGES = ['test/web/**/*.test.ts'];

/** They load modules again, which those after them in the same process would have to do for all. */
const PAGES_ALONE = [
  'test/web/home/kept-home.test.ts',
  'test/web/session/{live-connection,notices,service-worker-push,session}.test.ts',
];

/**
 * Node imports everything itself, several times as fast as from Vite, which has the source maps that coverage needs. In
 * a larger young generation, what a test made is gone before it is collected.
 */
const NATIVE = process.argv.includes('--coverage')
  ? {}
  : {
      experimental: { viteModuleRunner: false, nodeLoader: false },
      execArgv: ['--max-semi-space-size=64', '--import', './test/support/typescript/register.js'],
    };

/** With `maxWorkers: 0` a project takes what the command line gives (`--maxWorkers=1`), else what is below. */
const project = (name: string, include: string[], exclude: string[], options: object): TestProjectConfiguration => ({
  extends: true,
  test: { name, include, exclude: [...EXCLUDED, ...exclude], maxWorkers: 0, ...options },
});

export default defineConfig({
  plugins: [texts({ allAtOnce: true })],
  test: {
    // A process takes one file after the other, so that what they import is loaded once: that takes longer than most of them.
    projects: [
      project('alone', ALONE, [], { isolate: true, ...NATIVE }),
      project('shared', ['test/**/*.test.ts'], [...ALONE, ...PAGES], { isolate: false, ...NATIVE }),
      project('pages alone', PAGES_ALONE, [], { isolate: true }),
      project('pages', PAGES, PAGES_ALONE, { isolate: false }),
    ],
    sequence: { sequencer: TestOrder },
    globalSetup: 'test/support/run-directory.ts',
    // What hangs, hangs for good: these end it, and are no measure of anything. A small machine that has other work to do may be twenty times
    // slower for a while.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    pool: 'forks',
    // More than half of the time tests wait for devices, clocks and browsers: with four, a small machine's two cores were idle a tenth of it.
    maxWorkers: 5,
    // Else Vite and Node would each load a copy of graphql for the pages, whose types do not know one another.
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
          lines: 98,
          statements: 97,
          functions: 98,
          branches: 91,
        },
        'src/drivers/**': { lines: 98, statements: 97, functions: 98, branches: 92 },
        // Some commands run only as a process of their own, and most pages only in the browser: neither counts.
        'src/cli/**': { lines: 91, statements: 89, functions: 90, branches: 79 },
        'src/web/**': { lines: 55, statements: 55, functions: 58, branches: 58 },
      },
    },
  },
});
