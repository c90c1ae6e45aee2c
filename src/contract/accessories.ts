/** Accessories with their services and characteristics (API §2.4, wire-facts §2.8). */
import { z } from 'zod';
import type { CharacteristicValue } from '../home/model.ts';
import { anyValue, EXAMPLE_ID, flag, id, name, number, text, time } from './fields.ts';
import { iconName } from './icons.ts';
import type { Input, Output } from './parse.ts';
import { VirtualFields } from './virtual-accessories.ts';

const partId = (iid: string) => text('The id of the accessory with the HAP iid behind it.', `${EXAMPLE_ID}.${iid}`);

export const Characteristic = z
  .object({
    id: partId('10'),
    type: text('In snake_case: `power_state`; a UUID for a maker’s own.', 'brightness'),
    characteristicType: text('The same as `type`.', 'brightness'),
    value: anyValue<CharacteristicValue>('The last value that the device reported; null where there is none.', 80),
    description: text('The device’s own words for it.').optional(),
    format: text('The HAP format: `bool`, `uint8`, `float`, `string` …', 'int'),
    unit: text(
      'The HAP unit: `percentage`, `celsius`, `arcdegrees`, `lux`, `seconds`; none for color temperatures, in mireds.',
      'percentage',
    ).optional(),
    minValue: number('The least value that the device takes.', 0).optional(),
    maxValue: number('The greatest value that the device takes.', 100).optional(),
    minStep: number('What values are rounded to.', 1).optional(),
    stepValue: number('The same as `minStep`.', 1).optional(),
    validValues: z
      .array(z.union([z.number(), z.string()]))
      .describe('The only values it takes.')
      .optional(),
    canRead: flag('Whether it has a value to read.', true),
    canWrite: flag('Whether it can be set.', true),
    isReadable: flag('The same as `canRead`.', true),
    isWritable: flag('The same as `canWrite`.', true),
  })
  .meta({ id: 'Characteristic' });
export type Characteristic = Output<typeof Characteristic>;

export const Service = z
  .object({
    id: partId('8'),
    name: text('What its user or its maker calls it.').nullable(),
    type: text('In snake_case: `lightbulb`.', 'lightbulb'),
    serviceType: text('The same as `type`.', 'lightbulb'),
    isPrimary: flag('Whether it is what the accessory is for.', true),
    isHidden: flag('Whether its maker wants it not to be shown.'),
    linkedServices: z.array(z.string()).describe('The ids of services that belong to this one.'),
    characteristics: z.array(Characteristic),
  })
  .meta({ id: 'Service' });
export type Service = Output<typeof Service>;

export const Accessory = z
  .object({
    id: id('The same after the device is paired again.'),
    name: text('As its owner named it, else as it names itself.', 'Ceiling Lamp'),
    homeId: id('The home that it is in.'),
    roomId: id('The room that it is in.'),
    roomName: text('The name of that room.', 'Living Room'),
    type: text('The device type, as `type` of GET /rest/state.', 'light'),
    category: text('The title of the HAP category.', 'Lightbulb'),
    icon: iconName().nullable(),
    reachable: flag('Whether it answers. Writes fail while it does not.', true),
    isReachable: flag('The same as `reachable`.', true),
    lastSeenAt: time('When it last sent something.').nullable(),
    vanishedAt: time('When its device stopped listing it. It is kept for 30 days.').nullable(),
    deviceId: text('The HAP device id; of a virtual one `virtual:` and a UUID.', '1A:2B:3C:4D:5E:6F'),
    aid: text('The HAP accessory id: 64 bits, hence a text.', '1'),
    services: z.array(Service),
    ...VirtualFields.partial().shape,
  })
  .meta({ id: 'Accessory' });
export type Accessory = Output<typeof Accessory>;
export type VirtualAccessory = Accessory & VirtualFields;

/** What a user would look for among scenes, automations and groups. */
export const AccessoryUse = z
  .object({
    kind: z
      .enum(['automation', 'flow', 'scene', 'group'])
      .describe('`automation` is a native one; `flow` any other.')
      .meta({ example: 'scene' }),
    id: id('Of the automation, scene or service group.'),
    name: text('Its name.', 'Movie Night'),
  })
  .meta({ id: 'AccessoryUse' });
export type AccessoryUse = Output<typeof AccessoryUse>;

export const AccessoryChanges = z.strictObject({
  name: name('Accessory name', {
    description: '`null` restores the device’s own name, or the original one of a virtual accessory.',
  }).nullish(),
  roomId: text('The id of the room it moves to.').optional(),
  icon: iconName().nullish(),
});
export type AccessoryChanges = Input<typeof AccessoryChanges>;
