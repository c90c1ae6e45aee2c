/**
 * A directory for what the processes of a run of tests keep until they end, removed after the last of them: they are
 * killed, and clear up nothing themselves. Vitest's `globalSetup`.
 */
import { join } from 'node:path';
import { createTempDirectory } from './temp-directory.ts';

const VARIABLE = 'HEARTHD_TEST_RUN_DIRECTORY';

export function setup(): () => void {
  const directory = createTempDirectory('run');
  process.env[VARIABLE] = directory.path;
  return () => directory.remove();
}

/** This process's own part of it; the name of a folder that may not be there yet. */
export function processDirectory(label: string): string {
  const run = process.env[VARIABLE];
  if (run === undefined) throw new Error('Only where Vitest runs tests.');
  return join(run, `${label}-${process.pid}`);
}
