import type { RoomSet } from '../../contract/rooms.ts';
import type { Zone } from '../../home/model.ts';

export function presentRoomSet({ id, name, homeId, roomIds }: Zone): RoomSet {
  return { id, name, homeId, roomIds };
}
