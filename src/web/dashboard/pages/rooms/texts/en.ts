import { pluralIn } from '../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  noRoomYet: 'No room yet',
  noRoomText: 'Accessories come here until you give them a room.',
  toHome: 'Home',
  notFound: 'This room is gone',
  notFoundText: 'Somebody deleted it. What was in it has no room now.',
  empty: 'This room is empty',
  emptyText: 'Move accessories here from the home page: choose “Edit” there, and drag them to this room.',
  lightsOn: 'Lights on',
  lightsOff: 'Lights off',
  lights: (on: number, all: number) =>
    on === 0 ? 'All lights are off' : `${on} of ${plural(all, { one: '# light', other: '# lights' })} on`,
  climate: 'Climate',
  attention: 'Needs attention',
};
