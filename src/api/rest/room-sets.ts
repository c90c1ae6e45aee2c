import { Hono } from 'hono';
import type { RoomGroups, RoomSets, Zones } from '../../app/groups/room-sets.ts';
import { NewRoomSet, RoomSetChanges } from '../../contract/rooms.ts';
import type { ApiEnv } from '../env.ts';
import { presentRoomSet } from '../present/room-set.ts';
import { readInput } from '../read-body.ts';
import { queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export function zoneRoutes({ zones }: { readonly zones: Zones }): Hono<ApiEnv> {
  return roomSetRoutes(zones, 'zoneId');
}

export function roomGroupRoutes({ roomGroups }: { readonly roomGroups: RoomGroups }): Hono<ApiEnv> {
  return roomSetRoutes(roomGroups, 'groupId');
}

/** @param idName the name of the id in the response to a deletion. */
function roomSetRoutes(sets: RoomSets, idName: 'zoneId' | 'groupId'): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(sets.list(c.get('caller'), queryId(c, 'home')).map(presentRoomSet)))
    .post('/', async (c) => answerJson(presentRoomSet(sets.create(c.get('caller'), await readInput(c, NewRoomSet)))))
    .patch('/:id', async (c) => {
      const changes = await readInput(c, RoomSetChanges);
      return answerJson(presentRoomSet(sets.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = sets.get(caller, c.req.param('id'));
      sets.delete(caller, id);
      return answerJson({ success: true, [idName]: id });
    });
}
