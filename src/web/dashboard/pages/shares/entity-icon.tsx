/** The icon of the shared entity: of an accessory in the current home, its own. */
import { Blocks, DoorOpen, House, LayoutGrid, type LucideIcon, Power, Rows3, Shapes } from 'lucide-react';
import type { EntityType } from '../../../../home/vocabulary/sharing.ts';
import { useDeviceIcon } from '../../devices/icons/device-icon.ts';
import { useHome } from '../../home/use-home.ts';
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

export function EntityIcon({ type, id }: { readonly type: string; readonly id: string }) {
  const accessory = useHome().accessories.find((one) => one.id === id);
  const Icon = useDeviceIcon(accessory, isEntityType(type) ? ICONS[type] : Shapes);
  return <Icon aria-hidden />;
}
