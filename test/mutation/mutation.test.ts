/** Options and judgement of a mutation run; the run itself is `npm run mutation`. */
import { existsSync } from 'node:fs';
import type { MutantResult } from '@stryker-mutator/api/core';
import { describe, expect, it } from 'vitest';
import { FOLDERS } from './folders.ts';
import { parseOptions } from './options.ts';
import { score, toMarkdown } from './report.ts';
import { isInSample } from './sample.ts';

const ALL = { share: 1, seed: 1 };

describe('the folders', () => {
  it.each(Object.entries(FOLDERS))('%s has sources and tests', (_, { sources, tests }) => {
    for (const folder of [sources, ...tests]) expect(existsSync(folder), folder).toBe(true);
  });
});

describe('the options', () => {
  it('take folders, a share and a seed', () => {
    expect(parseOptions(['access', '--percent', '5', '--seed', '7'])).toMatchObject({
      folders: ['access'],
      sample: { share: 0.05, seed: 7 },
      workers: 1,
    });
    expect(parseOptions(['all'])).toMatchObject({ folders: Object.keys(FOLDERS), sample: { share: 1 } });
  });

  it.each([
    [[], 'Name a folder'],
    [['kitchen'], 'No folder kitchen'],
    [['toString'], 'No folder toString'],
    [['access', '--percent', '0'], '--percent takes a whole number from 1 to 100'],
    [['access', '--percent', '101'], '--percent takes a whole number from 1 to 100'],
    [['access', '--workers', 'two'], '--workers takes a whole number from 1'],
  ])('%j are refused', (args, sentence) => {
    expect(() => parseOptions(args)).toThrow(sentence);
  });
});

describe('the sample', () => {
  const changes = Array.from({ length: 2_000 }, (_, line) => change({ line }));

  it('is the same for the same seed, and another for another', () => {
    const taken = (seed: number) => changes.filter((each) => isInSample(each, { share: 0.1, seed }));
    expect(taken(1)).toEqual(taken(1));
    expect(taken(2)).not.toEqual(taken(1));
  });

  it('takes about its share, and the same ones in every copy of the repository', () => {
    const sample = { share: 0.1, seed: 3 };
    const taken = changes.filter((each) => isInSample(each, sample));
    expect(taken.length).toBeGreaterThan(150);
    expect(taken.length).toBeLessThan(250);
    const copied = changes.map((each) => ({ ...each, fileName: `/tmp/copy/${each.fileName.slice(1)}` }));
    expect(copied.filter((each) => isInSample(each, sample))).toHaveLength(taken.length);
  });
});

describe('the report', () => {
  it('counts what a test noticed, and lists what none did', () => {
    const results = [
      change({ line: 1, status: 'Killed' }),
      change({ line: 2, status: 'Timeout' }),
      change({ line: 3, status: 'Survived' }),
      change({ line: 4, status: 'NoCoverage' }),
      change({ line: 5, status: 'Ignored' }),
    ];
    const judged = score('home', results, ALL);
    expect(judged).toMatchObject({ tried: 4, noticed: 2 });
    expect(toMarkdown([judged])).toBe(`| Folder | Changes | Noticed | |
|---|---|---|---|
| home | 4 | 2 | 50 % |

- src/home/slots.ts:3:5 EqualityOperator: became \`a <= b\`
- src/home/slots.ts:4:5 EqualityOperator: no test runs it
`);
  });

  it('leaves out what is not in the sample, whether a test runs it or not', () => {
    const results = Array.from({ length: 500 }, (_, line) => change({ line, status: 'NoCoverage' }));
    const sample = { share: 0.2, seed: 1 };
    expect(score('home', results, sample).tried).toBe(results.filter((each) => isInSample(each, sample)).length);
  });
});

function change({ line, status = 'Survived' }: { line: number; status?: MutantResult['status'] }): MutantResult {
  const location = { start: { line, column: 5 }, end: { line, column: 10 } };
  const fileName = '/repository/src/home/slots.ts';
  return { id: String(line), fileName, location, mutatorName: 'EqualityOperator', replacement: 'a <= b', status };
}
