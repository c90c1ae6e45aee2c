/** Everything that the search covers: the content of the home, and the pages of the dashboard. */

import searchTexts from 'texts:search';
import shellTexts from 'texts:shell';
import { Blocks, DoorOpen, type LucideIcon, Sparkles } from 'lucide-react';
import { useAccount } from '../../account/account.ts';
import { graphql, present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { deviceIcon } from '../../devices/devices.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useRoomName } from '../../pages/rooms/room-name.ts';
import { useSceneName } from '../../pages/scenes/scene-button.tsx';
import { useTexts } from '../../texts/texts.ts';
import { NAV } from '../nav.ts';
import { NAV_ICONS } from '../nav-icons.ts';
import type { Findable } from './find.ts';

export interface SearchItem extends Findable {
  readonly key: string;
  readonly href: string;
  /** Its kind and place: "Accessory · Kitchen". */
  readonly detail: string;
  readonly icon: LucideIcon;
}

const AutomationNames = graphql(`
  query AutomationNames($homeId: String!) {
    automations(homeId: $homeId) {
      id
      name
    }
    flows(homeId: $homeId) {
      id
      name
    }
  }
`);

export function useSearchItems(): readonly SearchItem[] {
  const pages = usePages();
  const things = useThings();
  const automations = useAutomations();
  return [...things, ...automations, ...pages];
}

function useThings(): readonly SearchItem[] {
  const t = useTexts(searchTexts);
  const inventory = useHome();
  const roomName = useRoomName();
  const sceneName = useSceneName();
  const rooms = new Map(inventory.rooms.map((room) => [room.id, roomName(room)]));
  const detail = (kind: string, roomId: string | null | undefined) =>
    [kind, roomId && rooms.get(roomId)].filter(Boolean).join(' · ');
  return [
    ...inventory.accessories.map((accessory) => ({
      key: accessory.id,
      href: `/accessories/${accessory.id}`,
      name: accessory.name,
      detail: detail(t.accessory, accessory.roomId),
      words: [t.accessory, rooms.get(accessory.roomId ?? '') ?? '', accessory.type],
      icon: deviceIcon(accessory),
    })),
    ...inventory.serviceGroups.map(({ id, name, accessory, kind }) => ({
      key: id,
      href: `/accessories/${id}`,
      name,
      detail: detail(t.group, accessory?.roomId),
      words: [t.group, kind],
      icon: accessory ? deviceIcon(accessory) : Blocks,
    })),
    ...inventory.rooms.map((room) => ({
      key: room.id,
      href: `/rooms/${room.id}`,
      name: roomName(room),
      detail: t.room,
      words: [t.room],
      icon: DoorOpen,
    })),
    ...inventory.scenes.map((scene) => ({
      key: scene.id,
      href: `/scenes/${scene.id}`,
      name: sceneName(scene),
      detail: t.scene,
      words: [t.scene],
      icon: Sparkles,
    })),
  ];
}

function useAutomations(): readonly SearchItem[] {
  const t = useTexts(searchTexts);
  const { id: homeId } = useHome();
  const { data } = useApiQuery(AutomationNames, { homeId }, { subjects: ['automations'] });
  const rows = [
    ...present(data?.automations).map((each) => ({ ...each, kind: 'native' })),
    ...present(data?.flows).map((each) => ({ ...each, kind: 'flows' })),
  ];
  return rows.map(({ id, name, kind }) => ({
    key: id,
    href: `/automations/${kind}/${id}`,
    name,
    detail: t.automation,
    words: [t.automation],
    icon: NAV_ICONS.automations,
  }));
}

function usePages(): readonly SearchItem[] {
  const t = useTexts(searchTexts);
  const { nav } = useTexts(shellTexts);
  const { canManage } = useRights();
  const { settings } = useAccount();
  const may = { managers: canManage, developers: settings.developerMode };
  return NAV.filter((row) => row.for === undefined || may[row.for]).map(({ path, label, icon }) => ({
    key: path,
    href: path,
    name: nav[label],
    detail: t.page,
    words: [t.page],
    icon: NAV_ICONS[icon],
  }));
}
