import type { JsonSchema } from '../../../contract/json-schema.ts';
import { VIRTUAL_TYPES } from '../../../home/model.ts';
import { AccessoryChanges } from '../../rest/accessories.ts';
import {
  anyValue,
  arrayOf,
  flag,
  id,
  number,
  object,
  oneOf,
  orNull,
  ref,
  success,
  text,
  time,
} from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';
import { ROOM_ID } from './rooms.ts';

export const ACCESSORY_ID = '0d6c3a0b-93a5-5a0e-9b7f-3f0c5d1e9f3c';

const PART_ID = 'The id of the accessory with the HAP iid behind it.';

/** For a timer. */
export const TIMER_FIELDS: Readonly<Record<string, JsonSchema>> = {
  virtualTimerState: oneOf(['idle', 'active', 'paused']),
  virtualDurationMs: number('How long this run takes in all; while idle, how long the next one would. Milliseconds.'),
  virtualStartedAt: orNull(time()),
  virtualEndsAt: orNull(time('When it will be through; `null` unless it runs.')),
  virtualRemainingMs: orNull(number('Milliseconds; `null` while it is idle.')),
  virtualFinishedAt: orNull(time('When it was through last.')),
};

/** Further fields of a virtual accessory; those that its kind lacks are omitted. */
const VIRTUAL: Readonly<Record<string, JsonSchema>> = {
  isVirtual: { const: true, description: 'It has no device: it is kept by the relay.' },
  virtualType: oneOf(VIRTUAL_TYPES, 'What it was made as.'),
  isUserEditable: flag('People may change its value.'),
  virtualIcon: orNull(text()),
  virtualOperations: arrayOf(text(), 'What can be done with it beside plain writing.'),
  virtualConfig: {
    type: 'object',
    additionalProperties: true,
    description: 'How it was set up, by the fields of its kind.',
  },
  virtualOptions: arrayOf(text(), 'input_select: its options.'),
  virtualHasDate: flag('input_datetime.'),
  virtualHasTime: flag('input_datetime.'),
  virtualControl: oneOf(['stepper', 'field'], 'input_number.'),
  ...TIMER_FIELDS,
};

export const ACCESSORY_EXAMPLE = {
  id: ACCESSORY_ID,
  name: 'Ceiling Lamp',
  homeId: HOME_ID,
  roomId: ROOM_ID,
  roomName: 'Living Room',
  type: 'light',
  category: 'Lightbulb',
  reachable: true,
  isReachable: true,
  lastSeenAt: '2030-01-31T12:00:00.000Z',
  vanishedAt: null,
  deviceId: '1A:2B:3C:4D:5E:6F',
  aid: '1',
  services: [
    {
      id: `${ACCESSORY_ID}.8`,
      name: null,
      type: 'lightbulb',
      serviceType: 'lightbulb',
      isPrimary: true,
      isHidden: false,
      linkedServices: [],
      characteristics: [
        {
          id: `${ACCESSORY_ID}.10`,
          type: 'brightness',
          characteristicType: 'brightness',
          value: 80,
          format: 'int',
          unit: 'percentage',
          minValue: 0,
          maxValue: 100,
          minStep: 1,
          stepValue: 1,
          canRead: true,
          canWrite: true,
          isReadable: true,
          isWritable: true,
        },
      ],
    },
  ],
};

export const accessories: Resource = {
  tag: 'Accessories',
  description: 'Devices and virtual accessories, with all their services and characteristics.',
  schemas: {
    Accessory: object(
      {
        id: id(),
        name: text(),
        homeId: id(),
        roomId: id(),
        roomName: text(),
        type: text('The device type, as `type` of GET /rest/state.'),
        category: text('The title of the HAP category.'),
        reachable: flag(),
        isReachable: flag('The same as `reachable`.'),
        lastSeenAt: orNull(time('When it was last heard from.')),
        vanishedAt: orNull(time('When its device stopped listing it. It is kept for 30 days.')),
        deviceId: text('The HAP device id, or what stands for it.'),
        aid: text('The HAP accessory id: 64 bits, hence a text.'),
        services: arrayOf(ref('Service')),
        ...VIRTUAL,
      },
      Object.keys(VIRTUAL),
    ),
    Service: object({
      id: text(PART_ID),
      name: orNull(text('What its user or its maker calls it.')),
      type: text('In snake_case: `lightbulb`.'),
      serviceType: text('The same as `type`.'),
      isPrimary: flag(),
      isHidden: flag(),
      linkedServices: arrayOf(text(), 'Ids of services.'),
      characteristics: arrayOf(ref('Characteristic')),
    }),
    Characteristic: object(
      {
        id: text(PART_ID),
        type: text('In snake_case: `power_state`.'),
        characteristicType: text('The same as `type`.'),
        value: anyValue('The last value that the device reported; `null` where there is none.'),
        description: text('The device’s own words for it.'),
        format: text('The HAP format: `bool`, `uint8`, `float`, `string` …'),
        unit: text('The HAP unit: `percentage`, `celsius`, `arcdegrees`, `lux`, `seconds`.'),
        minValue: number(),
        maxValue: number(),
        minStep: number(),
        stepValue: number('The same as `minStep`.'),
        validValues: arrayOf({ type: ['number', 'string'] }, 'The only values it takes.'),
        canRead: flag(),
        canWrite: flag(),
        isReadable: flag('The same as `canRead`.'),
        isWritable: flag('The same as `canWrite`.'),
      },
      ['description', 'unit', 'minValue', 'maxValue', 'minStep', 'stepValue', 'validValues'],
    ),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/accessories',
      id: 'listAccessories',
      summary: 'Accessories with everything about them',
      audience: 'token',
      query: [
        { name: 'home', description: 'Only those of the home with this id.', schema: id() },
        { name: 'room', description: 'Only those of the room with this id.', schema: id() },
        { name: 'type', description: 'A device type, a service’s name or a category’s title.' },
        { name: 'name', description: 'A part of the name, ignoring case.' },
      ],
      answer: { description: 'The accessories.', schema: arrayOf(ref('Accessory')), example: [ACCESSORY_EXAMPLE] },
      errors: [400, 403, 404],
    },
    {
      method: 'get',
      path: '/rest/accessories/:id',
      id: 'getAccessory',
      summary: 'One accessory',
      audience: 'view',
      answer: { description: 'The accessory.', schema: ref('Accessory'), example: ACCESSORY_EXAMPLE },
    },
    {
      method: 'patch',
      path: '/rest/accessories/:id',
      id: 'updateAccessory',
      summary: 'Rename or move an accessory',
      audience: 'admin',
      body: {
        schema: AccessoryChanges,
        fields: { name: '`null` restores the device’s own name.', roomId: 'The id of the room it moves to.' },
        examples: { 'Rename it': { name: 'Reading Lamp' }, 'Move it': { roomId: ROOM_ID } },
      },
      answer: { description: 'The accessory as it is now.', schema: ref('Accessory'), example: ACCESSORY_EXAMPLE },
    },
    {
      method: 'post',
      path: '/rest/accessories/:id/identify',
      id: 'identifyAccessory',
      summary: 'Let an accessory blink or beep',
      audience: 'control',
      answer: { description: 'It was asked to.', schema: success(), example: { success: true } },
      errors: [422, 503],
    },
  ],
};
