import { describeFields, describeSchema } from '../../../contract/json-schema.ts';
import { SettableProperties } from '../../../contract/settable-properties.ts';
import { StateByNames, StateReport } from '../../../contract/state.ts';
import { anyValue, arrayOf, id, mapOf, object, ref, text } from '../json-schema.ts';
import type { Operation, Parameter, Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

const TREE = {
  my_home_1a2b: {
    living_room_3c4d: {
      ceiling_lamp_9f3c: {
        type: 'light',
        on: true,
        brightness: 80,
        color_temp: 250,
        _settable: ['on', 'brightness', 'color_temp'],
        name: 'my_home_1a2b.living_room_3c4d.ceiling_lamp_9f3c',
      },
    },
    _scenes: ['Movie Night'],
  },
  _homes: { my_home_1a2b: HOME_ID },
  _meta: { fetched_at: '2030-01-31T12:00:00+00:00', message: 'Found 1 accessory across 1 home' },
};

const SETTABLE = Object.fromEntries(
  describeFields(SettableProperties).map(({ name, description, schema }) => [name, { ...schema, description }]),
);

const FILTERS: readonly Parameter[] = [
  { name: 'home', description: 'A part of the home’s name or slug key.' },
  { name: 'room', description: 'A part of the room’s name or slug key.' },
  { name: 'name', description: 'A part of the accessory’s name or slug key.' },
  {
    name: 'type',
    description: 'A device type, such as `light`, or a service’s name, such as `lightbulb`.',
  },
  {
    name: 'form',
    description: '`keys`: the tree of slug keys. `names`: lists with names, services and characteristics.',
    schema: { type: 'string', enum: ['keys', 'names'], default: 'keys' },
  },
  ...['home', 'room', 'name', 'type'].map((name) => ({
    name: `filter_by_${name}`,
    description: `The same as \`${name}\`, and asks for the name-based form.`,
  })),
];

const READ: Omit<Operation, 'path' | 'id'> = {
  method: 'get',
  summary: 'The state of everything, simplified',
  description:
    'home key › room key › accessory key › properties. Values stand as the devices last reported them: no device is asked, so it can be polled. Send the ETag back in If-None-Match and nothing is answered while nothing has changed.',
  audience: 'token',
  query: FILTERS,
  answer: {
    description: 'The tree of slug keys, or the name-based form.',
    schema: { anyOf: [ref('StateByNames'), ref('StateTree')] },
    example: TREE,
    headers: { ETag: 'For If-None-Match.' },
  },
  errors: [304, 400],
};

export const state: Resource = {
  tag: 'State',
  description: 'Read and write the home by simple properties.',
  schemas: {
    ...describeSchema(StateByNames).components,
    AccessoryState: {
      type: 'object',
      description: 'Simplified properties, and what is about the accessory itself.',
      properties: {
        type: text('The device type: `light`, `switch`, `outlet`, `climate`, `lock`, `alarm`, `fan`, `blind` …'),
        name: text('`<home key>.<room key>.<accessory key>`'),
        _settable: arrayOf(text(), 'The properties that can be written to it now.'),
        group: { const: true, description: 'It is a service group: writing to it writes to all its members.' },
        accessories: mapOf(ref('AccessoryState'), 'The members of a service group by accessory key.'),
      },
      required: ['type', 'name'],
      additionalProperties: anyValue('A property, such as `on` or `brightness`.'),
    },
    StateTree: {
      type: 'object',
      properties: {
        _homes: mapOf(id(), 'Every home that the token may see, regardless of filters: from its key to its id.'),
        _meta: object({
          fetched_at: text('ISO 8601, to the second.'),
          message: text('What was found, in one sentence.'),
        }),
      },
      required: ['_homes', '_meta'],
      additionalProperties: {
        type: 'object',
        description: 'A home by its key: rooms by theirs, with accessories by theirs.',
        properties: { _scenes: arrayOf(text(), 'The names of its scenes.') },
        required: ['_scenes'],
        additionalProperties: mapOf(ref('AccessoryState')),
      },
    },
    Settings: {
      type: 'object',
      description: 'The properties to set. A second service of the accessory has them with a number: `on_2`.',
      properties: SETTABLE,
      additionalProperties: true,
    },
    FlatSettings: {
      type: 'object',
      description: 'One accessory by the names of its home, its room and itself, with the properties to set.',
      properties: { home: text(), room: text(), accessory: text(), ...SETTABLE },
      required: ['home', 'room', 'accessory'],
      additionalProperties: true,
    },
  },
  operations: [
    { ...READ, path: '/rest/state', id: 'getState' },
    { ...READ, path: '/rest', id: 'getRoot', summary: 'The same as GET /rest/state' },
    {
      method: 'post',
      path: '/rest/state',
      id: 'setState',
      summary: 'Set properties of any number of accessories',
      description:
        'Waits for the devices. A property that can’t be set does not stop the others: the answer is 200, and `errors` lists what failed. 403 if the token may control none of the homes named.',
      audience: 'control',
      body: {
        schema: {
          anyOf: [
            ref('FlatSettings'),
            arrayOf(ref('FlatSettings')),
            {
              type: 'object',
              description: 'home key › room key › accessory key › properties, as GET /rest/state shows them.',
              additionalProperties: mapOf(mapOf(ref('Settings'))),
            },
            {
              type: 'object',
              description: 'The tree of one home.',
              properties: { homeId: id(), state: mapOf(mapOf(ref('Settings'))) },
              required: ['homeId', 'state'],
              additionalProperties: true,
            },
          ],
        },
        examples: {
          'By keys, as GET /rest/state shows them': {
            my_home_1a2b: { living_room_3c4d: { ceiling_lamp_9f3c: { on: true, brightness: 80 } } },
          },
          'By names': { home: 'My Home', room: 'Living Room', accessory: 'Ceiling Lamp', on: true },
          'Several by names': [
            { home: 'My Home', room: 'Living Room', accessory: 'Ceiling Lamp', on: false },
            { home: 'My Home', room: 'Hall', accessory: 'Front Door', lock_target: true },
          ],
        },
      },
      answer: { description: 'What was done and what was not.', schema: StateReport },
      errors: [404, 503],
    },
  ],
};
