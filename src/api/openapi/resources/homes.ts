import { HomeChanges, NewHome } from '../../rest/homes.ts';
import { arrayOf, flag, id, integer, number, object, oneOf, orNull, ref, success, text } from '../json-schema.ts';
import type { Resource } from '../operation.ts';

export const HOME_ID = 'b3a1c1f2-0c8e-4d55-9d0a-6f1f7b2c1a2b';

const HOME = {
  id: HOME_ID,
  name: 'My Home',
  key: 'my_home_1a2b',
  connected: true,
  role: 'owner',
  isPrimary: true,
  isAdmin: true,
  roomCount: 3,
  accessoryCount: 12,
  paused: false,
  privileges: 'edit',
  timeZone: 'Europe/Berlin',
  location: { latitude: 52.52, longitude: 13.405, radius: 100 },
};

const PRIVILEGES = 'The rights on the home platform: with `view`, native automations are refused.';

const TIME_ZONE = 'The IANA name of the time zone that its clocks show; `null` for the computer’s own.';
const LOCATION =
  '`{latitude, longitude, radius}` in degrees and metres: for sunrise, sunset, and a person within the radius is at home.';

export const homes: Resource = {
  tag: 'Homes',
  description: 'A relay holds one or more homes; a home has rooms.',
  schemas: {
    HomeLocation: object({
      latitude: number('Degrees, north positive.'),
      longitude: number('Degrees, east positive.'),
      radius: number('Metres.'),
    }),
    Home: object({
      id: id(),
      name: text(),
      key: text('The key of the home in the state tree: a slug of the name and the last four characters of the id.'),
      connected: flag('Whether commands can be routed: the home is not paused and the relay has started.'),
      role: oneOf(['owner', 'admin', 'control', 'view'], 'What the caller may do in it.'),
      isPrimary: flag('It is the oldest one that the caller may see.'),
      isAdmin: flag('Whether `privileges` is `edit`.'),
      roomCount: integer(),
      accessoryCount: integer(),
      paused: flag('The owner has paused its driver.'),
      privileges: oneOf(['edit', 'view'], PRIVILEGES),
      timeZone: orNull(text(TIME_ZONE)),
      location: orNull(ref('HomeLocation')),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/homes',
      id: 'listHomes',
      summary: 'The homes that the caller may see',
      audience: 'token',
      answer: { description: 'The homes.', schema: arrayOf(ref('Home')), example: [HOME] },
    },
    {
      method: 'post',
      path: '/rest/homes',
      id: 'createHome',
      summary: 'Make a home',
      audience: 'owner',
      body: {
        schema: NewHome,
        fields: { name: 'Unique on this relay, ignoring case.' },
        examples: { 'A home': { name: 'Cabin' } },
      },
      answer: { description: 'The home, with its default room in it.', schema: ref('Home'), example: HOME },
    },
    {
      method: 'patch',
      path: '/rest/homes/:id',
      id: 'updateHome',
      summary: 'Rename, pause or resume a home',
      audience: 'admin',
      body: {
        schema: HomeChanges,
        fields: {
          name: 'Its new name.',
          paused: '`true` stops its driver, `false` starts it again.',
          privileges: `\`edit\` or \`view\`. ${PRIVILEGES}`,
          timeZone: TIME_ZONE,
          location: `${LOCATION} \`null\` forgets it.`,
        },
        examples: {
          'Pause it': { paused: true },
          'Rename it': { name: 'Summer House' },
          'Say where it is': { timeZone: 'Europe/Berlin', location: HOME.location },
        },
      },
      answer: { description: 'The home as it is now.', schema: ref('Home'), example: HOME },
    },
    {
      method: 'delete',
      path: '/rest/homes/:id',
      id: 'deleteHome',
      summary: 'Delete a home',
      description: 'Refused while accessories are paired into it, and for the last one.',
      audience: 'owner',
      answer: {
        description: 'It is gone.',
        schema: success({ homeId: id() }),
        example: { success: true, homeId: HOME_ID },
      },
      errors: [422],
    },
  ],
};
