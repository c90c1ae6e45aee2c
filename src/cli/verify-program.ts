/**
 * Compares the installed files with the list that the package brought. The list has the form of `sha256sum`; its own
 * hash is in the signed SHA256SUMS of the release.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FILE_LIST = 'files.sha256';

/** Folders that hold nothing but files of the package. */
const OURS_ALONE = ['bin', 'dist'];

export interface Verification {
  /** SHA-256 of the list itself, in hexadecimal. */
  readonly list: string;
  /** Files that are as packaged. */
  readonly unchanged: number;
  /** Paths below the program's folder. */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  /** Files in the program's own folders that the package did not bring. */
  readonly added: readonly string[];
}

/** @param folder the one that holds `bin` and `dist` @returns `undefined` if the program brought no list */
export function verifyProgram(folder: string): Verification | undefined {
  const file = join(folder, FILE_LIST);
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  const listed = new Map(
    [...text.matchAll(/^([\da-f]{64}) {2}(.+)$/gm)].map(([, hash = '', path = '']) => [path, hash]),
  );
  const missing = [...listed.keys()].filter((path) => !existsSync(join(folder, path)));
  const present = [...listed].filter(([path]) => !missing.includes(path));
  const changed = present.filter(([path, hash]) => hashOf(join(folder, path)) !== hash).map(([path]) => path);
  const added = OURS_ALONE.flatMap((name) => filesBelow(folder, name)).filter((path) => !listed.has(path));
  return { list: hashOf(file), unchanged: present.length - changed.length, changed, missing, added };
}

/** SHA-256 of a file, in hexadecimal. */
export function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function filesBelow(folder: string, name: string): readonly string[] {
  const start = join(folder, name);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
