import { readFileSync } from 'node:fs';
import { PROGRAM_FOLDER } from './program-folder.ts';

interface PackageFile {
  readonly version: string;
}

/** The version in package.json, which is above both `src` and `dist`. */
export const VERSION = readPackage().version;

/**
 * Our own file, so it needs no schema: loading the schema library would take the command line longer than everything
 * else.
 */
function readPackage(): PackageFile {
  return JSON.parse(readFileSync(new URL('../package.json', PROGRAM_FOLDER), 'utf8')) as PackageFile;
}
