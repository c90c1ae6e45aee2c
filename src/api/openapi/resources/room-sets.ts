import { NewRoomSet, RoomSetChanges } from '../../rest/room-sets.ts';
import { arrayOf, id, object, ref, success, text } from '../json-schema.ts';
import type { Operation, Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';
import { ROOM_ID } from './rooms.ts';

const SET_ID = '4c1d9e2f-6a7b-4c8d-9e0f-1a2b3c4d5e6f';
const SET = { id: SET_ID, name: 'Upstairs', homeId: HOME_ID, roomIds: [ROOM_ID] };

/** Zones and room groups differ in their purpose, not in their shape. */
interface Kind {
  readonly path: string;
  /** `Zone` in names of operations and schemas. */
  readonly schema: string;
  /** For descriptions. */
  readonly noun: string;
  readonly idName: string;
}

function operationsOf({ path, schema, noun, idName }: Kind): readonly Operation[] {
  const fields = { name: 'Unique among them in the home, ignoring case.', roomIds: 'Rooms of the same home.' };
  return [
    {
      method: 'get',
      path,
      id: `list${schema}s`,
      summary: `The ${noun}s of a home, or of all homes`,
      audience: 'token',
      query: [{ name: 'home', description: 'The id of a home; all that the token may see if left out.', schema: id() }],
      answer: { description: `The ${noun}s, by name.`, schema: arrayOf(ref(schema)), example: [SET] },
      errors: [400, 404],
    },
    {
      method: 'post',
      path,
      id: `create${schema}`,
      summary: `Make a ${noun}`,
      audience: 'admin',
      body: {
        schema: NewRoomSet,
        fields: { homeId: 'The home of all its rooms.', ...fields },
        examples: { 'Of one room': { homeId: HOME_ID, name: 'Upstairs', roomIds: [ROOM_ID] } },
      },
      answer: { description: `The ${noun}.`, schema: ref(schema), example: SET },
      errors: [404],
    },
    {
      method: 'patch',
      path: `${path}/:id`,
      id: `update${schema}`,
      summary: `Rename a ${noun}, or give it other rooms`,
      audience: 'admin',
      body: { schema: RoomSetChanges, fields, examples: { 'Rename it': { name: 'Downstairs' } } },
      answer: { description: `The ${noun} as it is now.`, schema: ref(schema), example: SET },
    },
    {
      method: 'delete',
      path: `${path}/:id`,
      id: `delete${schema}`,
      summary: `Delete a ${noun}`,
      description: 'Its rooms stay as they are.',
      audience: 'admin',
      answer: {
        description: 'It is gone.',
        schema: success({ [idName]: id() }),
        example: { success: true, [idName]: SET_ID },
      },
    },
  ];
}

const fields = { id: id(), name: text(), homeId: id(), roomIds: arrayOf(id()) };

export const zones: Resource = {
  tag: 'Zones',
  description: 'Named sets of rooms: “Upstairs”.',
  schemas: { Zone: object(fields) },
  operations: operationsOf({ path: '/rest/zones', schema: 'Zone', noun: 'zone', idName: 'zoneId' }),
};

export const roomGroups: Resource = {
  tag: 'Room groups',
  description: 'Named sets of rooms, made for sharing.',
  schemas: { RoomGroup: object(fields) },
  operations: operationsOf({ path: '/rest/room-groups', schema: 'RoomGroup', noun: 'room group', idName: 'groupId' }),
};
