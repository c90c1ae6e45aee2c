/** The tests of one folder, in one process for all changes. */
import { defineConfig } from 'vitest/config';
import { texts } from '../../src/texts/build/vite-texts.ts';
import { TESTS_VARIABLE } from './tests-variable.ts';

const HANGS_MS = 60_000;

export default defineConfig({
  plugins: [texts({ allAtOnce: true })],
  test: {
    include: JSON.parse(process.env[TESTS_VARIABLE] ?? '[]') as string[],
    isolate: false,
    globalSetup: 'test/support/run-directory.ts',
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    server: { deps: { inline: ['graphql', 'graphql-http', '@pothos/core'] } },
  },
});
