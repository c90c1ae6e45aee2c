import { NewRoom, RoomChanges } from '../../rest/rooms.ts';
import { arrayOf, flag, id, integer, object, ref, success, text } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

export const ROOM_ID = '5f9d3c0e-7a51-4a3b-8a55-2b1d0e4f3c4d';

const ROOM = { id: ROOM_ID, name: 'Living Room', homeId: HOME_ID, accessoryCount: 4, isDefault: false };

export const rooms: Resource = {
  tag: 'Rooms',
  description: 'Every home has a default room, so that no accessory is without one.',
  schemas: {
    Room: object({
      id: id(),
      name: text('Unique in its home, ignoring case.'),
      homeId: id(),
      accessoryCount: integer(),
      isDefault: flag('New accessories arrive here, and those of a deleted room.'),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/rooms',
      id: 'listRooms',
      summary: 'The rooms of a home',
      audience: 'view',
      query: [{ name: 'home', description: 'The id of the home.', required: true, schema: id(), example: HOME_ID }],
      answer: { description: 'The rooms.', schema: arrayOf(ref('Room')), example: [ROOM] },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/rooms',
      id: 'createRoom',
      summary: 'Make a room',
      audience: 'admin',
      body: {
        schema: NewRoom,
        fields: { homeId: 'The home it is in.', name: 'Unique in the home, ignoring case.' },
        examples: { 'A room': { homeId: HOME_ID, name: 'Attic' } },
      },
      answer: { description: 'The room.', schema: ref('Room'), example: ROOM },
      errors: [404],
    },
    {
      method: 'patch',
      path: '/rest/rooms/:id',
      id: 'renameRoom',
      summary: 'Rename a room',
      audience: 'admin',
      body: { schema: RoomChanges, fields: { name: 'Its new name.' }, examples: { 'Rename it': { name: 'Study' } } },
      answer: { description: 'The room as it is now.', schema: ref('Room'), example: ROOM },
    },
    {
      method: 'delete',
      path: '/rest/rooms/:id',
      id: 'deleteRoom',
      summary: 'Delete a room',
      description: 'Its accessories go to the default room, which cannot be deleted itself.',
      audience: 'admin',
      answer: {
        description: 'It is gone.',
        schema: success({ roomId: id() }),
        example: { success: true, roomId: ROOM_ID },
      },
      errors: [422],
    },
  ],
};
