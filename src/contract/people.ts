/** The people of a home, and their presence. */
import { z } from 'zod';
import { id, name, success, text, time } from './fields.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

const NAME = name('Name', {
  description: 'Unique in the home, ignoring case. OwnTracks identifies people by it.',
  example: 'Ada',
});

const ACCOUNT = z
  .string({ error: invalidValue('give the id of a member of the home, or null') })
  .meta({ description: 'The id of a member of the home, who is no other person there; `null` for no account.' })
  .nullable();

export const NewPerson = z.strictObject({ homeId: text('The home.'), name: NAME, userId: ACCOUNT.optional() });
export type NewPerson = Input<typeof NewPerson>;

/** Absent fields stay. */
export const PersonChanges = z.strictObject({ name: NAME, userId: ACCOUNT }).partial();
export type PersonChanges = Input<typeof PersonChanges>;

function degrees(most: number, description: string, example: number) {
  const error = invalidValue(`give a number of degrees from ${-most} to ${most}`);
  return z
    .number({ error })
    .min(-most)
    .max(most)
    .meta({ description, examples: [example] });
}

const FIX = {
  latitude: degrees(90, 'Degrees, north positive.', 52.52),
  longitude: degrees(180, 'Degrees, east positive.', 13.405),
  accuracy: z
    .number({ error: invalidValue('give a number of metres, 0 or more') })
    .min(0)
    .meta({ description: 'The accuracy of the position, in metres.', examples: [12] }),
};

/** Typical for a phone outdoors. */
const USUAL_ACCURACY_M = 20;
/** A position as a phone reports it. */
export const ReportedFix = z.object({ ...FIX, accuracy: FIX.accuracy.default(USUAL_ACCURACY_M) });

/** Either whether they are at home, or a position. */
export const PresenceReport = z
  .strictObject({
    atHome: z.boolean({ error: invalidValue('give true or false') }).describe('Either this, or a position.'),
    latitude: FIX.latitude,
    longitude: FIX.longitude,
    accuracy: FIX.accuracy.describe(`The accuracy of the position, in metres; ${USUAL_ACCURACY_M} if left out.`),
  })
  .partial();
export type PresenceReport = Input<typeof PresenceReport>;

export const Person = z
  .object({
    id: id(),
    name: NAME,
    homeId: id('The home.'),
    userId: id('Their account, for admins of the home and for themselves; else null.').nullable(),
    atHome: z
      .boolean()
      .meta({ description: 'Whether they are at home; null if unknown.', examples: [true] })
      .nullable(),
    changedAt: time('When that last changed.').nullable(),
    latitude: FIX.latitude.nullable(),
    longitude: FIX.longitude.nullable(),
    accuracy: FIX.accuracy.nullable(),
    locatedAt: time('The time of that position.').nullable(),
  })
  .meta({ id: 'Person' });
export type Person = Output<typeof Person>;

export const DeletedPerson = success({ personId: id() });
