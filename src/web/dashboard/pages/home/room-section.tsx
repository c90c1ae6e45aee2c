/** One room on the home page. It re-renders when its content changes; its tiles show the values. */

import homeTexts from 'texts:home';
import { ChevronRight } from 'lucide-react';
import { type CSSProperties, lazy, memo, Suspense, useMemo } from 'react';
import { Link } from 'wouter';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { useRoomName } from '../rooms/room-name.ts';
import { isSameSummary, summarize } from './facts.ts';
import classes from './home.module.css';
import type { RoomSection } from './sections.ts';
import { TileGrid } from './tile-grid.tsx';
import { ROOM_KEYS } from './use-room-move.ts';
import { useWatched } from './watch-accessories.ts';

const RoomPicture = lazy(async () => ({ default: (await import('../rooms/room-picture.tsx')).RoomPicture }));

interface HomeRoomProps {
  readonly section: RoomSection;
  /** How many its tiles take. */
  readonly columns: number;
  /** It is below the heading of a zone. */
  readonly isInFloor: boolean;
}

export const HomeRoom = memo(
  function HomeRoom({ section: { room, things }, columns, isInFloor }: HomeRoomProps) {
    const name = useRoomName()(room);
    const hasPicture = room.pictureHash !== null;
    const Heading = isInFloor ? 'h3' : 'h2';
    return (
      <section
        className={classes.room}
        aria-labelledby={`room-${room.id}`}
        data-room={room.id}
        style={{ '--tiles': columns } as CSSProperties}
      >
        <div
          className={`h-plate ${classes.roomHeader}`}
          data-color={room.color}
          data-picture={hasPicture || undefined}
          data-handle
        >
          <PictureOf room={room} />
          <Heading className={classes.roomTitle} id={`room-${room.id}`}>
            <Link href={`/rooms/${room.id}`} className={classes.roomLink ?? ''} aria-keyshortcuts={ROOM_KEYS}>
              <span className="h-lines" title={name}>
                <span>{name}</span>
                <ChevronRight aria-hidden />
              </span>
            </Link>
          </Heading>
          {/* A single tile shows this itself, and leaves no space beside the name. */}
          {things.length > 1 && <RoomFacts things={things} />}
        </div>
        <TileGrid things={things} label={name} grid={room.id} />
      </section>
    );
  },
  (a, b) =>
    a.isInFloor === b.isInFloor && a.columns === b.columns && JSON.stringify(a.section) === JSON.stringify(b.section),
);

/** Behind the heading that it is in; nothing for a room without a picture. */
export function PictureOf({ room: { id, pictureHash } }: Pick<RoomSection, 'room'>) {
  if (pictureHash === null) return null;
  return (
    <Suspense>
      <RoomPicture key={pictureHash} roomId={id} hash={pictureHash} />
    </Suspense>
  );
}

/** The room's temperature, and the number of lamps that are on. */
export function RoomFacts({ things }: Pick<RoomSection, 'things'>) {
  const t = useTexts(homeTexts);
  const format = useFormat();
  const ids = useMemo(() => things.filter(({ isGroup }) => !isGroup).map(({ id }) => id), [things]);
  const { temperature, humidity, litIds } = useWatched(ids, summarize, isSameSummary);
  const facts = [
    temperature !== undefined && format.temperature(temperature),
    humidity !== undefined && format.percent(humidity),
    litIds.length > 0 && t.lightsOn({ count: litIds.length }),
  ].filter((fact) => fact !== false);
  if (facts.length === 0) return null;
  return <span className={classes.roomFacts}>{facts.join(' · ')}</span>;
}
