import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { argumentTypes } from '../../src/texts/arguments.ts';
import { listCatalogues, readCatalogue } from '../../src/texts/catalogue-files.ts';
import { type Catalogue, compileMessage } from '../../src/texts/compile.ts';
import { LANGUAGES } from '../../src/texts/languages.ts';

const FOLDER = join(import.meta.dirname, '../../src/texts');

/** Has every key. */
const GENERATED = /relay-catalogues\.ts$/;

const english = messagesOf('en');
const others = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && listCatalogues(FOLDER, entry.name).length > 0 && entry.name !== 'en')
  .map(({ name }) => name);

/** By catalogue and key: `history:stats`. */
function messagesOf(language: string): ReadonlyMap<string, string> {
  return new Map(
    listCatalogues(FOLDER, language).flatMap((name) => [
      ...entriesOf(readCatalogue(FOLDER, language, name), `${name}:`),
    ]),
  );
}

function entriesOf(catalogue: Catalogue, prefix: string): readonly (readonly [string, string])[] {
  return Object.entries(catalogue).flatMap(([key, entry]) =>
    typeof entry === 'string' ? [[`${prefix}${key}`, entry] as const] : entriesOf(entry, `${prefix}${key}.`),
  );
}

function argumentsOf(message: string): string {
  const types = argumentTypes(compileMessage(message));
  return [...types]
    .map(([name, type]) => `${name}: ${type}`)
    .sort()
    .join(', ');
}

function onlyIn(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): readonly string[] {
  return [...a.keys()].filter((key) => !b.has(key));
}

it('every language has a folder of catalogues, and every folder a line in LANGUAGES', () => {
  expect(['en', ...others].sort()).toEqual(Object.keys(LANGUAGES).sort());
});

it('every English message is ICU MessageFormat', () => {
  for (const message of english.values()) expect(() => argumentsOf(message)).not.toThrow();
});

it('every key is a word of the sources, or in a list of which they show all', () => {
  const folder = join(FOLDER, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const text = files
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !GENERATED.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const words = new Set([/[\w$]+/g, /(?<=')[^'\n]+(?=')/g].flatMap((word) => text.match(word) ?? []));
  /** `${kind}Text` */
  const endings = [...text.matchAll(/`\$\{\w+\}(\w+)`/g)].map(([, ending = '']) => ending);
  const lists = new Set([...text.matchAll(/Object\.values\([\w.]+\.(\w+)\)/g)].map(([, list]) => list));
  const isUsed = (part: string) =>
    words.has(part) || endings.some((ending) => part.endsWith(ending) && words.has(part.slice(0, -ending.length)));
  const unused = [...english.keys()].filter((key) => {
    const parts = key.split(/[:.]/).slice(1);
    return !parts.every(isUsed) && !parts.some((part) => lists.has(part));
  });
  expect(words.size).toBeGreaterThan(10_000);
  expect(unused).toEqual([]);
});

describe.each(others)('the catalogues in %s', (language) => {
  const messages = messagesOf(language);

  it('have a message for each English one', () => {
    expect(onlyIn(english, messages)).toEqual([]);
  });

  it('have no message that English does not have', () => {
    expect(onlyIn(messages, english)).toEqual([]);
  });

  it('are ICU MessageFormat with the same arguments as in English', () => {
    const differing = [...messages].flatMap(([key, message]) => {
      const [own, expected] = [argumentsOf(message), argumentsOf(english.get(key) ?? message)];
      return own === expected ? [] : [`${key} has (${own}) in place of (${expected})`];
    });
    expect(differing).toEqual([]);
  });

  it('have the plural forms of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const wrong = [...messages].flatMap(([key, message]) =>
      pluralForms(message).some((each) => forms.some((form) => !each.includes(form))) ? [key] : [],
    );
    expect(wrong).toEqual([]);
  });
});

/** The forms of each plural at the top of a message, except of those that single out a number: `=0`, `other`. */
function pluralForms(message: string): readonly (readonly string[])[] {
  const parts = compileMessage(message);
  if (typeof parts === 'string') return [];
  const all = parts.flatMap((part) => (part[0] === 'plural' ? [Object.keys(part[3])] : []));
  return all.filter((forms) => !forms.every((form) => form.startsWith('=') || form === 'other'));
}
