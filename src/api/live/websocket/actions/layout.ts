/** Homes, rooms, zones. */
import { z } from 'zod';
import { NewRoom } from '../../../../contract/rooms.ts';
import { presentHome } from '../../../present/home.ts';
import { presentRoom } from '../../../present/room.ts';
import { presentRoomSet } from '../../../present/room-set.ts';
import { action, inputAction, type SocketAction } from './action.ts';

export const InHome = z.object({ homeId: z.string().nullish() });

export const LAYOUT_ACTIONS = {
  'homes.list': action(z.object({}), (_, { caller, deps }) => ({
    homes: deps.homes.list(caller).map((home) => presentHome(deps, caller, home)),
  })),
  'rooms.list': action(InHome, ({ homeId }, { caller, deps: { rooms, state } }) => ({
    homeId: homeId ?? null,
    rooms: rooms.list(caller, homeId ?? undefined).map((room) => presentRoom(state, room)),
  })),
  'room.create': inputAction(z.object(NewRoom.shape), ({ homeId, name }, { caller, deps: { rooms, state } }) =>
    presentRoom(state, rooms.create(caller, { homeId, name })),
  ),
  'room.delete': action(z.object({ roomId: z.string() }), ({ roomId }, { caller, deps: { rooms } }) => {
    const { id } = rooms.get(caller, roomId);
    rooms.delete(caller, id);
    return { success: true, roomId: id };
  }),
  'zones.list': action(InHome, ({ homeId }, { caller, deps: { zones } }) => ({
    homeId: homeId ?? null,
    zones: zones.list(caller, homeId ?? undefined).map(presentRoomSet),
  })),
} satisfies Readonly<Record<string, SocketAction>>;
