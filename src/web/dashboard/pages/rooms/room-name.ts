/** What a room is called on the screen. */
import type { HouseRoom } from '../../house/house-document.ts';
import { useTexts } from '../../texts/texts.ts';
import { roomsTexts } from './texts/texts.ts';

/** As the relay calls the room that every home begins with; no person ever chose it. */
const GIVEN_NAME = 'Default Room';

/** The room for what has no place of its own is called that until somebody gives it a name. */
export function useRoomName(): (room: Pick<HouseRoom, 'name' | 'isDefault'>) => string {
  const t = useTexts(roomsTexts);
  return ({ name, isDefault }) => (isDefault && name === GIVEN_NAME ? t.noRoomYet : name);
}
