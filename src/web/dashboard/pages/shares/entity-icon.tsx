/** The icon of the shared entity. */
import { Blocks, DoorOpen, House, LayoutGrid, type LucideIcon, Power, Rows3, Shapes } from 'lucide-react';
import type { EntityType } from '../../../../home/vocabulary/sharing.ts';
import { isEntityType } from './entities.ts';

const ICONS: Readonly<Record<EntityType, LucideIcon>> = {
  home: House,
  room: DoorOpen,
  room_group: LayoutGrid,
  accessory: Power,
  accessory_group: Blocks,
  collection: Shapes,
  collection_group: Rows3,
};

export function EntityIcon({ type }: { readonly type: string }) {
  const Icon = isEntityType(type) ? ICONS[type] : Shapes;
  return <Icon aria-hidden />;
}
