/** The state of the home (API §4.1): its filters, its two forms, what a write takes, and the report of a write. */
import { z } from 'zod';
import type { CharacteristicValue } from '../home/model.ts';
import { anyValue, EXAMPLE_ID, flag, id, integer, text, word } from './fields.ts';
import type { Output } from './parse.ts';
import { SettableProperties } from './settable-properties.ts';

// — reading —

/** Each matches a part. `filter_by_<name>` is the same, in the name-based form of REST and in MCP. */
export const StateFilters = z
  .object({
    home: text('Part of its name or slug key.'),
    room: text('Part of its name or slug key.'),
    name: text('Part of its name or slug key.'),
    type: text(
      'A device type: light, switch, outlet, climate, lock, alarm, fan, blind, valve, speaker, motion, contact, temperature, light_sensor, camera, doorbell, button, a virtual one such as `input_number`; or a service, such as `lightbulb`.',
    ),
  })
  .partial();
export type StateFilters = Output<typeof StateFilters>;

export const StateQuery = StateFilters.extend({
  form: word(
    ['keys', 'names'],
    '`keys`: the tree of slug keys. `names`: lists with names, services and characteristics.',
  ).default('keys'),
});
/** `keys`: the tree of slug keys (API §2.2). `names`: the list of homes with names and services (API §4.1.3). */
export type StateForm = Output<typeof StateQuery>['form'];

const EXAMPLE_KEYS = ['my_home_1a2b', 'living_room_3c4d', 'ceiling_lamp_9f3c'] as const;

/** An accessory or a service group by its properties. */
export const AccessoryState = z
  .object({
    type: text('The device type: `light`, `switch`, `outlet`, `climate`, `lock`, `alarm`, `fan`, `blind` …'),
    name: text('`<home key>.<room key>.<accessory key>`'),
    _settable: z.array(z.string()).describe('The properties that can be written to it now.').optional(),
    group: z.literal(true).describe('It is a service group: writing to it writes to all its members.').optional(),
    get accessories(): z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodType<object>>> {
      return z
        .record(z.string(), AccessoryState)
        .describe('The members of a service group by accessory key.')
        .optional();
    },
  })
  .catchall(anyValue<CharacteristicValue>('A property, such as `on` or `brightness`.'))
  .meta({ id: 'AccessoryState', description: 'Simplified properties, and what is about the accessory itself.' });

/** Without the properties, which stand beside these fields. */
export type AccessoryState = Output<z.ZodObject<(typeof AccessoryState)['shape']>>;

/** The tree of slug keys (API §2.2). */
export const StateTree = z
  .object({
    _homes: z
      .record(z.string(), id())
      .describe('Every home that the token may see, regardless of filters: from its key to its id.'),
    _meta: z.object({
      fetched_at: text('ISO 8601, to the second.'),
      message: text('What was found, in one sentence.'),
    }),
  })
  .catchall(
    z
      .object({ _scenes: z.array(z.string()).describe('The names of its scenes.') })
      .catchall(z.record(z.string(), AccessoryState))
      .describe('A home by its key: rooms by theirs, with accessories by theirs.'),
  )
  .meta({
    id: 'StateTree',
    examples: [
      {
        [EXAMPLE_KEYS[0]]: {
          [EXAMPLE_KEYS[1]]: {
            [EXAMPLE_KEYS[2]]: {
              type: 'light',
              on: true,
              brightness: 80,
              color_temp: 250,
              _settable: ['on', 'brightness', 'color_temp'],
              name: EXAMPLE_KEYS.join('.'),
            },
          },
          _scenes: ['Movie Night'],
        },
        _homes: { [EXAMPLE_KEYS[0]]: EXAMPLE_ID },
        _meta: { fetched_at: '2030-01-31T12:00:00+00:00', message: 'Found 1 accessory across 1 home' },
      },
    ],
  });
export type StateTree = Output<typeof StateTree>;

const NamedAccessory = z
  .object({
    id: id(),
    name: text('Its name.', 'Ceiling Lamp'),
    type: text('The device type.', 'light'),
    reachable: flag('Whether it answers.', true),
    group: z.literal(true).describe('It is a service group.').optional(),
    services: z.array(
      z.object({
        type: text('In snake_case.', 'lightbulb'),
        characteristics: z.array(
          z.object({ type: text('In snake_case.', 'on'), value: anyValue<CharacteristicValue>('Its value.', true) }),
        ),
      }),
    ),
  })
  .meta({ id: 'NamedAccessory' });
export type NamedAccessory = Output<typeof NamedAccessory>;

/** The name-based form (API §4.1.3). */
export const StateByNames = z
  .object({
    homes: z.array(
      z.object({
        id: id(),
        name: text('Its name.', 'My Home'),
        rooms: z.array(
          z.object({ id: id(), name: text('Its name.', 'Living Room'), accessories: z.array(NamedAccessory) }),
        ),
      }),
    ),
  })
  .meta({ id: 'StateByNames' });
export type StateByNames = Output<typeof StateByNames>;

// — writing —

/** The properties to set. */
const Settings = SettableProperties.catchall(z.unknown()).meta({
  id: 'Settings',
  description: 'The properties to set. A second service of the accessory has them with a number: `on_2`.',
});

/** How the flat form names an accessory. */
export const AccessoryNames = z.object({ home: z.string(), room: z.string(), accessory: z.string() });

const FlatSettings = z.looseObject({ ...AccessoryNames.shape, ...SettableProperties.shape }).meta({
  id: 'FlatSettings',
  description: 'One accessory by the names of its home, its room and itself, with the properties to set.',
});

const HomeSettings = z.record(z.string(), z.record(z.string(), Settings));

/** The forms of a write. The API reads them part by part: what is wrong with one is a line of the report. */
export const StateWrite = z.union([
  FlatSettings,
  z.array(FlatSettings),
  z
    .record(z.string(), HomeSettings)
    .describe('home key › room key › accessory key › properties, as GET /rest/state shows them.'),
  z.looseObject({ homeId: id(), state: HomeSettings }).describe('The tree of one home.'),
]);

/** `updated` and `failed` count accessories, a group as one; one can be both. */
export const StateReport = z
  .object({
    success: flag('Only where the body had a `homeId`: whether nothing failed.').optional(),
    updated: integer('Accessories of which something was set.', 1),
    failed: integer('Accessories of which something was not.'),
    changes: z.array(z.string()).meta({
      description: '`<home>/<room>/<accessory>: on=true, brightness=80`',
      examples: [['my_home_1a2b/living_room_3c4d/ceiling_lamp_9f3c: on=true, brightness=80']],
    }),
    errors: z
      .array(z.string())
      .describe(
        '`<home>/<room>/<accessory>.<property>: <reason>`, or the path of an unknown name; for a group also which member.',
      ),
    message: text('What was done, in one sentence.', 'Updated 1 accessory'),
  })
  .meta({ id: 'StateReport' });
export type StateReport = Output<typeof StateReport>;
