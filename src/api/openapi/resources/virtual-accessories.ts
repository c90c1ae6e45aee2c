import type { JsonSchema } from '../../../contract/json-schema.ts';
import { VIRTUAL_TYPES } from '../../../home/model.ts';
import { VIRTUAL_OPERATIONS } from '../../../home/virtual-driver.ts';
import {
  NewVirtualAccessory,
  VirtualAccessoryChanges,
  VirtualOperationRequest,
} from '../../rest/virtual-accessories.ts';
import { anyValue, arrayOf, id, object, oneOf, ref, success, text } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { ACCESSORY_EXAMPLE, TIMER_FIELDS } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const MODE_ID = '1f2e3d4c-5b6a-5798-8a9b-acbdcedfe0f1';

const MODE = {
  ...ACCESSORY_EXAMPLE,
  id: MODE_ID,
  name: 'House Mode',
  type: 'input_select',
  category: 'Other',
  deviceId: 'virtual:5f0a3b1e-58b6-4c1c-9a1e-1d2c3b4a5f60',
  isVirtual: true,
  virtualType: 'input_select',
  isUserEditable: true,
  virtualIcon: null,
  virtualOperations: ['set'],
  virtualConfig: { options: ['Home', 'Away'], initialValue: 'Home' },
  virtualOptions: ['Home', 'Away'],
  services: [],
};

/** `type` decides which kind accepts which field; other fields are rejected. */
const KIND_FIELDS: Readonly<Record<string, string | JsonSchema>> = {
  roomId: 'The room it is in; `null` is the default one.',
  icon: 'For clients to show.',
  controllable: '`false`: people only read it, automations may still write.',
  initial: anyValue('counter: where it starts and what `reset` goes back to.'),
  initialValue: anyValue('All but counter and timer: what it starts with.'),
  options: 'input_select: two or more, no two alike.',
  min: 'counter, input_number.',
  max: 'counter, input_number.',
  step: 'counter, input_number: what `increment` adds.',
  unit: 'input_number.',
  control: oneOf(['stepper', 'field'], 'input_number: how clients should let people change it.'),
  duration: 'timer: seconds, a text such as `90s` or `1:30:00`, or hours, minutes and seconds.',
  durationMs: 'timer: the same in milliseconds.',
  restoreOnRestart: 'timer: kept for clients; timers always survive a restart.',
  minLength: 'input_text.',
  maxLength: 'input_text.',
  pattern: 'input_text: a regular expression that the whole text must match.',
  hasDate: 'input_datetime.',
  hasTime: 'input_datetime.',
};

export const virtualAccessories: Resource = {
  tag: 'Virtual accessories',
  description:
    'Accessories without a device: switches, modes, counters, timers, numbers, texts and dates. They are read and written like any other, and listed with them.',
  operations: [
    {
      method: 'get',
      path: '/rest/virtual-accessories',
      id: 'listVirtualAccessories',
      summary: 'The virtual accessories of a home, or of all homes',
      audience: 'token',
      query: [{ name: 'home', description: 'The id of a home; all that the token may see if left out.', schema: id() }],
      answer: { description: 'The accessories.', schema: arrayOf(ref('Accessory')), example: [MODE] },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/virtual-accessories',
      id: 'createVirtualAccessory',
      summary: 'Make a virtual accessory',
      audience: 'admin',
      body: {
        schema: NewVirtualAccessory,
        fields: {
          homeId: 'The home it is in.',
          name: 'Unique in its room, ignoring case.',
          type: text(`One of ${VIRTUAL_TYPES.map((type) => `\`${type}\``).join(', ')}.`),
          ...KIND_FIELDS,
        },
        examples: {
          'A mode': { homeId: HOME_ID, name: 'House Mode', type: 'input_select', options: ['Home', 'Away'] },
          'A timer': { homeId: HOME_ID, name: 'Eggs', type: 'timer', duration: { minutes: 6 } },
          'A switch': { homeId: HOME_ID, name: 'Guests', type: 'input_boolean' },
        },
      },
      answer: { description: 'The accessory.', schema: ref('Accessory'), example: MODE },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/virtual-accessories/:id',
      id: 'getVirtualAccessory',
      summary: 'One virtual accessory',
      audience: 'view',
      answer: { description: 'The accessory.', schema: ref('Accessory'), example: MODE },
    },
    {
      method: 'patch',
      path: '/rest/virtual-accessories/:id',
      id: 'updateVirtualAccessory',
      summary: 'Rename, move or reconfigure a virtual accessory',
      description: 'Its kind can’t change. A value that no longer fits becomes the initial one.',
      audience: 'admin',
      body: {
        schema: VirtualAccessoryChanges,
        fields: { name: 'Unique in its room, ignoring case.', type: 'Its kind, which can’t change.', ...KIND_FIELDS },
        examples: { 'Other options': { options: ['Home', 'Away', 'Holiday'] } },
      },
      answer: { description: 'The accessory as it is now.', schema: ref('Accessory'), example: MODE },
    },
    {
      method: 'delete',
      path: '/rest/virtual-accessories/:id',
      id: 'deleteVirtualAccessory',
      summary: 'Delete a virtual accessory',
      description: 'Refused while scenes or groups use it; the error names them.',
      audience: 'admin',
      answer: {
        description: 'It is gone.',
        schema: success({ accessoryId: id() }),
        example: { success: true, accessoryId: MODE_ID },
      },
      errors: [422],
    },
    {
      method: 'post',
      path: '/rest/virtual-accessories/:id/operate',
      id: 'operateVirtualAccessory',
      summary: 'Do what a plain write can’t say',
      description: 'Which operations an accessory has is in its `virtualOperations`.',
      audience: 'control',
      body: {
        schema: VirtualOperationRequest,
        fields: {
          operation: oneOf(VIRTUAL_OPERATIONS),
          value: anyValue(
            '`set`: the value. `increment`, `decrement`: by how much. `start`: how long, in seconds or as `90s`, `1:30:00`.',
          ),
        },
        examples: {
          'Set a mode': { operation: 'set', value: 'Away' },
          'Start a timer': { operation: 'start', value: '90s' },
        },
      },
      answer: {
        description: 'What it is now; of a timer, its state too.',
        schema: object(
          { success: { const: true }, accessoryId: id(), value: anyValue('Its value.'), ...TIMER_FIELDS },
          Object.keys(TIMER_FIELDS),
        ),
        example: { success: true, accessoryId: MODE_ID, value: 'Away' },
      },
      errors: [503],
    },
  ],
};
