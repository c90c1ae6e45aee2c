/** Applies the choices for new accessories: new rooms, names, room assignments. Unchanged values cause no request. */
import { act } from '../../api/client.ts';
import { CreateRoom, MoveAccessory, RenameAccessory } from './pair-documents.ts';
import type { Paired } from './pairing-answer.ts';

/** Replaces a room's id: the room is to be created. */
export const NEW_ROOM = 'new';

export interface NewPlace {
  /** The accessory's. */
  readonly id: string;
  readonly name: string;
  /** Empty: the accessory stays in its room. */
  readonly roomId: string;
  readonly newRoom: string;
}

/** "Kitchen Lamp" is in "Kitchen"; the longest name counts where several fit. */
export function roomInName<Room extends { readonly name: string; readonly isDefault: boolean }>(
  accessory: string,
  rooms: readonly Room[],
): Room | undefined {
  const words = wordsOf(accessory);
  return rooms
    .filter(({ name, isDefault }) => !isDefault && name.trim() !== '' && words.includes(wordsOf(name)))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** In spaces, so that only whole words are found. */
function wordsOf(text: string): string {
  return ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `;
}

/** @throws `ApiError` the first failed change; earlier changes stay, and a repeat is harmless */
export async function settle(homeId: string, paired: Paired, places: readonly NewPlace[]): Promise<void> {
  const rooms = new Map<string, string>();
  for (const { id, name, roomId, newRoom } of places) {
    const before = paired.accessories.find((accessory) => accessory.id === id)?.name;
    if (name.trim() !== before) await act(RenameAccessory, { accessoryId: id, name: name.trim() });
    const target = roomId === NEW_ROOM ? await roomNamed(homeId, newRoom.trim(), rooms) : roomId;
    if (target) await act(MoveAccessory, { accessoryId: id, roomId: target });
  }
}

/** Two accessories may share the same new room. */
async function roomNamed(homeId: string, name: string, made: Map<string, string>): Promise<string | undefined> {
  const known = made.get(name.toLowerCase());
  if (known !== undefined) return known;
  const { createRoom } = await act(CreateRoom, { homeId, name });
  if (createRoom) made.set(name.toLowerCase(), createRoom.id);
  return createRoom?.id;
}
