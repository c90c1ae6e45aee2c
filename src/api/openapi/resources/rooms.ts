import { z } from 'zod';
import { DeletedRoom, NewRoom, Room, RoomChanges } from '../../../contract/rooms.ts';
import { id } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

export const ROOM_ID = '5f9d3c0e-7a51-4a3b-8a55-2b1d0e4f3c4d';

export const rooms: Resource = {
  tag: 'Rooms',
  description: 'Every home has a default room, so that no accessory is without one.',
  operations: [
    {
      method: 'get',
      path: '/rest/rooms',
      id: 'listRooms',
      summary: 'The rooms of a home',
      audience: 'view',
      query: [{ name: 'home', description: 'The id of the home.', required: true, schema: id(), example: HOME_ID }],
      answer: { description: 'The rooms.', schema: z.array(Room) },
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
        examples: { 'A room': { homeId: HOME_ID, name: 'Attic' } },
      },
      answer: { description: 'The room.', schema: Room },
      errors: [404],
    },
    {
      method: 'patch',
      path: '/rest/rooms/:id',
      id: 'renameRoom',
      summary: 'Rename a room',
      audience: 'admin',
      body: { schema: RoomChanges, examples: { 'Rename it': { name: 'Study' } } },
      answer: { description: 'The room as it is now.', schema: Room },
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
        schema: DeletedRoom,
      },
      errors: [422],
    },
  ],
};
