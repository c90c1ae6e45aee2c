/** The icons that users choose: their names in every language, the search for them, and the keys of the grid. */
import { describe, expect, it } from 'vitest';
import { ICON_NAMES, type IconName } from '../../../src/home/vocabulary/icon-names.ts';
import { readCatalogue } from '../../../src/texts/catalogue-files.ts';
import { LANGUAGES } from '../../../src/texts/languages.ts';
import { findIcons } from '../../../src/web/dashboard/devices/icons/find-icons.ts';
import { targetAt } from '../../../src/web/dashboard/devices/icons/grid-keys.ts';

type Words = Readonly<Record<IconName, string>>;

const wordsIn = (language: string) => readCatalogue('src/texts', language, 'icons').names as unknown as Words;
const [english, german] = [wordsIn('en'), wordsIn('de')];
const both = [english, german];

describe('icons', () => {
  it.each(Object.keys(LANGUAGES))('have each a name of their own in %s, and no other names are there', (language) => {
    const words = wordsIn(language);
    expect(Object.keys(words).toSorted()).toEqual([...ICON_NAMES].toSorted());
    const names = Object.values(words).map((text) => text.split(',')[0]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('are all there before something is typed', () => {
    expect(findIcons(' ', english, both)).toBe(ICON_NAMES);
  });

  it.each([
    ['sofa', 'sofa'],
    ['couch', 'sofa'],
    ['reading lamp', 'lamp-desk'],
    ['fridge', 'refrigerator'],
    ['Kühlschrank', 'refrigerator'],
    ['kuehlschrank', 'refrigerator'],
    ['saugroboter', 'robot-vacuum'],
    ['paw-print', 'paw-print'],
  ])('are found on an English page by %j', (query, icon) => {
    expect(findIcons(query, english, both)).toContain(icon);
  });

  it.each([
    ['Sofa', 'sofa'],
    ['Leselampe', 'lamp-desk'],
    ['fridge', 'refrigerator'],
    ['Türklingel', 'bell-electric'],
  ])('are found on a German page by %j', (query, icon) => {
    expect(findIcons(query, german, both)).toContain(icon);
  });

  it('whose name begins with the query come first', () => {
    expect(findIcons('desk', english, both)[0]).toBe('lamp-desk');
    expect(findIcons('no such thing', english, both)).toEqual([]);
  });
});

describe('arrow keys in a grid', () => {
  /** Three columns, eight items. */
  const tops = [0, 0, 0, 60, 60, 60, 120, 120];

  it.each([
    ['ArrowRight', 0, 1],
    ['ArrowLeft', 3, 2],
    ['ArrowDown', 1, 4],
    ['ArrowUp', 7, 4],
    ['Home', 5, 0],
    ['End', 0, 7],
  ])('%s leads from %i to %i', (key, from, to) => {
    expect(targetAt(key, from, tops)).toBe(to);
  });

  it.each([
    ['ArrowLeft', 0],
    ['ArrowUp', 2],
    ['ArrowDown', 5],
    ['ArrowRight', 7],
    ['a', 3],
    ['ArrowDown', -1],
  ])('%s at %i leads nowhere', (key, from) => {
    expect(targetAt(key, from, tops)).toBeUndefined();
  });
});
