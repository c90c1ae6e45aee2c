/** What admins of the home can do with a room: rename it, give it a color and a picture, delete it. */
import commonTexts from 'texts:common';
import groupsTexts from 'texts:groups';
import homeTexts from 'texts:home';
import roomsTexts from 'texts:rooms';
import { Suspense, useState } from 'react';
import type { HomeRoom } from '../../home/home-document.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { ActsMenu } from '../../ui/entries.tsx';
import { lazyPart } from '../../ui/load-part.ts';
import { deleteRoom, renameThing } from '../home/edit/layout-acts.ts';
import { NameDialog } from '../people/name-dialog.tsx';

const RoomLook = lazyPart(() => import('../rooms/room-look.tsx'), 'RoomLook');

interface RoomMenuProps {
  readonly room: HomeRoom;
  /** The displayed name. */
  readonly name: string;
}

export function RoomMenu({ room, name }: RoomMenuProps) {
  const t = useTexts(groupsTexts);
  const { edit } = useTexts(homeTexts);
  const { look } = useTexts(roomsTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const [open, setOpen] = useState<'name' | 'look'>();
  const close = () => setOpen(undefined);
  const remove = { label: t.delete, isDangerous: true, run: () => void deleteRoom(homeId, room, () => undefined) };
  return (
    <>
      <ActsMenu
        label={t.actsFor({ name })}
        acts={[
          { label: common.rename, run: () => setOpen('name') },
          { label: look.open, run: () => setOpen('look') },
          ...(room.isDefault ? [] : [remove]),
        ]}
      />
      {open === 'name' && (
        <NameDialog
          title={edit.renameRoom({ name })}
          name={name}
          subjects={[]}
          onSubmit={async (next) => next && next !== name && renameThing('room', room, next)}
          onClose={close}
        />
      )}
      {open === 'look' && (
        <Suspense>
          <RoomLook room={room} name={name} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
