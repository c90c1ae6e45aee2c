import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  endsInLetterOrNumber,
  nameKey,
  numberedName,
  parseName,
  showableName,
  suggestEnding,
} from '../../src/home/names.ts';
import { slugKey } from '../../src/home/slug.ts';
import { HearthError } from '../../src/kernel/errors.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 80 });

describe('names', () => {
  it.each([
    ['Kitchen', 'Kitchen'],
    ['  Kitchen\n', 'Kitchen'],
    ['Küche 💡', 'Küche 💡'],
    ['客厅', '客厅'],
    ['👨‍👩‍👧', '👨‍👩‍👧'],
    ['❤️ Küche', '❤️ Küche'],
    [
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
    ['می\u200cخانه', 'می\u200cخانه'],
    ['ශ්\u200dරී', 'ශ්\u200dරී'],
    ['סלון', 'סלון'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['💡'.repeat(64), '💡'.repeat(64)],
  ])('takes %j', (input, name) => {
    expect(parseName(input, 'Room name')).toBe(name);
  });

  it.each([
    [undefined, 'Room name must be text'],
    [7, 'Room name must be text'],
    [{}, 'Room name must be text'],
    ['', 'Room name must not be empty'],
    ['   ', 'Room name must not be empty'],
    ['\u200b\u200d', 'Room name must not be empty'],
    ['\u3164', 'Room name must not be empty'],
    ['\u2800', 'Room name must not be empty'],
    ['a\u0000b', 'Room name must not contain control characters or line breaks'],
    ['a\nb', 'Room name must not contain control characters or line breaks'],
    ['a\u2028b', 'Room name must not contain control characters or line breaks'],
    ['a\ud800', 'Room name must not contain control characters or line breaks'],
    ['x'.repeat(65), 'Room name must have at most 64 characters; this one has 65'],
  ])('refuses %j', (input, message) => {
    expect(() => parseName(input, 'Room name')).toThrowError(
      expect.objectContaining({ code: 'invalid_value', message }) as HearthError,
    );
  });

  it('are given back as they will be stored, or refused with an error that has the reason', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.anything()), (input) => {
        try {
          const name = parseName(input, 'Name');
          expect(parseName(name, 'Name')).toBe(name);
        } catch (error) {
          expect(error).toBeInstanceOf(HearthError);
        }
      }),
    );
  });
});

describe('names that deceive', () => {
  const HIDDEN: readonly string[] = [
    ...'\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f',
    ...'\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2064\u2066\u2067\u2068\u2069\u3164\ufeff\uffa0',
    ...'\u{1bca0}\u{1d173}\u{e0001}\u{e0041}',
  ];

  it.each(HIDDEN.map((character) => [`U+${character.codePointAt(0)?.toString(16)}`, character]))(
    'a name with %s is refused, and a device’s name is shown without it',
    (_, character) => {
      expect(() => parseName(`Front${character}door`, 'Room name')).toThrowError(
        expect.objectContaining({
          code: 'invalid_value',
          message: 'Room name must not contain characters that are invisible or change the direction of text',
        }) as HearthError,
      );
      expect(showableName(` Front${character}door\n`)).toBe('Frontdoor');
    },
  );

  it('a second variation selector is refused: it shows nothing', () => {
    expect(() => parseName('❤\ufe0f\ufe0f', 'Name')).toThrowError(HearthError);
  });

  it('what is shown of any device’s name can be given as a name, or is empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const shown = showableName(text);
        if (shown !== '') expect(parseName(shown, 'Name')).toBe(shown);
      }),
    );
  });
});

describe('name keys', () => {
  it.each([
    ['Kitchen', 'kitchen'],
    ['Living  Room', 'living room'],
    ['Cafe\u0301', 'Café'],
    ['Ｋitchen', 'Kitchen'],
  ])('are equal for %j and %j', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it('differ for different names', () => {
    expect(nameKey('Lamp 1')).not.toBe(nameKey('Lamp 2'));
    expect(nameKey('Küche')).not.toBe(nameKey('Kuche'));
  });

  it('are equal for names with equal slugs', () => {
    const name = fc.string({
      unit: fc.constantFrom(' ', '_', '\t', '\u00a0', 'a', 'A', 'é', 'É', 'Ａ', 'ß', 'İ'),
      maxLength: 5,
    });
    fc.assert(
      fc.property(name, name, (one, other) => {
        if (slugKey(one, '') === slugKey(other, '') && one.trim() !== '' && other.trim() !== '')
          expect(nameKey(one)).toBe(nameKey(other));
      }),
      { numRuns: 5_000 },
    );
    expect(nameKey('Living_Room')).toBe(nameKey('living  room'));
  });

  it('do not change when taken again', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        expect(nameKey(nameKey(name))).toBe(nameKey(name));
      }),
    );
  });
});

describe('names with a number', () => {
  const named = (...names: string[]) => names.map((name) => ({ name }));

  it('are the next free name, and the name itself if it is free', () => {
    expect(numberedName(' Tea ', named('Coffee'))).toBe('Tea');
    expect(numberedName('Tea', named('tea', 'Tea 3'))).toBe('Tea 2');
    expect(numberedName('Tea', named('tea', 'TEA 2', 'Tea 3'))).toBe('Tea 4');
  });

  it('are cut where they would be too long, and between characters', () => {
    for (const letter of ['x', '夜', '🫖']) {
      const longest = letter.repeat(64);
      const numbered = Array.from({ length: 8 }, (_, n) => `${letter.repeat(62)} ${n + 2}`);
      expect(numberedName(longest, named(longest))).toBe(numbered[0]);
      const tenth = numberedName(longest, named(longest, ...numbered));
      expect(parseName(tenth, 'Name')).toBe(`${letter.repeat(61)} 10`);
    }
  });
});

describe('endings of scene names', () => {
  it.each([
    ['Good Night', true],
    ['Scene 2', true],
    ['Größe', true],
    ['夜', true],
    ['Cafe\u0301', true],
    ['Party!', false],
    ['Party 🎉', false],
    ['', false],
  ])('%j: %s', (name, fit) => {
    expect(endsInLetterOrNumber(name)).toBe(fit);
  });

  it.each([
    ['Party!', 'Party'],
    ['Party 🎉', 'Party'],
    ['Good Night', 'Good Night'],
    ['…', ''],
  ])('suggests for %j %j', (name, suggestion) => {
    expect(suggestEnding(name)).toBe(suggestion);
  });

  it('suggests only names that may be given', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const suggestion = suggestEnding(name);
        expect(suggestion === '' || endsInLetterOrNumber(suggestion)).toBe(true);
        expect(name.startsWith(suggestion)).toBe(true);
      }),
    );
  });
});
