/**
 * The pages of `src/web`, built by Vite as `npm run build` does: some seconds, so that one build serves every test file of the same
 * sources. It is kept below `node_modules/.cache`, under a name made of all that it is built from.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { BuiltProgram } from './built-daemon.ts';
import { createTempDirectory, type TempDirectory } from './temp-directory.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/hearthd-web');
const SOURCES = ['src/web', 'vite.config.ts', 'package-lock.json'];

/** A copy that the test may do with as it likes. */
export function buildWeb(): TempDirectory {
  const folder = createTempDirectory('web');
  cpSync(builtOnce(), folder.path, { recursive: true });
  return folder;
}

/** Puts the pages where `npm run build` puts them. @returns that folder */
export function buildWebInto(program: BuiltProgram): string {
  const folder = join(dirname(program.path), '../dist/web');
  cpSync(builtOnce(), folder, { recursive: true });
  return folder;
}

/** Two files that build at the same time both do it; whoever is first names the result. */
function builtOnce(): string {
  const folder = join(CACHE, nameOfSources());
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const unfinished = mkdtempSync(join(CACHE, 'unfinished-'));
  execFileSync(join(ROOT, 'node_modules/.bin/vite'), ['build', '--outDir', unfinished], {
    cwd: ROOT,
    stdio: 'pipe',
    // Tests run in an environment of their own name, for which React would be built with its warnings.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

function nameOfSources(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesOf)) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 24);
}

function filesOf(path: string): readonly string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort();
}
