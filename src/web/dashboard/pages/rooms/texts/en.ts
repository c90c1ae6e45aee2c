import { pluralIn } from '../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  noRoomYet: 'No room',
  noRoomText: 'Accessories without a room appear here.',
  toHome: 'Home',
  notFound: 'Room not found',
  notFoundText: 'It may have been deleted. Its accessories have no room now.',
  empty: 'This room is empty',
  emptyText: 'To move accessories here, choose “Edit” on the home page and drag them to this room.',
  lightsOn: 'Lights on',
  lightsOff: 'Lights off',
  lights: (on: number, all: number) =>
    on === 0 ? 'All lights are off' : `${on} of ${plural(all, { one: '# light', other: '# lights' })} on`,
  climate: 'Climate',
  attention: 'Needs attention',
};
