import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

/** Everything that is loaded before a command runs: what `file` imports by value and at once, and so on. */
function loadedWith(file: string, seen = new Map<string, readonly string[]>()): ReadonlyMap<string, readonly string[]> {
  if (seen.has(file)) return seen;
  const text = readFileSync(file, 'utf8');
  const specifiers = [...text.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from\s+'([^']+)'/gm)].map(
    ([, specifier = '']) => specifier,
  );
  seen.set(file, specifiers);
  for (const specifier of specifiers) {
    if (specifier.startsWith('.')) loadedWith(resolve(dirname(file), specifier), seen);
  }
  return seen;
}

it('loads for a command only what most commands need: on a Pi each package more is felt', () => {
  const loaded = loadedWith(resolve(SRC, 'cli/cli.ts'));
  const packages = [...loaded.values()].flat().filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
  expect([...new Set(packages)].sort()).toEqual(['cli-table3', 'commander', 'smol-toml']);
  const layers = new Set([...loaded.keys()].map((file) => relative(SRC, file).split('/')[0]));
  expect([...layers].sort()).toEqual(['cli', 'config', 'hap-spec', 'home', 'kernel', 'texts']);
  const ofTexts = [...loaded.keys()].filter((file) => relative(SRC, file).startsWith('texts/'));
  expect(ofTexts.map((file) => relative(SRC, file))).toEqual(['texts/languages.ts']);
});
