import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');

const CATALOGUES = readdirSync(join(SOURCES, 'texts/en')).map((file) => `texts/en/${file}`);
const FILES = ['api/html/texts/en.tsx', 'api/share/texts/en.tsx'];

const BANNED =
  /\b(?:whoever|nobody|somebody|anybody|anew|told|tells|hears?|let in|shut out|sets? it off|to be so|mend|shall|stands)\b/i;

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Literals in quotes, and the text between the tags of markup. */
const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;
const MARKUP = /<>([\s\S]*?)<\/>/g;
const EXPRESSION = /\$?\{[^{}]*\}/g;

function textsOf(file: string): string[] {
  const source = readFileSync(join(SOURCES, file), 'utf8').replace(COMMENT, '');
  const markup = file.endsWith('.tsx') ? [...source.matchAll(MARKUP)].map(([, text = '']) => text) : [];
  return [...(source.match(LITERAL) ?? []), ...markup].map((text) => text.replace(EXPRESSION, '…'));
}

/** The values of a catalogue. */
function messagesOf(file: string): string[] {
  const messages: string[] = [];
  JSON.parse(readFileSync(join(SOURCES, file), 'utf8'), (_key, value: unknown) => {
    if (typeof value === 'string') messages.push(value);
    return value;
  });
  return messages;
}

it('English texts of the pages use none of the banned words', () => {
  const texts = [
    ...CATALOGUES.flatMap((file) => messagesOf(file).map((text) => `${file}: ${text}`)),
    ...FILES.flatMap((file) => textsOf(file).map((text) => `${file}: ${text}`)),
  ];
  expect(texts.length).toBeGreaterThan(1_000);
  expect(texts.filter((text) => BANNED.test(text.slice(text.indexOf(': '))))).toEqual([]);
});
