import { z } from 'zod';
import { DeletedRoomGroup, DeletedZone, NewRoomSet, RoomGroup, RoomSetChanges, Zone } from '../../../contract/rooms.ts';
import type { Operation, Resource } from '../operation.ts';
import { ANY_HOME } from '../parameters.ts';
import { HOME_ID } from './homes.ts';
import { ROOM_ID } from './rooms.ts';

/** Zones and room groups differ in their purpose, not in their shape. */
interface Kind {
  readonly path: string;
  /** `Zone` in names of operations. */
  readonly name: string;
  readonly schema: z.ZodObject;
  readonly deleted: z.ZodObject;
  /** For descriptions. */
  readonly noun: string;
}

function operationsOf({ path, name, schema, deleted, noun }: Kind): readonly Operation[] {
  return [
    {
      method: 'get',
      path,
      id: `list${name}s`,
      summary: `The ${noun}s of a home, or of all homes`,
      audience: 'token',
      query: [ANY_HOME],
      answer: { description: `The ${noun}s, by name.`, schema: z.array(schema) },
      errors: [400, 404],
    },
    {
      method: 'post',
      path,
      id: `create${name}`,
      summary: `Make a ${noun}`,
      audience: 'admin',
      body: {
        schema: NewRoomSet,
        examples: { 'Of one room': { homeId: HOME_ID, name: 'Upstairs', roomIds: [ROOM_ID] } },
      },
      answer: { description: `The ${noun}.`, schema },
      errors: [404],
    },
    {
      method: 'patch',
      path: `${path}/:id`,
      id: `update${name}`,
      summary: `Rename a ${noun}, or give it other rooms`,
      audience: 'admin',
      body: { schema: RoomSetChanges, examples: { 'Rename it': { name: 'Downstairs' } } },
      answer: { description: `The ${noun} as it is now.`, schema },
    },
    {
      method: 'delete',
      path: `${path}/:id`,
      id: `delete${name}`,
      summary: `Delete a ${noun}`,
      description: 'Its rooms stay as they are.',
      audience: 'admin',
      answer: {
        description: 'It is gone.',
        schema: deleted,
      },
    },
  ];
}

export const zones: Resource = {
  tag: 'Zones',
  description: 'Named sets of rooms: “Upstairs”.',
  operations: operationsOf({ path: '/rest/zones', name: 'Zone', schema: Zone, deleted: DeletedZone, noun: 'zone' }),
};

export const roomGroups: Resource = {
  tag: 'Room groups',
  description: 'Named sets of rooms, made for sharing.',
  operations: operationsOf({
    path: '/rest/room-groups',
    name: 'RoomGroup',
    schema: RoomGroup,
    deleted: DeletedRoomGroup,
    noun: 'room group',
  }),
};
