/** Carries out what was chosen for new accessories: rooms that are to be made, names, places. Nothing is asked of the relay that stays as it is. */
import { act } from '../../api/client.ts';
import { CreateRoom, MoveAccessory, RenameAccessory } from './pair-documents.ts';
import type { Paired } from './pairing-answer.ts';

/** In place of a room's id: one that is to be made. */
export const NEW_ROOM = 'new';

export interface Place {
  /** The accessory's. */
  readonly id: string;
  readonly name: string;
  /** Empty: where it is. */
  readonly roomId: string;
  readonly newRoom: string;
}

/** @throws `ApiError` what could not be done; what was before it stays done, and doing it again does no harm */
export async function settle(homeId: string, paired: Paired, places: readonly Place[]): Promise<void> {
  const rooms = new Map<string, string>();
  for (const { id, name, roomId, newRoom } of places) {
    const before = paired.accessories.find((accessory) => accessory.id === id)?.name;
    if (name.trim() !== before) await act(RenameAccessory, { accessoryId: id, name: name.trim() });
    const target = roomId === NEW_ROOM ? await roomNamed(homeId, newRoom.trim(), rooms) : roomId;
    if (target) await act(MoveAccessory, { accessoryId: id, roomId: target });
  }
}

/** Two accessories may ask for the same new room. */
async function roomNamed(homeId: string, name: string, made: Map<string, string>): Promise<string | undefined> {
  const known = made.get(name.toLowerCase());
  if (known !== undefined) return known;
  const { createRoom } = await act(CreateRoom, { homeId, name });
  if (createRoom) made.set(name.toLowerCase(), createRoom.id);
  return createRoom?.id;
}
