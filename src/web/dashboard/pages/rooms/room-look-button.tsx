/** Opens the color and the picture of a room; only for admins of the home. */
import roomsTexts from 'texts:rooms';
import { Palette } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { HomeRoom } from '../../home/home-document.ts';
import { useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import homeClasses from '../home/home.module.css';

const RoomLook = lazy(async () => ({ default: (await import('./room-look.tsx')).RoomLook }));

interface RoomLookButtonProps {
  readonly room: HomeRoom;
  /** The displayed name. */
  readonly name: string;
  /** In place of the usual look, with the icon alone. */
  readonly className?: string | undefined;
}

export function RoomLookButton({ room, name, className }: RoomLookButtonProps) {
  const t = useTexts(roomsTexts).look;
  const { canManage } = useRights();
  const [isOpen, setOpen] = useState(false);
  if (!canManage) return null;
  const isShort = className !== undefined;
  const label = t.of({ name });
  return (
    <>
      <button
        type="button"
        className={className ?? homeClasses.tool}
        data-short
        title={isShort ? label : t.open}
        {...(isShort && { 'aria-label': label })}
        onClick={() => setOpen(true)}
      >
        <Palette aria-hidden />
        {!isShort && <span>{t.open}</span>}
      </button>
      {isOpen && (
        <Suspense>
          <RoomLook room={room} name={name} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
