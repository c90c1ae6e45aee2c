import { readFileSync } from 'node:fs';
import { PROGRAM_FOLDER } from './program-folder.ts';

interface PackageFile {
  readonly version: string;
}

/** The version in package.json, which lies above both `src` and `dist`. */
export const VERSION = readPackage().version;

/** Our own file, so it needs no schema: loading one would take the command line longer than all the rest. */
function readPackage(): PackageFile {
  return JSON.parse(readFileSync(new URL('../package.json', PROGRAM_FOLDER), 'utf8')) as PackageFile;
}
