import { pluralIn } from '../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  search: 'Search',
  hint: 'Search (key: /)',
  label: 'Search your home',
  teach: 'Accessories, rooms, scenes, groups, automations and pages.',
  clear: 'Clear the search',
  results: 'Results',
  found: (count: number) => plural(count, { one: '# result', other: '# results' }),
  nothing: (query: string) => `No results for “${query}”.`,
  accessory: 'Accessory',
  group: 'Group',
  room: 'Room',
  scene: 'Scene',
  automation: 'Automation',
  page: 'Page',
};
