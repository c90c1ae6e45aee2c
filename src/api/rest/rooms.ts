import { Hono } from 'hono';
import type { Rooms } from '../../app/layout/rooms.ts';
import { NewRoom, RoomChanges } from '../../contract/rooms.ts';
import type { HomeState } from '../../home/home-state.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { presentRoom } from '../present/room.ts';
import { readBytes, readInput } from '../read-body.ts';
import { queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';
import { answerPicture } from './answer-picture.ts';

export interface RoomRoutesDeps {
  readonly rooms: Rooms;
  readonly state: HomeState;
}

export function roomRoutes({ rooms, state }: RoomRoutesDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const homeId = queryId(c, 'home');
      if (homeId === undefined) {
        throw new HearthError(
          'invalid_request',
          'home parameter required: give the id of a home, as GET /rest/homes lists it.',
        );
      }
      return answerJson(rooms.list(c.get('caller'), homeId).map((room) => presentRoom(state, room)));
    })
    .post('/', async (c) => answerJson(presentRoom(state, rooms.create(c.get('caller'), await readInput(c, NewRoom)))))
    .patch('/:id', async (c) => {
      const changes = await readInput(c, RoomChanges);
      return answerJson(presentRoom(state, rooms.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = rooms.get(caller, c.req.param('id'));
      rooms.delete(caller, id);
      return answerJson({ success: true, roomId: id });
    })
    .get('/:id/picture', (c) => {
      return answerPicture(c, rooms.picture(c.get('caller'), c.req.param('id')));
    })
    .delete('/:id/picture', (c) =>
      answerJson(presentRoom(state, rooms.removePicture(c.get('caller'), c.req.param('id')))),
    );
}

/** A separate route, since its body is no JSON. The bytes decide what they are, not the Content-Type. */
export function pictureUpload({ rooms, state }: RoomRoutesDeps): (c: ApiContext) => Promise<Response> {
  return async (c) => {
    const picture = new Uint8Array(await readBytes(c));
    return answerJson(presentRoom(state, rooms.setPicture(c.get('caller'), c.req.param('id') ?? '', picture)));
  };
}
