/** What the state of the home (API §4.1) answers: the name-based form, and the report of a write. */
import { z } from 'zod';
import type { CharacteristicValue } from '../home/model.ts';
import { anyValue, flag, id, integer, text } from './fields.ts';
import type { Output } from './parse.ts';

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
