/**
 * Something that is built of the sources, which takes some seconds: one build serves every test file of the same
 * sources. It is kept below `node_modules/.cache`, under a name made of all that it is built from. With
 * `HEARTHD_TEST_DIST=1` it is what lies in `dist`.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Whether `npm run build` was run just before, from these same sources, as CI does. */
const IS_BUILT = process.env.HEARTHD_TEST_DIST === '1';

interface BuiltOnce {
  /** Its folder in the cache. */
  readonly label: string;
  /** Where `npm run build` puts it. */
  readonly dist: string;
  /** Files and folders of the repository. */
  readonly sources: readonly string[];
  /** Puts it into an empty folder. */
  build(folder: string): void;
}

/** @returns the folder, which belongs to all: copy it */
export function builtOnce({ label, dist, sources, build }: BuiltOnce): string {
  if (IS_BUILT) return join(ROOT, dist);
  const cache = join(ROOT, 'node_modules/.cache', label);
  const folder = join(cache, nameOf(sources.flatMap(filesOf)));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  // Two files that build at the same time both do it; the first names the result.
  const unfinished = mkdtempSync(join(cache, 'unfinished-'));
  build(unfinished);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

function nameOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 24);
}

function filesOf(path: string): readonly string[] {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .sort();
}
