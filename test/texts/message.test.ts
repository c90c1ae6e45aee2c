import { expect, it } from 'vitest';
import { argumentTypes } from '../../src/texts/arguments.ts';
import { compileMessage } from '../../src/texts/compile.ts';
import { formatMessage } from '../../src/texts/message.ts';
import { Texts } from '../../src/texts/texts.ts';

function format(message: string, values: Readonly<Record<string, unknown>> = {}, language = 'en') {
  const compiled = compileMessage(message);
  return typeof compiled === 'string' ? compiled : formatMessage(compiled, values, language);
}

it('a message takes arguments by name', () => {
  expect(format('{a} and {b}', { b: 'B', a: 'A' })).toBe('A and B');
  expect(compileMessage('It’s done')).toBe('It’s done');
});

it('braces, tags and number signs in apostrophes are text', () => {
  expect(format("'{'{name}'}' '<'b> isn''t # it", { name: 'x' })).toBe("{x} <b> isn't # it");
});

it('a plural uses the rules and the numbers of the language', () => {
  const message = '{count, plural, =0 {nothing} one {# thing} other {# things}}';
  expect([0, 1, 2, 1234].map((count) => format(message, { count }))).toEqual([
    'nothing',
    '1 thing',
    '2 things',
    '1,234 things',
  ]);
  const polish = '{n, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}';
  expect([1, 2, 5, 22].map((n) => format(polish, { n }, 'pl'))).toEqual(['1 plik', '2 pliki', '5 plików', '22 pliki']);
  const place = '{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}';
  expect([1, 2, 3, 4].map((n) => format(place, { n }))).toEqual(['1st', '2nd', '3rd', '4th']);
});

it('a select chooses by a word or a truth value', () => {
  expect(format('{open, select, true {open} other {closed}}', { open: true })).toBe('open');
  expect(format('{role, select, admin {all} other {some}}', { role: 'view' })).toBe('some');
});

it('numbers and dates follow the language and the style', () => {
  expect(format('{n, number}', { n: 1234.5 }, 'de')).toBe('1.234,5');
  expect(format('{n, number, ::group-off}', { n: 5656 })).toBe('5656');
  expect(format('{n, number, percent}', { n: 0.4 })).toBe('40%');
  expect(format('{at, date, long}', { at: new Date(2026, 0, 2) }, 'de')).toBe('2. Januar 2026');
  expect(format('{at, date, ::yyyyMMMd}', { at: new Date(2026, 0, 2) })).toBe('Jan 2, 2026');
  expect(format('{at, time, short}', { at: new Date(2026, 0, 2, 7, 30) }, 'de')).toBe('07:30');
});

it('markup as an argument or around a part of the text gives a list', () => {
  const bold = { b: 1 };
  expect(format('Join {home} now', { home: bold })).toEqual(['Join ', bold, ' now']);
  expect(format('<link>Sign in</link> first', { link: (text: string) => ({ text }) })).toEqual([
    { text: 'Sign in' },
    ' first',
  ]);
});

it('a message that is not ICU MessageFormat, or uses an unknown style, is refused by its text', () => {
  for (const message of ['{name', '{n, plural, one {x}}', '{n, number, fancy}', '{n, plural, offset:1 other {x}}'])
    expect(() => compileMessage(message)).toThrow(message);
});

it('an argument has one type', () => {
  expect([...argumentTypes(compileMessage('{n, plural, one {{name}} other {# {name}}}'))]).toEqual([
    ['n', 'number'],
    ['name', 'string'],
  ]);
  expect(() => argumentTypes(compileMessage('{n} {n, number}'))).toThrow('{n} is both string and number');
});

it('another language is loaded once, and without a connection the page stays in English', async () => {
  let loads = 0;
  const load = async () => {
    loads += 1;
    return { hello: 'Hallo', of: [['argument', 'name'] as const] };
  };
  const texts = new Texts<{ hello: string }>({ en: { hello: 'Hello' }, de: load });
  expect(texts.in('de').hello).toBe('Hello');
  await Promise.all([texts.load('de'), texts.load('de')]);
  expect([texts.in('de').hello, loads, texts.load('de')]).toEqual(['Hallo', 1, undefined]);

  const offline = new Texts<{ hello: string }>({
    en: { hello: 'Hello' },
    de: () => Promise.reject(new Error('offline')),
  });
  await offline.load('de');
  expect(offline.in('de').hello).toBe('Hello');
});
