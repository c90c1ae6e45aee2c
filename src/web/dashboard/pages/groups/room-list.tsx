/** The rooms of the home, in their order; a menu changes one. */
import commonTexts from 'texts:common';
import groupsTexts from 'texts:groups';
import homeTexts from 'texts:home';
import { Button, Stack } from '@mantine/core';
import { ChevronRight, DoorOpen, GripVertical, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useHome, useRights } from '../../home/use-home.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { useAsked } from '../../ui/asked.ts';
import { Section } from '../../ui/page.tsx';
import { AddRoom } from '../home/edit/add-room.tsx';
import { createRoom } from '../home/edit/layout-acts.ts';
import { sectionsOf, thingsOf } from '../home/sections.ts';
import { useArrangement } from '../home/use-arrangement.ts';
import { ROOM_KEYS, useRoomMove } from '../home/use-room-move.ts';
import { useRoomName } from '../rooms/room-name.ts';
import { RoomPicture } from '../rooms/room-picture.tsx';
import classes from './groups.module.css';
import { RoomMenu } from './room-menu.tsx';

export function RoomList() {
  const t = useTexts(groupsTexts);
  const { edit } = useTexts(homeTexts);
  const common = useTexts(commonTexts);
  const format = useFormat();
  const { id: homeId, rooms, accessories } = useHome();
  const { canManage } = useRights();
  const roomName = useRoomName();
  const [arrangement] = useArrangement();
  const roomMove = useRoomMove();
  useAsked((what) => what === 'room' && canManage && setAdding(true));
  const [isAdding, setAdding] = useState(false);
  // Counts the tiles of the room: a bridge alone has none.
  const tiles = thingsOf({ accessories, rooms, serviceGroups: [] });
  const sorted = sectionsOf({ accessories, rooms, serviceGroups: [] }, arrangement, format.compare).map(
    ({ room }) => room,
  );
  const hasLooks = rooms.some(({ color, pictureHash }) => color !== null || pictureHash !== null);
  const add = canManage && (
    <Button variant="default" leftSection={<Plus size={18} aria-hidden />} onClick={() => setAdding(true)}>
      {edit.addRoom}
    </Button>
  );
  return (
    <Section title={t.rooms.title} lead={t.rooms.lead} actions={add}>
      <Stack component="ul" gap={0} className="h-bare" aria-label={t.rooms.title} {...roomMove}>
        {sorted.map((room) => {
          const name = roomName(room);
          const count = tiles.filter(({ roomId }) => roomId === room.id).length;
          return (
            <li key={room.id} className={classes.row} data-room={room.id}>
              <button
                type="button"
                className={classes.grip}
                data-handle
                aria-label={edit.dragRoom({ name })}
                aria-keyshortcuts={ROOM_KEYS}
                title={edit.dragRoom({ name })}
              >
                <GripVertical aria-hidden size={20} />
              </button>
              {hasLooks && (
                <span className={classes.look} data-color={room.color} aria-hidden>
                  {room.pictureHash === null ? (
                    <DoorOpen />
                  ) : (
                    <RoomPicture key={room.pictureHash} roomId={room.id} hash={room.pictureHash} />
                  )}
                </span>
              )}
              <span className={classes.room}>
                <strong>{name}</strong>
                <Link
                  href={`/rooms/${room.id}`}
                  className={classes.link ?? ''}
                  aria-label={common.accessories({ count })}
                >
                  <span data-full>{common.accessories({ count })}</span>
                  <span data-short>{format.number(count)}</span>
                  <ChevronRight aria-hidden />
                </Link>
              </span>
              {canManage && (
                <span className={classes.menu}>
                  <RoomMenu room={room} name={name} />
                </span>
              )}
            </li>
          );
        })}
      </Stack>
      {isAdding && <AddRoom onClose={() => setAdding(false)} onAdd={(name) => void createRoom(homeId, name)} />}
    </Section>
  );
}
