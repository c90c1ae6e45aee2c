import { describe, expect, it } from 'vitest';
import { find } from '../../../src/web/dashboard/shell/search/find.ts';

const item = (name: string, ...words: string[]) => ({ name, words });
const HOME = [
  item('Küchenlicht', 'Gerät', 'Küche'),
  item('Deckenlicht', 'Gerät', 'Flur'),
  item('Café Zeit', 'Szene'),
  item('Straßenlampe', 'Gerät', 'Garten'),
  item('Licht im Bad', 'Gerät', 'Bad'),
  item('<img src=x>', 'Gerät', 'Flur'),
];
const namesOf = (query: string) => find(HOME, query).map(({ name }) => name);

describe('a synonym', () => {
  const items = [item('Backups'), { ...item('Back up now', 'Action'), synonyms: ['backup', 'save a copy'] }];
  const found = (query: string) => find(items, query).map(({ name }) => name);

  it('is as good as the name where it is the whole query', () => {
    expect(found('backup')).toEqual(['Backups', 'Back up now']);
    expect(find(items.toReversed(), 'BACKUP').map(({ name }) => name)).toEqual(['Back up now', 'Backups']);
    expect(found('save  a copy')).toEqual(['Back up now']);
  });

  it('finds less well where the query is a part of it', () => {
    expect(find(items.toReversed(), 'back').map(({ name }) => name)).toEqual(['Back up now', 'Backups']);
    expect(found('copy action')).toEqual(['Back up now']);
    expect(find([...items, item('Copy shop')], 'copy').map(({ name }) => name)).toEqual(['Copy shop', 'Back up now']);
  });
});

describe('the search', () => {
  it.each([
    ['küche', ['Küchenlicht']],
    ['KUCHE', ['Küchenlicht']],
    ['kueche', ['Küchenlicht']],
    ['cafe', ['Café Zeit']],
    ['strasse', ['Straßenlampe']],
    ['licht', ['Licht im Bad', 'Küchenlicht', 'Deckenlicht']],
    ['licht bad', ['Licht im Bad']],
    ['flur', ['Deckenlicht', '<img src=x>']],
    ['szene', ['Café Zeit']],
    ['<img', ['<img src=x>']],
    ['garage', []],
    ['   ', []],
  ])('finds by %j', (query, names) => {
    expect(namesOf(query)).toEqual(names);
  });
});
