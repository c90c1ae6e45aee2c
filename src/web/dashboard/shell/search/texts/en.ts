import { pluralIn } from '../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  search: 'Search',
  hint: 'Search (key: /)',
  label: 'Search your home',
  teach: 'Accessories, rooms, scenes, groups, automations and pages.',
  clear: 'Clear the search',
  results: 'Found',
  found: (count: number) => plural(count, { one: '# found', other: '# found' }),
  nothing: (query: string) => `Nothing is called “${query}”.`,
  accessory: 'Accessory',
  group: 'Group',
  room: 'Room',
  scene: 'Scene',
  automation: 'Automation',
  page: 'Page',
};
