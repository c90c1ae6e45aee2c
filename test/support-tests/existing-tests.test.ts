import { expect, it } from 'vitest';
import { hasTest, missingTests } from '../support/existing-tests.ts';

it('misses a test that is renamed, skipped or commented out', () => {
  const title = 'refuses it';
  for (const source of [
    `it('refuses it', () => {`,
    `])(\n    'refuses it',\n    () => {`,
    `describe('refuses it', () => {`,
  ])
    expect(hasTest(source, title)).toBe(true);
  for (const source of [
    `it('refuses it all', () => {`,
    `it.skip('refuses it', () => {`,
    `// it('refuses it', () => {`,
    `'refuses it',`,
  ])
    expect(hasTest(source, title)).toBe(false);
});

it('misses a file that is gone', () => {
  expect(missingTests('/nowhere.test.ts', ['refuses it'])).toEqual(['/nowhere.test.ts is gone']);
});
