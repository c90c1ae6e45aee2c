import type { HomeState } from '../../home/home-state.ts';
import type { Room } from '../../home/model.ts';

export function presentRoom(state: HomeState, { id, name, homeId, isDefault }: Room): object {
  const accessoryCount = state.accessories(homeId).filter(({ roomId }) => roomId === id).length;
  return { id, name, homeId, accessoryCount, isDefault };
}
