/** The displayed name of a room. */

import roomsTexts from 'texts:rooms';
import type { HomeRoom } from '../../home/home-document.ts';
import { useTexts } from '../../texts/texts.ts';

/** The relay's initial name of the default room; no user has chosen it. */
const GIVEN_NAME = 'Default Room';

/** The default room has a translated name until a user renames it. */
export function useRoomName(): (room: Pick<HomeRoom, 'name' | 'isDefault'>) => string {
  const t = useTexts(roomsTexts);
  return ({ name, isDefault }) => (isDefault && name === GIVEN_NAME ? t.noRoomYet : name);
}
