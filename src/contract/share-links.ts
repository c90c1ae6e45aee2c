/** What people with the link of a share see, and the result of a verb (API §4.4). */
import { z } from 'zod';
import { ENTITY_TYPES, SHARE_ROLES } from '../home/vocabulary/sharing.ts';
import { flag, id, integer, text, word } from './fields.ts';
import type { Output } from './parse.ts';

export const SharedAccessory = z
  .object({
    id: id(),
    name: text('Its name.', 'Lamp'),
    reachable: flag('Whether it answers.', true),
    room: text('The name of its room.', 'Living Room'),
    services: z.array(
      z.object({
        serviceType: text('`lightbulb`, `lock` …', 'lightbulb'),
        characteristics: z.array(
          z.object({
            characteristicType: text('`power_state`, `brightness` …', 'power_state'),
            value: z
              .union([z.boolean(), z.number(), z.string()])
              .nullable()
              .meta({ description: 'Its last known value.', examples: [true] }),
            isWritable: flag('By the device; the role of the share decides whether by its visitors.', true),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'SharedAccessory' });
export type SharedAccessory = Output<typeof SharedAccessory>;

export const SharedState = z
  .object({
    success: z.literal(true),
    entity_type: word(ENTITY_TYPES),
    role: word(SHARE_ROLES),
    accessories: z.array(SharedAccessory),
  })
  .meta({ id: 'SharedState' });
export type SharedState = Output<typeof SharedState>;

export const ShareReport = z
  .object({
    success: flag('Whether something was set and nothing failed.', true),
    updated: integer('Accessories that accepted it.', 1),
    failed: integer('Accessories that did not.'),
    changes: z.array(z.string()).meta({ description: '`<accessory>: on=true`', examples: [['Lamp: on=true']] }),
    errors: z.array(z.string()).describe('`<accessory>.<property>: <reason>`'),
  })
  .meta({ id: 'ShareReport' });
export type ShareReport = Output<typeof ShareReport>;
