import type { Zone } from '../../home/model.ts';

export function presentRoomSet({ id, name, homeId, roomIds }: Zone): object {
  return { id, name, homeId, roomIds };
}
