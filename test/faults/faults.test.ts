/** The table of `npm run faults`, and the page of faults in the manual. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/built-once.ts';
import type { Fared } from './rounds.ts';
import { isAllWell, toMarkdown } from './table.ts';

const WELL: Fared = { rounds: 3, back: [300, 100, 2_000], unanswered: 0, refused: 0, lost: 0, repeated: 0 };

describe('the table', () => {
  it('has each controller beside the others, with the times and what was wrong', () => {
    const bad = { ...WELL, back: [100], unanswered: 2, lost: 1 };
    expect(toMarkdown(['hearthd', 'other'], [{ kind: 'cut', fared: [WELL, bad] }])).toBe(
      '| Fault | hearthd: back | p50 | max | wrong | other: back | p50 | max | wrong |\n' +
        '| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n' +
        '| `cut` | 3 of 3 | 0.3 s | 2.0 s | – | 1 of 3 | 0.1 s | 0.1 s | ' +
        '2 not back in 30 s, 2 writes without an answer in 30 s, 1 writes acknowledged and lost |\n',
    );
  });

  it.each([
    ['a round without a return', { back: [] }],
    ['a write without an answer', { unanswered: 1 }],
    ['a write that was refused afterwards', { refused: 1 }],
    ['a write that was lost', { lost: 1 }],
    ['a write that was carried out twice', { repeated: 1 }],
  ])('%s is wrong', (_what, change) => {
    expect(isAllWell(WELL)).toBe(true);
    expect(isAllWell({ ...WELL, ...change })).toBe(false);
  });
});

it('each row of the page names a test that is there, and a public thread', () => {
  const rows = readFileSync(join(ROOT, 'src/docs/manual/faults.md'), 'utf8')
    .split('\n')
    .filter((line) => /\| `test\//.test(line));
  expect(rows.length).toBeGreaterThan(40);
  for (const row of rows) {
    const [, , thread = '', , test = ''] = row.split('|').map((cell) => cell.trim());
    expect(thread).toMatch(/^\[[^\]]+\]\(https:/);
    expect(existsSync(join(ROOT, test.replaceAll('`', '')))).toBe(true);
  }
});
