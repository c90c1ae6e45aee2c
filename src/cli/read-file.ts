/** Reads files that arguments name. */
import { readFileSync } from 'node:fs';
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
