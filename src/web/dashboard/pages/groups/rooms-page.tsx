/** Rooms, and the user's sets of rooms and accessories. */

import groupsTexts from 'texts:groups';
import { Button } from '@mantine/core';
import { Settings } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useHome, useRights } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { Columns } from '../../ui/columns.tsx';
import { Answer, Page } from '../../ui/page.tsx';
import { useRoomName } from '../rooms/room-name.ts';
import { useRoomSets } from './group-documents.ts';
import {
  GROUP_KINDS,
  type GroupKind,
  idsInCollection,
  isGroupKind,
  type MemberOption,
  memberOptions,
} from './members.ts';
import { RoomList } from './room-list.tsx';
import { collections, type NamedSet, ROOM_GROUPS, SERVICE_GROUPS, type SetSort, ZONES } from './set-acts.ts';
import { SetDialog } from './set-dialog.tsx';
import { SetSection } from './set-section.tsx';

export function RoomsPage() {
  const t = useTexts(groupsTexts);
  const { zones } = useHome();
  const { canManage } = useRights();
  const query = useRoomSets();
  const settings = canManage && (
    <Button
      component={Link}
      href="/settings/home"
      variant="default"
      data-short
      leftSection={<Settings size={18} aria-hidden />}
    >
      {t.homeSettings}
    </Button>
  );
  const ofRooms = (
    sets: readonly { readonly id: string; readonly name: string; readonly roomIds: readonly string[] }[],
  ) => sets.map(({ roomIds, ...set }) => ({ ...set, members: roomIds }));
  return (
    <Page title={t.title} lead={t.lead} actions={settings} narrow isTimeless>
      <Columns
        second={
          <>
            <ServiceGroups />
            <RoomSets sort={ZONES} sets={ofRooms(zones)} texts={t.zones} />
            <Answer query={query}>
              {({ roomGroups, collections: own }) => (
                <>
                  <RoomSets sort={ROOM_GROUPS} sets={ofRooms(roomGroups)} texts={t.roomGroups} />
                  <Collections rows={own} />
                </>
              )}
            </Answer>
          </>
        }
      >
        <RoomList />
      </Columns>
    </Page>
  );
}

function ServiceGroups() {
  const t = useTexts(groupsTexts);
  const inventory = useHome();
  const { canManage } = useRights();
  const nameOfRoom = useRoomNameById();
  const describe = useMemberNames([...GROUP_KINDS.flatMap((kind) => memberOptions(inventory, kind, nameOfRoom))]);
  const kinds = new Map(inventory.serviceGroups.map(({ id, kind }) => [id, kind]));
  const kindOf = (id: string | undefined): GroupKind | undefined => {
    const kind = kinds.get(id ?? '');
    return isGroupKind(kind) ? kind : undefined;
  };
  return (
    <SetSection
      {...t.serviceGroups}
      sort={SERVICE_GROUPS}
      sets={inventory.serviceGroups.map(({ id, name, serviceIds }) => ({ id, name, members: serviceIds }))}
      describe={(set) => [t.kinds[kindOf(set.id) ?? 'light'], describe(set)].join(' · ')}
      canEdit={canManage}
      asked="group"
      dialog={(set, onClose) => <ServiceGroupDialog set={set} kind={kindOf(set?.id)} onClose={onClose} />}
    />
  );
}

interface ServiceGroupDialogProps {
  readonly set: NamedSet | undefined;
  readonly kind: GroupKind | undefined;
  readonly onClose: () => void;
}

function ServiceGroupDialog({ set, kind: fixed, onClose }: ServiceGroupDialogProps) {
  const t = useTexts(groupsTexts);
  const inventory = useHome();
  const nameOfRoom = useRoomNameById();
  const [kind, setKind] = useState<GroupKind>(fixed ?? 'light');
  return (
    <SetDialog
      title={set ? t.change({ name: set.name }) : t.serviceGroups.add}
      sort={SERVICE_GROUPS}
      set={set}
      options={memberOptions(inventory, kind, nameOfRoom)}
      kinds={{
        value: kind,
        data: GROUP_KINDS.map((value) => ({ value, label: t.kinds[value] })),
        onChange: (next) => isGroupKind(next) && setKind(next),
      }}
      onClose={onClose}
    />
  );
}

interface RoomSetsProps {
  readonly sort: SetSort;
  readonly sets: readonly NamedSet[];
  readonly texts: { readonly title: string; readonly lead: string; readonly add: string };
}

function RoomSets({ sort, sets, texts }: RoomSetsProps) {
  const t = useTexts(groupsTexts);
  const { rooms } = useHome();
  const { canManage } = useRights();
  const roomName = useRoomName();
  const options = rooms.map((room) => ({ id: room.id, name: roomName(room), detail: '' }));
  const describe = useMemberNames(options);
  return (
    <SetSection
      {...texts}
      sort={sort}
      sets={sets}
      describe={describe}
      canEdit={canManage}
      dialog={(set, onClose) => (
        <SetDialog
          title={set ? t.change({ name: set.name }) : texts.add}
          sort={sort}
          set={set}
          options={options}
          onClose={onClose}
        />
      )}
    />
  );
}

interface CollectionsProps {
  readonly rows: readonly { readonly id: string; readonly name: string; readonly content: unknown }[];
}

/** The user's own collections: every signed-in user may create them. */
function Collections({ rows }: CollectionsProps) {
  const t = useTexts(groupsTexts);
  const inventory = useHome();
  const nameOfRoom = useRoomNameById();
  const sort = collections((id) => inventory.serviceGroups.some((group) => group.id === id));
  const options = [
    ...inventory.serviceGroups.map(({ id, name }) => ({ id, name, detail: t.group })),
    ...inventory.accessories.map(({ id, name, roomId }) => ({ id, name, detail: nameOfRoom(roomId ?? '') })),
  ];
  const describe = useMemberNames(options);
  return (
    <SetSection
      {...t.collections}
      sort={sort}
      sets={rows.map(({ id, name, content }) => ({
        id,
        name,
        content,
        members: idsInCollection(content, inventory.id),
      }))}
      describe={describe}
      canEdit
      dialog={(set, onClose) => (
        <SetDialog
          title={set ? t.change({ name: set.name }) : t.collections.add}
          sort={sort}
          set={set}
          options={options}
          mayBeEmpty
          onClose={onClose}
        />
      )}
    />
  );
}

function useRoomNameById(): (roomId: string) => string {
  const { rooms } = useHome();
  const roomName = useRoomName();
  return (roomId) => {
    const room = rooms.find(({ id }) => id === roomId);
    return room ? roomName(room) : '';
  };
}

function useMemberNames(options: readonly MemberOption[]): (set: NamedSet) => string {
  const t = useTexts(groupsTexts);
  const format = useFormat();
  const names = new Map(options.map(({ id, name }) => [id, name]));
  return ({ members }) => {
    const known = members.flatMap((id) => names.get(id) ?? []);
    return known.length > 0 ? format.list(known) : t.nothingInIt;
  };
}
