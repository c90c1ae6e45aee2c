/** The home page in edit mode: rooms and their tiles as plain rows, to reorder, rename, hide and move. */

import homeTexts from 'texts:home';
import { DndContext } from '@dnd-kit/core';
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { Button, Group, Stack } from '@mantine/core';
import { Check, Plus, Wallpaper } from 'lucide-react';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Page } from '../../../ui/page.tsx';
import { useRoomName } from '../../rooms/room-name.ts';
import { isFavourite, isHidden } from '../arrangement.ts';
import { groupSection, sectionsOf } from '../sections.ts';
import { useArrangement } from '../use-arrangement.ts';
import { AddRoom } from './add-room.tsx';
import { announcementsIn, applyDrag, findTarget, useDragSensors } from './dragging.ts';
import { createRoom } from './layout-acts.ts';
import { RoomCard } from './room-card.tsx';
import { TileActions } from './tile-actions.tsx';
import { useEditActs } from './use-edit-acts.ts';

const HomeLook = lazy(async () => ({ default: (await import('../backdrop/home-look.tsx')).HomeLook }));

export function EditHome({ onDone }: { readonly onDone: () => void }) {
  const all = useTexts(homeTexts);
  const t = all.edit;
  const inventory = useHome();
  const { canManage } = useRights();
  const { compare } = useFormat();
  const nameOf = useRoomName();
  const [arrangement] = useArrangement();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAdding, setAdding] = useState(false);
  const sections = useMemo(() => sectionsOf(inventory, arrangement, compare), [inventory, arrangement, compare]);
  const select = useCallback((id: string, isOn: boolean) => {
    setSelected((before) => new Set(isOn ? [...before, id] : [...before].filter((other) => other !== id)));
  }, []);
  const groups = useMemo(() => groupSection(inventory, arrangement, compare), [inventory, arrangement, compare]);
  const acts = useEditActs(inventory.id, sections, groups, nameOf, select);
  const rooms = useMemo(
    () => sections.map(({ room }) => ({ id: room.id, name: nameOf(room) })),
    // The names depend on the sections and the language; `nameOf` is a new function each time.
    [sections, t],
  );
  return (
    <Page
      title={t.title}
      lead={canManage ? t.lead : t.leadOwn}
      actions={<EditActions canManage={canManage} onAdd={() => setAdding(true)} onDone={onDone} />}
    >
      <DndContext
        sensors={useDragSensors()}
        collisionDetection={findTarget}
        onDragEnd={(event) => applyDrag(event, acts)}
        accessibility={{ announcements: announcementsIn(t), screenReaderInstructions: { draggable: t.help } }}
      >
        {groups.things.length > 0 && (
          <Stack component="ul" className="h-bare">
            <RoomCard
              section={groups}
              name={all.groups}
              arrangement={arrangement}
              selected={selected}
              canManage={canManage}
              rooms={rooms}
              thingActs={acts.thingActs}
            />
          </Stack>
        )}
        <SortableContext items={rooms.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
          <Stack component="ul" className="h-bare">
            {sections.map((section, index) => (
              <RoomCard
                key={section.room.id}
                section={section}
                name={nameOf(section.room)}
                place={{ isFirst: index === 0, isLast: index === sections.length - 1, acts: acts.roomActs }}
                arrangement={arrangement}
                selected={selected}
                canManage={canManage}
                rooms={rooms}
                thingActs={acts.thingActs}
              />
            ))}
          </Stack>
        </SortableContext>
      </DndContext>
      {canManage && (
        <Group>
          <Link href="/rooms">{all.manageRooms}</Link>
          <Link href="/settings/home">{all.homeSettings}</Link>
        </Group>
      )}
      {selected.size > 0 && (
        <TileActions
          ids={[...selected]}
          rooms={canManage ? rooms : []}
          areFavourites={[...selected].every((id) => isFavourite(arrangement, id))}
          areHidden={[...selected].every((id) => isHidden(arrangement, id))}
          acts={acts.thingActs}
          onClear={() => setSelected(new Set())}
        />
      )}
      {isAdding && <AddRoom onClose={() => setAdding(false)} onAdd={(name) => void createRoom(inventory.id, name)} />}
    </Page>
  );
}

interface EditActionsProps {
  readonly canManage: boolean;
  readonly onAdd: () => void;
  readonly onDone: () => void;
}

function EditActions({ canManage, onAdd, onDone }: EditActionsProps) {
  const t = useTexts(homeTexts).edit;
  const [isLook, setLook] = useState(false);
  return (
    <>
      {canManage && (
        <Button variant="default" leftSection={<Wallpaper size={18} aria-hidden />} onClick={() => setLook(true)}>
          {t.homeLook}
        </Button>
      )}
      {canManage && (
        <Button variant="default" leftSection={<Plus size={18} aria-hidden />} onClick={onAdd}>
          {t.addRoom}
        </Button>
      )}
      <Button leftSection={<Check size={18} aria-hidden />} onClick={onDone}>
        {t.done}
      </Button>
      {isLook && (
        <Suspense>
          <HomeLook onClose={() => setLook(false)} />
        </Suspense>
      )}
    </>
  );
}
