/** A room in edit mode, with its tiles. */

import homeTexts from 'texts:home';
import { rectSortingStrategy, SortableContext, useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { Box, Group, SimpleGrid } from '@mantine/core';
import { ChevronDown, ChevronUp, GripVertical, Trash2 } from 'lucide-react';
import { useTexts } from '../../../texts/texts.ts';
import { RoomLookButton } from '../../rooms/room-look-button.tsx';
import type { Arrangement } from '../arrangement.ts';
import { isFavourite, isHidden } from '../arrangement.ts';
import type { RoomSection } from '../sections.ts';
import classes from './edit.module.css';
import { RenameInPlace } from './rename-in-place.tsx';
import { type ThingActs, ThingRow } from './thing-row.tsx';

export interface RoomActs {
  rename(room: RoomSection['room'], name: string): void;
  remove(room: RoomSection['room']): void;
  step(roomId: string, by: 1 | -1): void;
}

interface RoomCardProps {
  readonly section: RoomSection;
  /** The displayed name. */
  readonly name: string;
  readonly arrangement: Arrangement;
  readonly selected: ReadonlySet<string>;
  readonly canManage: boolean;
  readonly rooms: readonly { readonly id: string; readonly name: string }[];
  readonly thingActs: ThingActs;
  /** Where it is and what can be done with it; none for the groups, which are no room. */
  readonly place?: RoomPlace;
}

interface RoomPlace {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly acts: RoomActs;
}

export function RoomCard(props: RoomCardProps) {
  const { section, name, arrangement, selected, canManage, rooms, thingActs, place } = props;
  const t = useTexts(homeTexts).edit;
  const { room, things } = section;
  const sortable = useSortable({ id: room.id, data: { kind: 'room', room, name }, disabled: place === undefined });
  const isTarget = sortable.isOver && sortable.active?.data.current?.kind === 'thing';
  return (
    <li
      ref={sortable.setNodeRef}
      className={sortable.isDragging ? `${classes.room} ${classes.dragged}` : classes.room}
      data-over={isTarget || undefined}
      style={{ transform: CSS.Translate.toString(sortable.transform), transition: sortable.transition }}
    >
      {place ? (
        <RoomHeader {...props} place={place} sortable={sortable} />
      ) : (
        <Box component="h2" fz="1.0625rem" fw={650} m="8px 4px">
          {name}
        </Box>
      )}
      <SortableContext items={things.map(({ id }) => id)} strategy={rectSortingStrategy}>
        <SimpleGrid
          component="ul"
          minColWidth="min(100%, 280px)"
          spacing={8}
          mih={52}
          className="h-bare"
          aria-label={name}
        >
          {things.map((thing, index) => (
            <ThingRow
              key={thing.id}
              thing={thing}
              isFirst={index === 0}
              isLast={index === things.length - 1}
              isSelected={selected.has(thing.id)}
              isHidden={isHidden(arrangement, thing.id)}
              isFavourite={isFavourite(arrangement, thing.id)}
              canManage={canManage}
              rooms={rooms}
              acts={thingActs}
            />
          ))}
          {things.length === 0 && <li className={classes.empty}>{t.emptyRoom}</li>}
        </SimpleGrid>
      </SortableContext>
    </li>
  );
}

interface RoomHeaderProps extends RoomCardProps {
  readonly place: RoomPlace;
  readonly sortable: ReturnType<typeof useSortable>;
}

function RoomHeader({ section: { room }, name, place, canManage, sortable }: RoomHeaderProps) {
  const t = useTexts(homeTexts).edit;
  const roomActs = place.acts;
  return (
    <Group gap={2} justify="flex-end" miw={0}>
      <button
        ref={sortable.setActivatorNodeRef}
        type="button"
        className={classes.grip}
        {...sortable.attributes}
        {...sortable.listeners}
        aria-label={t.dragRoom({ name })}
      >
        <GripVertical aria-hidden />
      </button>
      <Box component="h2" fz="1.0625rem" fw={650} m={0} miw={0} flex="1 1 140px" className="h-anywhere">
        {canManage ? (
          <RenameInPlace name={name} label={t.renameRoom({ name })} onRename={(next) => roomActs.rename(room, next)} />
        ) : (
          name
        )}
      </Box>
      <Group gap={2} align="stretch" wrap="nowrap">
        <button
          type="button"
          className={classes.icon}
          aria-label={t.moveRoomUp({ name })}
          title={t.moveRoomUp({ name })}
          disabled={place.isFirst}
          onClick={() => roomActs.step(room.id, -1)}
        >
          <ChevronUp aria-hidden />
        </button>
        <button
          type="button"
          className={classes.icon}
          aria-label={t.moveRoomDown({ name })}
          title={t.moveRoomDown({ name })}
          disabled={place.isLast}
          onClick={() => roomActs.step(room.id, 1)}
        >
          <ChevronDown aria-hidden />
        </button>
        <RoomLookButton room={room} name={name} className={classes.icon} />
        {canManage && !room.isDefault && (
          <button
            type="button"
            className={classes.icon}
            aria-label={t.deleteRoom({ name })}
            title={t.deleteRoom({ name })}
            onClick={() => roomActs.remove(room)}
          >
            <Trash2 aria-hidden />
          </button>
        )}
      </Group>
    </Group>
  );
}
