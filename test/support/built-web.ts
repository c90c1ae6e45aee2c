/** The pages of `src/web`, built by Vite as `npm run build` does, into a folder of their own: about three seconds. */
import { execFileSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import type { BuiltProgram } from './built-daemon.ts';
import { createTempDirectory, type TempDirectory } from './temp-directory.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export function buildWeb(): TempDirectory {
  const folder = createTempDirectory('web');
  runVite(folder.path);
  return folder;
}

/** Puts the pages where `npm run build` puts them. @returns that folder */
export function buildWebInto(program: BuiltProgram): string {
  const folder = join(dirname(program.path), '../dist/web');
  runVite(folder);
  return folder;
}

function runVite(outDir: string): void {
  execFileSync(join(ROOT, 'node_modules/.bin/vite'), ['build', '--outDir', outDir], { cwd: ROOT, stdio: 'pipe' });
}
