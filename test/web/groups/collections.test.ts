import { describe, expect, it } from 'vitest';
import { idsInCollection, withCollectionIds } from '../../../src/web/dashboard/pages/groups/members.ts';

const CONTENT = {
  groups: [{ id: 'g', name: 'Lamps' }],
  items: [
    { home_id: 'here', home_name: 'Here', accessory_id: 'a', group_id: 'g' },
    { home_id: 'here', service_group_id: 's' },
    { home_id: 'there', accessory_id: 'z' },
  ],
};
const isGroup = (id: string) => id.startsWith('s');

describe('what is in a collection', () => {
  it('is read for the home on the screen', () => {
    expect(idsInCollection(CONTENT, 'here')).toEqual(['a', 's']);
    expect(idsInCollection('nothing', 'here')).toEqual([]);
  });

  it('changes for that home alone, and keeps its groups', () => {
    expect(withCollectionIds(CONTENT, 'here', ['a', 'b', 's2'], isGroup)).toEqual({
      groups: CONTENT.groups,
      items: [
        { home_id: 'here', accessory_id: 'a', group_id: 'g' },
        { home_id: 'there', accessory_id: 'z' },
        { home_id: 'here', accessory_id: 'b' },
        { home_id: 'here', service_group_id: 's2' },
      ],
    });
  });
});
