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
