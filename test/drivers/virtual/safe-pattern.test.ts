import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPattern } from '../../../src/drivers/virtual/kinds/safe-pattern.ts';
import { compilePattern } from '../../../src/home/vocabulary/text-rules.ts';
import { HearthError } from '../../../src/kernel/errors.ts';

const MAX_LENGTH = 128;

/** A pattern that is accepted may take some time on the worst text, never a noticeable one. */
const LIVENESS_MS = 20_000;

describe('patterns that people use', () => {
  it.each([
    ['[a-z]+', 'abc', 'ABC'],
    ['\\d{4}-\\d{2}-\\d{2}', '2026-01-15', '26-01-15'],
    ['[^@\\s]+@[^@\\s]+\\.[a-z]{2,}', 'ann@example.org', 'ann@example'],
    ['(?:\\d{1,3}\\.){3}\\d{1,3}', '192.168.1.20', '192.168.1'],
    ['red|green|blue', 'green', 'greenish'],
    ['\\p{L}+', 'Zoë', 'R2'],
    ['(ab)*', 'abab', 'aba'],
    ['[\\])(]?x', ')x', '))x'],
    ['(?<year>\\d+)', '2026', ''],
    ['([^@]+)@([^@]+)\\.([a-z]{2,}|local)', 'ann@printer.local', '@.de'],
  ])('%s is taken, and matches whole texts', (pattern, good, bad) => {
    checkPattern(pattern, MAX_LENGTH);
    expect(compilePattern(pattern).test(good)).toBe(true);
    expect(compilePattern(pattern).test(bad)).toBe(false);
  });
});

describe('patterns that could run for ever', () => {
  it.each([
    '(a+)+',
    '(a|a)*',
    '(a|aa)+b',
    '(?:a*)*b',
    '(.*)(.*)(.*)(.*)x',
    'a*a*a*a*a*a*b',
    '(x+x+)+y',
    '([a-z]+){20}',
    '(a?){40}a{40}',
    '(a{1,50}){1,50}',
    '(\\w|\\d)+!',
    '(?:a?){20}a{3}',
    '(?:a|a){20}x',
    '.*.*.*.*x',
  ])('%s is refused', (pattern) => {
    expect(() => checkPattern(pattern, MAX_LENGTH)).toThrow('take very long');
  });

  it.each(['a)|(?:(b+)+c', 'a)(b', '(?:a)|b)+(c'])(
    '%s is whole only inside other brackets, and is refused',
    (pattern) => {
      expect(() => compilePattern(pattern)).not.toThrow();
      expect(() => checkPattern(pattern, MAX_LENGTH)).toThrow('no valid regular expression');
    },
  );

  it.each(['(?=a)a', '(?!b)a', '(?<=a)b', '(?<!a)b'])('%s looks around and is refused', (pattern) => {
    expect(() => checkPattern(pattern, MAX_LENGTH)).toThrow('look around');
  });

  it.each(['(a)\\1', '(?<x>a)\\k<x>'])('%s refers back and is refused', (pattern) => {
    expect(() => checkPattern(pattern, MAX_LENGTH)).toThrow('refer back');
  });
});

it('lets nothing through that takes long on a text made to be slow', () => {
  const atom = fc.constantFrom('a', '[ab]', '\\w', '.', 'b');
  const quantifier = fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{0,9}', '*?');
  const { pattern } = fc.letrec((tie) => ({
    piece: fc.tuple(fc.oneof({ maxDepth: 2 }, atom, tie('group')), quantifier).map((parts) => parts.join('')),
    group: fc.array(tie('pattern'), { minLength: 1, maxLength: 2 }).map((parts) => `(?:${parts.join('|')})`),
    pattern: fc.array(tie('piece'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
  }));
  const slow = `${'a'.repeat(MAX_LENGTH - 1)}!`;
  fc.assert(
    fc.property(pattern, (text) => {
      try {
        checkPattern(String(text), MAX_LENGTH);
      } catch (error) {
        if (error instanceof HearthError) return;
        throw error;
      }
      const started = performance.now();
      compilePattern(String(text)).test(slow);
      expect(performance.now() - started, String(text)).toBeLessThan(LIVENESS_MS);
    }),
    { numRuns: 300 },
  );
});
