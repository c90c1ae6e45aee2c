/** What `npm run every-page` finds in the texts of a page. */
import { expect, it } from 'vitest';
import { ABSENT, wrongTexts } from './page-texts.ts';

it.each([
  ['a key', 'mayOnlyLook'],
  ['a whole key', 'accessory.remedies.batteryLow'],
  ['a placeholder', 'Renamed to “{name}”'],
  ['a plural', '{count, plural, one {# lamp}'],
  ['what JavaScript makes of nothing', 'Since undefined'],
  ['a number that is none', 'NaN %'],
  ['an object', '[object Object]'],
  ['a time that is none', 'Invalid Date'],
])('%s is no text for people', (_, text) => {
  expect(wrongTexts([text, 'Renamed to “Lamp”', 'state.changed', 'Home'], 'en')).toEqual([text]);
});

it('English in another language is found, but for words that both have', () => {
  const texts = ['Accessory not found', 'Gerät nicht gefunden', 'Details', 'System'];
  expect(wrongTexts(texts, 'de')).toEqual(['Accessory not found']);
  expect(wrongTexts(texts, 'en')).toEqual([]);
});

it('a page that has something else instead of its content is found', () => {
  expect(wrongTexts(['Page not found', 'Home'], 'en', ABSENT)).toEqual(['Page not found']);
});
