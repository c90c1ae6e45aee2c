/** The pages of `src/web`, built by Vite as `npm run build` does, into a folder of their own: about three seconds. */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createTempDirectory, type TempDirectory } from './temp-directory.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export function buildWeb(): TempDirectory {
  const folder = createTempDirectory('web');
  execFileSync(join(ROOT, 'node_modules/.bin/vite'), ['build', '--outDir', folder.path], { cwd: ROOT, stdio: 'pipe' });
  return folder;
}
