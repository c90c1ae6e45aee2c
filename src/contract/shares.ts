/** Share links (API §2.4, §2.5, §4.2, decisions §8): rows of who may access an entity without being a member. */
import { z } from 'zod';
import { parseName } from '../home/names.ts';
import { isTimeZone } from '../home/schedule/time-zones.ts';
import { ACCESS_TYPES, ENTITY_TYPES, SHARE_ROLES } from '../home/vocabulary/sharing.ts';
import { DAYS, type Day } from '../home/vocabulary/weekly-window.ts';
import { parseIsoTime } from '../kernel/clock.ts';
import { checked, checkedBy, EXAMPLE_ID, flag, id, integer, success, text, time, word } from './fields.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

const MAX_WINDOWS = 50;
const MAX_ID_LENGTH = 128;
const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)$/;
const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/i;
const WITH_OFFSET = /T.*(Z|[+-]\d{2}:\d{2})$/i;

/** Of an ISO 8601 time, in milliseconds: the epoch's if it has an offset, else the wall clock's. `NaN`: invalid. */
export function readMoment(moment: string): { readonly at: number; readonly hasOffset: boolean } {
  if (WITH_OFFSET.test(moment)) return { at: parseIsoTime(moment), hasOffset: true };
  return { at: parseIsoTime(moment.length > 10 ? `${moment}Z` : `${moment}T00:00:00Z`), hasOffset: false };
}

/**
 * An object in which `null` counts as absent. An unknown field is an invalid value: ignoring a misspelt one would leave
 * a share open that should be closed.
 */
function closed<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const error = invalidValue(`there is no such field; known are ${Object.keys(shape).join(', ')}`);
  const unknown = z.unknown().refine(() => false, { error });
  const known = z.object(shape, { error: invalidValue('it takes an object') }).catchall(unknown.meta({ not: {} }));
  return z.preprocess(withoutNulls, known as unknown as z.ZodObject<Shape, z.core.$strict>);
}

