/** Reads files that arguments name. */
import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '../kernel/errors.ts';
import { usageError } from './exit-codes.ts';

/** @throws `CliError` */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read ${file}: ${messageOf(error)}`);
  }
}

/** @throws `CliError` */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw usageError(`Cannot read ${file} as JSON: ${messageOf(error)}`);
  }
}

/** @returns its path @throws `CliError` it is not there, or no file */
export function requireFile(file: string): string {
  try {
    if (statSync(file).isFile()) return file;
  } catch (error) {
    throw usageError(`Cannot read ${file}: ${messageOf(error)}`);
  }
  throw usageError(`Cannot read ${file}: it is not a file.`);
}
