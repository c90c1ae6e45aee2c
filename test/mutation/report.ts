import type { MutantResult } from '@stryker-mutator/api/core';
import { isInSample, type Sample } from './sample.ts';

export interface Score {
  readonly folder: string;
  /** Changes of the sample that a test could notice. */
  readonly tried: number;
  readonly noticed: number;
  readonly unnoticed: readonly MutantResult[];
}

const NOTICED: readonly string[] = ['Killed', 'Timeout', 'RuntimeError'];
const UNNOTICED: readonly string[] = ['Survived', 'NoCoverage'];

/** What a comment excludes does not count. */
export function score(folder: string, results: readonly MutantResult[], sample: Sample): Score {
  const sampled = results.filter((mutant) => isInSample(mutant, sample));
  const noticed = sampled.filter(({ status }) => NOTICED.includes(status)).length;
  const unnoticed = sampled.filter(({ status }) => UNNOTICED.includes(status));
  return { folder, tried: noticed + unnoticed.length, noticed, unnoticed };
}

/** One row, with the changes that nothing noticed below it as a list. */
export function toMarkdown(scores: readonly Score[]): string {
  const rows = scores.map(
    ({ folder, tried, noticed }) => `| ${folder} | ${tried} | ${noticed} | ${percent(noticed, tried)} |`,
  );
  const lists = scores.flatMap(({ unnoticed }) => unnoticed.map(lineOf)).sort();
  return ['| Folder | Changes | Noticed | |', '|---|---|---|---|', ...rows, '', ...lists, ''].join('\n');
}

function lineOf({ fileName, location, status, mutatorName, replacement }: MutantResult): string {
  const file = fileName.slice(fileName.lastIndexOf('/src/') + 1);
  const how = status === 'NoCoverage' ? 'no test runs it' : `became \`${replacement}\``;
  return `- ${file}:${location.start.line}:${location.start.column} ${mutatorName}: ${how}`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}
