/** Homes (API §2.1), with their place: the time zone and the location. */
import { z } from 'zod';
import { HOME_BACKGROUNDS } from '../home/vocabulary/room-looks.ts';
import { anyObject, checkedBy, flag, id, integer, name, number, success, text, word } from './fields.ts';
import { parseLocation, parseTimeZone } from './home-place.ts';
import type { Input, Output } from './parse.ts';

const NAME = name('Home name', { description: 'Unique on this relay, ignoring case.', example: 'My Home' });
const PRIVILEGES = word(
  ['edit', 'view'],
  'The rights on the home platform: with `view`, native automations are refused.',
);
const TIME_ZONE = text(
  'The IANA name of the time zone that its clocks show; `null` for the computer’s own.',
  'Europe/Berlin',
).nullable();
const BACKGROUND = word(
  HOME_BACKGROUNDS,
  'What is behind its tiles where it has no picture; null for nothing.',
).nullable();
const LOCATION = '`{latitude, longitude, radius}` in degrees and metres; a person within the radius is at home.';

export const NewHome = z.strictObject({ name: NAME });
export type NewHome = Input<typeof NewHome>;

export const HomeChanges = z
  .strictObject({
    name: NAME,
    paused: flag('`true` stops its driver: it disconnects its devices, and commands fail. `false` starts it again.'),
    privileges: PRIVILEGES,
    background: BACKGROUND,
    timeZone: checkedBy(TIME_ZONE, parseTimeZone),
    location: checkedBy(anyObject(`${LOCATION} \`null\` deletes it.`).nullable(), parseLocation),
  })
  .partial();
export type HomeChanges = Input<typeof HomeChanges>;

export const HomeLocation = z
  .object({
    latitude: number('Degrees, north positive.', 52.52),
    longitude: number('Degrees, east positive.', 13.405),
    radius: number('A person within this distance in metres is at home.', 100),
  })
  .meta({ id: 'HomeLocation' });

export const Home = z
  .object({
    id: id(),
    name: NAME,
    key: text(
      'The key of the home in the state tree: a slug of the name and the last four characters of the id.',
      'my_home_1a2b',
    ),
    connected: flag('Whether commands can be routed: the home is not paused and the relay has started.', true),
    role: word(['owner', 'admin', 'control', 'view'], 'What the caller may do in it.'),
    isPrimary: flag('Whether it is the oldest one that the caller may see.', true),
    isAdmin: flag('Whether `privileges` is `edit`.', true),
    roomCount: integer('How many rooms it has.', 3),
    accessoryCount: integer('How many accessories it has.', 12),
    paused: flag('Whether its driver is stopped.'),
    privileges: PRIVILEGES,
    timeZone: TIME_ZONE,
    location: HomeLocation.nullable(),
    background: BACKGROUND,
    pictureHash: text(
      'Changes with its picture, GET /rest/homes/{id}/picture; null without one.',
      '3q2-7wAAAAAAAAAAAAAAAAAAAAA',
    ).nullable(),
  })
  .meta({ id: 'Home' });
export type Home = Output<typeof Home>;

export const DeletedHome = success({ homeId: id() });
