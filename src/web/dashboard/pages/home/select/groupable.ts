/** Whether selected tiles can become one service group. */
import type { HomeInventory } from '../../../home/home-document.ts';
import { GROUP_KINDS, type GroupKind, servicesOfKind } from '../../groups/members.ts';
import { commonRoomOf } from '../sections.ts';

export interface Groupable {
  readonly kind: GroupKind;
  readonly serviceIds: readonly string[];
  /** The room that all of them are in. */
  readonly roomId: string | undefined;
}

/** @returns `undefined` if they are fewer than two, not of one kind, or groups already */
export function groupableOf(
  ids: readonly string[],
  inventory: Pick<HomeInventory, 'accessories' | 'rooms'>,
): Groupable | undefined {
  const accessories = ids.flatMap((id) => inventory.accessories.find((accessory) => accessory.id === id) ?? []);
  if (accessories.length < ids.length || accessories.length < 2) return undefined;
  const kind = GROUP_KINDS.find((each) => accessories.every((one) => servicesOfKind(one, each).length > 0));
  if (!kind) return undefined;
  const serviceIds = accessories.flatMap((one) => servicesOfKind(one, kind).map(({ id }) => id));
  return { kind, serviceIds, roomId: commonRoomOf(ids, inventory) };
}
