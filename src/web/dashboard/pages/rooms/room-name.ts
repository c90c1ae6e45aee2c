/** The displayed names of rooms. */

import roomsTexts from 'texts:rooms';
import { useMemo } from 'react';
import type { HomeRoom } from '../../home/home-document.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';

/** The relay's initial name of the default room; no user has chosen it. */
const GIVEN_NAME = 'Default Room';

/** The default room has a translated name until a user renames it. */
export function useRoomName(): (room: Pick<HomeRoom, 'name' | 'isDefault'>) => string {
  const t = useTexts(roomsTexts);
  return (room) => displayedName(room, t.noRoomYet);
}

/** The rooms of the home with these names, for lists to choose from. */
export function useNamedRooms(): readonly HomeRoom[] {
  const { noRoomYet } = useTexts(roomsTexts);
  const { rooms } = useHome();
  return useMemo(() => rooms.map((room) => ({ ...room, name: displayedName(room, noRoomYet) })), [rooms, noRoomYet]);
}

function displayedName({ name, isDefault }: Pick<HomeRoom, 'name' | 'isDefault'>, noRoomYet: string): string {
  return isDefault && name === GIVEN_NAME ? noRoomYet : name;
}
