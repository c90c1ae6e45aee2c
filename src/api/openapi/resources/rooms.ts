import { z } from 'zod';
import { DeletedRoom, NewRoom, Room, RoomChanges } from '../../../contract/rooms.ts';
import { MAX_PICTURE_BYTES } from '../../../home/vocabulary/room-looks.ts';
import type { Resource } from '../operation.ts';
import { HOME } from '../parameters.ts';
import { HOME_ID } from './homes.ts';
import { pictureOperations } from './picture.ts';

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
      query: [HOME],
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
        examples: {
          'A room': { homeId: HOME_ID, name: 'Attic' },
          'With a color': { homeId: HOME_ID, name: 'Nursery', color: 'yellow' },
        },
      },
      answer: { description: 'The room.', schema: Room },
      errors: [404],
    },
    {
      method: 'patch',
      path: '/rest/rooms/:id',
      id: 'updateRoom',
      summary: 'Rename a room or set its color',
      audience: 'admin',
      body: { schema: RoomChanges, examples: { 'Rename it': { name: 'Study' }, 'Give it a color': { color: 'teal' } } },
      answer: { description: 'The room as it is now.', schema: Room },
    },
    {
      method: 'delete',
      path: '/rest/rooms/:id',
      id: 'deleteRoom',
      summary: 'Delete a room',
      description: 'Its picture goes with it, its accessories go to the default room, which cannot be deleted itself.',
      audience: 'admin',
      answer: {
        description: 'It is gone.',
        schema: DeletedRoom,
      },
      errors: [422],
    },
    ...pictureOperations({
      ...{ path: '/rest/rooms/:id', id: 'Room', thing: 'a room', schema: Room },
      summary: 'The picture of a room',
      about: {
        read: '404 if it has none. Browsers keep it and ask by If-None-Match whether it is still the same.',
        set: `JPEG, PNG or WebP of at most ${MAX_PICTURE_BYTES / 1000} kB and 4,096 pixels a side. What the bytes are decides, not the Content-Type. A picture that is damaged, incomplete or something else is refused, and the former one stays.`,
      },
    }),
  ],
};