function withoutNulls(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

function sentence(accepted: string, description: string, isValid: (given: string) => boolean, example?: string) {
  const field = z
    .string({ error: invalidValue(accepted) })
    .meta({ description, ...(example && { examples: [example] }) });
  return checked(field, (given) => (isValid(given) ? null : accepted));
}

const moment = (description: string, example?: string) =>
  sentence(
    'it takes a time in ISO 8601, such as 2030-01-31T18:00:00Z',
    description,
    (given) => ISO.test(given) && Number.isFinite(readMoment(given).at),
    example,
  );
const clock = (description: string, example: string) =>
  sentence('it takes a time of day, such as 07:30', description, (given) => CLOCK.test(given), example);

const EACH_DAY_ONCE = 'it takes a list of days, each once: mon, tue, wed, thu, fri, sat, sun';
const DAY = z.string({ error: invalidValue(EACH_DAY_ONCE) }).meta({ enum: DAYS });
const WindowDays = checked(z.array(DAY, { error: invalidValue(EACH_DAY_ONCE) }), (days) => {
  const known = new Set(days.filter((day) => (DAYS as readonly string[]).includes(day)));
  return days.length > 0 && known.size === days.length ? null : EACH_DAY_ONCE;
})
  .meta({ description: 'The days on which it begins; every day if left out.', examples: [['fri', 'sat']] })
  .transform((days): readonly Day[] => DAYS.filter((day) => days.includes(day)));

const AccessWindow = closed({
  days: WindowDays.optional(),
  start: clock('`HH:MM`', '18:00'),
  end: clock('`HH:MM`; of the next day where it is not after `start`.', '02:00'),
}).meta({ id: 'AccessWindow' });

/** The times when a share is open. Its fields keep their names inside, because clients read and write it as a whole. */
export const AccessSchedule = closed({
  starts_at: moment('ISO 8601; without an offset by the clocks of the time zone.').optional(),
  expires_at: moment('The same; the first moment at which it is closed.', '2030-02-01T10:00:00Z').optional(),
  time_windows: z
    .array(AccessWindow, { error: invalidValue(`it takes a list of at most ${MAX_WINDOWS}`) })
    .max(MAX_WINDOWS)
    .meta({
      description: 'It is open within any of them; always if left out.',
      examples: [[{ days: ['fri', 'sat'], start: '18:00', end: '02:00' }]],
    })
    .optional(),
  timezone: sentence(
    'it takes an IANA time zone, such as Europe/Berlin',
    'IANA; the home’s if left out.',
    (given) => given.length <= 64 && isTimeZone(given),
    'Europe/Berlin',
  ).optional(),
}).meta({ id: 'AccessSchedule' });
export type AccessSchedule = Output<typeof AccessSchedule>;
export const WithSchedule = z.object({ accessSchedule: AccessSchedule });

const anId = (description: string) =>
  checked(text(description, EXAMPLE_ID), ({ length }) =>
    length > 0 && length <= MAX_ID_LENGTH ? null : 'it takes an id',
  );
const ENTITY_ID = anId('A UUID; of a group inside a collection `<collectionId>:<groupId>`.');

/** What is shared. */
export const ShareTarget = z.object({
  entityType: word([...ENTITY_TYPES, 'group'], '`group` is the same as `accessory_group`.').transform((type) =>
    type === 'group' ? 'accessory_group' : type,
  ),
  entityId: ENTITY_ID,
  homeId: anId('The home that it is expected in; not found if it is in another.').nullish(),
});

const ROLE = word(SHARE_ROLES, 'What its visitors may do.');
/** The operation parses the passcode and the schedule: they depend on the role and on the home. */
const FIELDS = {
  passcode: text(
    'Of type `passcode`: 4 to 128 characters, 6 or more where it may control. Never shown afterwards.',
  ).nullish(),
  name: checkedBy(text('Its maker’s name for it. An empty text removes it.').nullable(), (name) =>
    name ? parseName(name, 'Share name') : null,
  ).optional(),
  accessSchedule: z
    .unknown()
    .meta({
      description: 'When it is open; always if left out. `null` or an empty text removes it.',
      anyOf: [
        { $ref: 'AccessSchedule' },
        { type: 'string', description: 'The same object as JSON text.' },
        { type: 'null' },
      ],
    })
    .optional(),
  requirePost: z
    .boolean({ error: invalidValue('it takes true or false') })
    .describe('Whether GET may not act through it. Left out: GET may not open, unlock or disarm.')
    .optional(),
};

/** An entity, a home, or neither: all that the caller created. */
export const SharesQuery = ShareTarget.omit({ homeId: true })
  .extend({ home: id('Of a home: everything in it that is shared, by any user.') })
  .partial();

export const NewShare = z.strictObject({
  ...ShareTarget.shape,
  accessType: word(ACCESS_TYPES, 'Everyone with the link, everyone who knows the passcode, or one user, signed in.'),
  role: ROLE,
  userEmail: text('Of type `user`: the address of an account.').nullish(),
  ...FIELDS,
});
export type NewShare = Input<typeof NewShare>;

/** Absent fields stay. */
export const ShareChanges = z.strictObject({ role: ROLE, ...FIELDS }).partial();
export type ShareChanges = Input<typeof ShareChanges>;

export const Share = z
  .object({
    id: id(),
    entityType: word(ENTITY_TYPES),
    entityId: ENTITY_ID,
    entityName: text('Its name; null once it is gone.', 'Living Room').nullable(),
    homeId: id('The home that it is in; null for collections.').nullable(),
    accessType: word(ACCESS_TYPES, '`public`: everyone with the link. `user`: one user, signed in.'),
    role: ROLE,
    name: text('Its maker’s name for it.', 'Guests').nullable(),
    hasPasscode: flag('Whether it has a passcode.'),
    userId: text('Of type `user`: the user’s id.').nullable(),
    userEmail: text('The address of that user.').nullable(),
    accessSchedule: AccessSchedule.nullable(),
    requirePost: flag('Whether GET may not act through it, or not open, unlock or disarm.'),
    createdAt: time('When it was created.'),
    shareHash: text('The same for all shares of an entity.', 'AQJfnTwOelFKO4pVKx0OTzxNb2Zxc2lnbmVkd2l0aGFrZQ'),
    shareUrl: text('The link.', 'http://192.168.1.5:5656/s/AQJfnTwOelFKO4pVKx0OTzxNb2Zxc2lnbmVkd2l0aGFrZQ'),
  })
  .meta({ id: 'Share' });
export type Share = Output<typeof Share>;

export const DeletedShare = success({ shareId: id() });

/** How an entity is shared, all rows together. */
export const SharingInfo = z.object({
  isShared: flag('Whether it is shared at all.'),
  hasPublic: flag('Whether the link alone is enough.'),
  publicRole: ROLE.describe('The strongest role of everyone with the link.').nullable(),
  passcodeCount: integer('How many passcodes there are.'),
  userCount: integer('With how many users it is shared.'),
  shareHash: text('null while it is not shared.').nullable(),
  roomCount: integer('In how many rooms its accessories are.'),
  accessoryCount: integer('How many accessories are in it.'),
  groupCount: integer('How many service groups are in it.'),
});
export type SharingInfo = Output<typeof SharingInfo>;
