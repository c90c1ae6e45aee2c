/** Adaptive lighting: lamps whose colour temperature follows the day. */
import { z } from 'zod';
import { ADAPTIVE_SETTINGS } from '../home/adaptive-lighting/setting.ts';
import { EXAMPLE_ID, flag, id, number, text, time, whole, word } from './fields.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

/** From candle light to blue sky: 1,000 to 20,000 K. */
const MIREDS = { from: 50, to: 1_000 };
const MAX_PAUSE_HOURS = 72;

const timeOfDay = (description: string, example: string) =>
  z
    .string({ error: invalidValue('it takes a time as HH:MM') })
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: invalidValue('it takes a time as HH:MM') })
    .meta({ description, examples: [example] });

const FIELDS = {
  enabled: flag(
    'Whether the lamps of the home follow the day, unless their room or they themselves are set otherwise.',
  ),
  warmest: whole(MIREDS, 'The colour temperature of the night, in mireds.').meta({ examples: [400] }),
  coldest: whole(MIREDS, 'The colour temperature of noon, in mireds.').meta({ examples: [182] }),
  wake: timeOfDay('When the household wakes, by the clock of the home.', '07:00'),
  sleep: timeOfDay('When it goes to sleep.', '22:30'),
  pauseHours: whole(
    { from: 1, to: MAX_PAUSE_HOURS },
    'How long a colour that someone sets stays, at most until the lamp is turned off; `null`: until it is turned off.',
  )
    .meta({ examples: [4] })
    .nullable(),
};

/** Absent fields stay. */
export const AdaptiveLightingChanges = z.strictObject(FIELDS).partial();
export type AdaptiveLightingChanges = Input<typeof AdaptiveLightingChanges>;

const SETTING = word(ADAPTIVE_SETTINGS, '`inherit`: as the level above, for a lamp its room, for a room its home.');

export const NewAdaptiveSetting = z.strictObject({ setting: SETTING });
export type NewAdaptiveSetting = Input<typeof NewAdaptiveSetting>;

export const AdaptiveLamp = z
  .object({
    accessoryId: id('The accessory.'),
    serviceId: text('Its light service: the accessory’s id, a dot and the iid.', `${EXAMPLE_ID}.8`),
    setting: SETTING,
    status: word(
      ['following', 'paused', 'off'],
      '`paused`: someone set its colour; it follows again after the lamp was turned off, or at `pausedUntil`.',
    ),
    runBy: word(['relay', 'lamp'], '`lamp`: it runs a schedule of the relay by itself, also while the relay is off.'),
    pausedUntil: time('When it follows again.').nullable(),
  })
  .meta({ id: 'AdaptiveLamp' });
export type AdaptiveLamp = Output<typeof AdaptiveLamp>;

export const AdaptiveRoom = z.object({ roomId: id('The room.'), setting: SETTING }).meta({ id: 'AdaptiveRoom' });
export type AdaptiveRoom = Output<typeof AdaptiveRoom>;

export const AdaptiveLighting = z
  .object({
    homeId: id('The home.'),
    ...FIELDS,
    mireds: number('The colour temperature now, for a lamp at full brightness.', 240),
    rooms: z.array(AdaptiveRoom).meta({ description: 'Every room.' }),
    lamps: z.array(AdaptiveLamp).meta({ description: 'Every lamp with a colour temperature.' }),
  })
  .meta({ id: 'AdaptiveLighting' });
export type AdaptiveLighting = Output<typeof AdaptiveLighting>;

export const AdaptiveAccessory = z.object({
  accessoryId: id('The accessory.'),
  lamps: z.array(AdaptiveLamp).meta({ description: 'Its lamps.' }),
});
export type AdaptiveAccessory = Output<typeof AdaptiveAccessory>;
