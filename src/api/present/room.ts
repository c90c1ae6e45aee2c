import type { Room } from '../../contract/rooms.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Room as StoredRoom } from '../../home/model.ts';

export function presentRoom(state: HomeState, { id, name, homeId, isDefault, color, pictureHash }: StoredRoom): Room {
  const accessoryCount = state.accessories(homeId).filter(({ roomId }) => roomId === id).length;
  return { id, name, homeId, accessoryCount, isDefault, color, pictureHash };
}
