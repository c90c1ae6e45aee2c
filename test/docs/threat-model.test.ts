/** Each row of the threat model names tests that exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingTests } from '../support/existing-tests.ts';
import { ROOT } from './repository-files.ts';

interface Row {
  readonly threat: string;
  /** Files, each with titles in it. */
  readonly shown: readonly (readonly [file: string, titles: readonly string[]])[];
}

/** A row is `| **S** A threat | What stands against it | `file`: “title”, “title”, `file`: “title” |`. */
function rowsOf(markdown: string): readonly Row[] {
  return [...markdown.matchAll(/^\| (\*\*[STRIDE]\*\* [^|]+) \| [^|]+ \| (.+) \|$/gm)].map(
    ([, threat = '', shown = '']) => ({
      threat,
      shown: [...shown.matchAll(/`(test\/[^`]+)`: ((?:“[^”]+”(?:, )?)+)/g)].map(
        ([, file = '', titles = '']) =>
          [file, [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title)] as const,
      ),
    }),
  );
}

const rows = rowsOf(readFileSync(join(ROOT, 'src/docs/security/threat-model.md'), 'utf8'));

describe('the threat model', () => {
  it('has rows of each kind', () => {
    const kinds = new Set(rows.map(({ threat }) => threat.slice(2, 3)));
    expect([...kinds].sort().join('')).toBe('DEIRST');
  });

  it.each(rows.map(({ threat, shown }) => [threat, shown] as const))('%s: is shown by tests', (_threat, shown) => {
    expect(shown).not.toEqual([]);
    expect(shown.flatMap(([file, titles]) => missingTests(join(ROOT, file), titles))).toEqual([]);
  });
});
