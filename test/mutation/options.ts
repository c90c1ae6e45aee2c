import { parseArgs } from 'node:util';
import { FOLDERS } from './folders.ts';
import type { Sample } from './sample.ts';

export interface MutationOptions {
  readonly folders: readonly string[];
  readonly sample: Sample;
  readonly workers: number;
  readonly help: boolean;
}

export const USAGE = `Usage: npm run mutation -- FOLDER... [--percent P] [--seed S] [--workers W]

Changes one operator of a folder's sources at a time, and runs the suites that belong to the folder: a change that they
do not notice is printed. Prints a table in Markdown.

FOLDER is one of ${Object.keys(FOLDERS).join(', ')}, or all

  --percent P  a sample of the changes (default: 100, which takes hours)
  --seed S     which sample (default: 1)
  --workers W  processes that run tests (default: 1)
`;

const ALL_PERCENT = 100;

/** @throws `Error` with a sentence about what is wrong with the arguments */
export function parseOptions(args: readonly string[]): MutationOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      percent: { type: 'string', default: String(ALL_PERCENT) },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  });
  const folders = positionals.includes('all') ? Object.keys(FOLDERS) : positionals;
  const unknown = folders.filter((name) => !Object.hasOwn(FOLDERS, name));
  if (unknown.length > 0) throw new Error(`No folder ${unknown.join(', ')}`);
  if (folders.length === 0 && !values.help) throw new Error('Name a folder');
  return {
    folders,
    sample: {
      share: wholeNumber('--percent', values.percent, 1, ALL_PERCENT) / ALL_PERCENT,
      seed: wholeNumber('--seed', values.seed, 0),
    },
    workers: wholeNumber('--workers', values.workers, 1),
    help: values.help,
  };
}

function wholeNumber(flag: string, text: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < least || value > most)
    throw new Error(`${flag} takes a whole number from ${least} to ${most}, not '${text}'`);
  return value;
}
