/** The pages of `src/web`, built by Vite as `npm run build` does. */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BuiltProgram } from './built-daemon.ts';
import { builtOnce, ROOT } from './built-once.ts';
import { createTempDirectory, type TempDirectory } from './temp-directory.ts';

const DOCUMENTS = ['src/docs', 'src/README.md', 'test/README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const SOURCES = ['src/web', 'src/texts', 'src/home/vocabulary', ...DOCUMENTS, 'package-lock.json'];

/** A copy that the test may do with as it likes. */
export function buildWeb(): TempDirectory {
  const folder = createTempDirectory('web');
  cpSync(builtWeb(), folder.path, { recursive: true });
  return folder;
}

/** Puts the pages where `npm run build` puts them. @returns that folder */
export function buildWebInto(program: BuiltProgram): string {
  const folder = join(dirname(program.path), '../dist/web');
  cpSync(builtWeb(), folder, { recursive: true });
  return folder;
}

/** The folder that all tests share: a thousand files that need not be copied to be served. */
export function builtWeb(): string {
  return builtOnce({ label: 'hearthd-web', dist: 'dist/web', sources: SOURCES, build });
}

function build(folder: string): void {
  execFileSync(join(ROOT, 'node_modules/.bin/vite'), ['build', 'src/web', '--outDir', folder], {
    cwd: ROOT,
    stdio: 'pipe',
    // Tests run in an environment of their own name, for which React would be built with its warnings.
    env: { ...process.env, NODE_ENV: 'production' },
  });
}
