/** Everything that the search covers: the content of the home, what one can do, and the pages and settings. */

import backupTexts from 'texts:backups';
import searchTexts from 'texts:search';
import indexTexts from 'texts:search-index';
import shellTexts from 'texts:shell';
import systemTexts from 'texts:system';
import { Blocks, DoorOpen, type LucideIcon, Sparkles } from 'lucide-react';
import { useAccount, useManagesHome, useOwnsRelay } from '../../account/account.ts';
import { act } from '../../api/client.ts';
import { signOut } from '../../api/sign-out.ts';
import { deviceIconNow } from '../../devices/icons/device-icon.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { PAGE_OF } from '../../pages/addresses.ts';
import { useNamedAutomations } from '../../pages/automations/list/use-named-automations.ts';
import { useRoomName } from '../../pages/rooms/room-name.ts';
import { useSceneName } from '../../pages/scenes/scene-button.tsx';
import { SUBJECTS } from '../../pages/settings/relay/relay-settings.ts';
import { CreateBackup } from '../../pages/system/backups/documents.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { showToast } from '../../ui/toasts.tsx';
import { NAV } from '../nav.ts';
import { NAV_ICONS } from '../nav-icons.ts';
import { openShortcuts } from '../shortcuts/open-shortcuts.ts';
import type { Findable } from './find.ts';
import { type Audience, INDEX, type IndexAct } from './search-index.ts';

export interface SearchItem extends Findable {
  readonly key: string;
  readonly href?: string | undefined;
  /** The address is outside of the dashboard. */
  readonly isDocument?: boolean | undefined;
  /** What choosing it does, after it went to `href`. */
  readonly run?: (() => void) | undefined;
  /** Its kind and place: "Accessory · Kitchen". */
  readonly detail: string;
  readonly icon: LucideIcon;
}

export function useSearchItems(): readonly SearchItem[] {
  return [...useThings(), ...useAutomations(), ...useIndexItems(), ...useMenuItems(), ...useRelaySettingItems()];
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
      href: PAGE_OF.accessory(accessory.id),
      name: accessory.name,
      detail: detail(t.accessory, accessory.roomId),
      words: [t.accessory, rooms.get(accessory.roomId ?? '') ?? '', accessory.type],
      icon: deviceIconNow(accessory),
    })),
    ...inventory.serviceGroups.map(({ id, name, accessory, kind }) => ({
      key: id,
      href: PAGE_OF.group(id),
      name,
      detail: detail(t.group, accessory?.roomId),
      words: [t.group, kind],
      icon: accessory ? deviceIconNow(accessory) : Blocks,
    })),
    ...inventory.rooms.map((room) => ({
      key: room.id,
      href: PAGE_OF.room(room.id),
      name: roomName(room),
      detail: t.room,
      words: [t.room],
      icon: DoorOpen,
    })),
    ...inventory.scenes.map((scene) => ({
      key: scene.id,
      href: PAGE_OF.scene(scene.id),
      name: sceneName(scene),
      detail: t.scene,
      words: [t.scene],
      icon: Sparkles,
    })),
  ];
}

function useAutomations(): readonly SearchItem[] {
  const t = useTexts(searchTexts);
  return useNamedAutomations().map(({ id, name, href }) => ({
    key: id,
    href,
    name,
    detail: t.automation,
    words: [t.automation],
    icon: NAV_ICONS.automations,
  }));
}

/** The pages of the menu. */
function useMenuItems(): readonly SearchItem[] {
  const { page } = useTexts(searchTexts);
  const { pages } = useTexts(indexTexts);
  const { nav } = useTexts(shellTexts);
  const may = useAudience();
  return NAV.filter((row) => row.for === undefined || may[row.for]).map(({ path, label, icon }) => ({
    key: path,
    href: path,
    name: nav[label],
    detail: page,
    words: [page],
    synonyms: pages[label].split(', '),
    icon: NAV_ICONS[icon],
  }));
}

/** What one can do, and the pages and settings without an entry in the menu. */
function useIndexItems(): readonly SearchItem[] {
  const { page } = useTexts(searchTexts);
  const { action, setting, rows } = useTexts(indexTexts);
  const kinds = { action, setting, page };
  const may = useAudience();
  const acts = useActs();
  return INDEX.filter((row) => row.for === undefined || may[row.for]).map((row) => ({
    key: row.key,
    href: row.href,
    isDocument: row.isDocument,
    name: rows[row.key].name,
    detail: kinds[row.kind],
    words: [kinds[row.kind]],
    synonyms: rows[row.key].words.split(', '),
    icon: row.icon,
    run: row.act && acts[row.act],
  }));
}

/** The relay's settings, by their names on the page and in the file. */
function useRelaySettingItems(): readonly SearchItem[] {
  const { setting } = useTexts(indexTexts);
  const { settings } = useTexts(systemTexts);
  const { ownsRelay } = useAudience();
  if (!ownsRelay) return [];
  return Object.entries(SUBJECTS).flatMap(([subject, names]) =>
    names.map((name) => ({
      key: name,
      href: `/settings/relay#${subject}`,
      name: settings.names[name].name,
      detail: `${setting} · ${settings.subjects[subject as keyof typeof SUBJECTS]}`,
      words: [name.replaceAll('_', ' '), settings.subjects[subject as keyof typeof SUBJECTS], setting],
      icon: NAV_ICONS.settings,
    })),
  );
}

/** For whom a row can be, and whether the user is one of them. */
function useAudience(): Readonly<Record<Audience, boolean>> {
  const { canManage } = useRights();
  const { settings } = useAccount();
  const managesHome = useManagesHome();
  const ownsRelay = useOwnsRelay();
  return { managers: canManage, developers: settings.developerMode, managesHome, ownsRelay };
}

function useActs(): Readonly<Record<IndexAct, () => void>> {
  const t = useTexts(backupTexts);
  const backUp = async (): Promise<void> => {
    if (await attempt(() => act(CreateBackup, {}), 'backups')) showToast({ text: t.created });
  };
  return { backUp: () => void backUp(), signOut: () => void signOut(), showShortcuts: openShortcuts };
}
