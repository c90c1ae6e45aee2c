/** One room with all its tiles, including those hidden on the home page. */

import roomsTexts from 'texts:rooms';
import { Box, Stack } from '@mantine/core';
import { DoorOpen, Lightbulb, LightbulbOff } from 'lucide-react';
import { type CSSProperties, lazy, Suspense, useMemo } from 'react';
import type { HomeAccessory, HomeRoom } from '../../home/home-document.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { kioskNow } from '../../shell/kiosk/kiosk.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { lazyPart } from '../../ui/load-part.ts';
import { EmptyState, Page } from '../../ui/page.tsx';
import { isHiddenScene } from '../home/arrangement.ts';
import { SceneRow } from '../home/favourite-scenes.tsx';
import homeClasses from '../home/home.module.css';
import { RoomFacts } from '../home/room-section.tsx';
import { type RoomSection, sectionsOf } from '../home/sections.ts';
import { SelectionHost } from '../home/selection-host.tsx';
import { turnLamps } from '../home/summary-line.tsx';
import { TileGrid } from '../home/tile-grid.tsx';
import { useArrangement } from '../home/use-arrangement.ts';
import { useWatched } from '../home/watch-accessories.ts';
import { RoomLookButton } from './room-look-button.tsx';
import { useRoomName } from './room-name.ts';
import { scenesIn } from './room-scenes.ts';

const RoomBackdrop = lazy(async () => ({ default: (await import('./room-backdrop.tsx')).RoomBackdrop }));

const RoomMore = lazyPart(() => import('./room-more.tsx'), 'RoomMore');

const VIEW = { '--view': 'clamp(120px, 22dvh, 220px)' } as CSSProperties;

export function RoomPage({ roomId }: { readonly roomId: string }) {
  const t = useTexts(roomsTexts);
  const inventory = useHome();
  const nameOf = useRoomName();
  const { compare } = useFormat();
  const [arrangement] = useArrangement();
  const section = useMemo(
    () => sectionsOf(inventory, arrangement, compare).find(({ room }) => room.id === roomId),
    [inventory, arrangement, compare, roomId],
  );
  if (!section) {
    return (
      <EmptyState isPage title={t.notFound} action={<ToHome />}>
        {t.notFoundText}
      </EmptyState>
    );
  }
  const { room, things } = section;
  const ids = things.map(({ id }) => id);
  const scenes = scenesIn(ids, inventory.scenes).filter((scene) => !isHiddenScene(arrangement, scene));
  // A tablet at the wall has its tiles alone.
  const isWhole = kioskNow() === undefined;
  const name = nameOf(room);
  const isNoRoom = name !== room.name;
  const lead = (
    <>
      {isNoRoom && <span>{t.noRoomText} </span>}
      <RoomFacts things={things} />
    </>
  );
  const actions = (
    <>
      <RoomLights things={things} />
      <RoomLookButton room={room} name={name} />
    </>
  );
  return (
    <Page title={name} lead={lead} actions={actions} above={<Above room={room} />} isWide>
      {isWhole && <SceneRow scenes={scenes} />}
      {things.length > 0 ? (
        <TileGrid things={things} label={name} grid={room.id} />
      ) : (
        <div className="h-plate">
          <EmptyState icon={<DoorOpen size={32} />} title={t.empty}>
            {t.emptyText}
          </EmptyState>
        </div>
      )}
      {isWhole && ids.length > 0 && (
        <Suspense>
          <RoomMore roomId={room.id} ids={ids} />
        </Suspense>
      )}
      <SelectionHost />
    </Page>
  );
}

/** The way back; in a room with a picture it lies on that, and leaves a view of it above the room's name. */
function Above({ room }: { readonly room: HomeRoom }) {
  const { color, pictureHash } = room;
  const hasPicture = pictureHash !== null;
  return (
    <Stack align="flex-start" mih={hasPicture ? 'var(--view)' : 0} mb={hasPicture ? 20 : 0} style={VIEW}>
      {(hasPicture || color !== null) && (
        <Suspense>
          <RoomBackdrop room={room} />
        </Suspense>
      )}
      {/* Its color needs more contrast than a plate has. */}
      <Box className="h-plate" {...(hasPicture && { px: 10, bg: 'var(--h-bg)' })}>
        <ToHome />
      </Box>
    </Stack>
  );
}

function ToHome() {
  const t = useTexts(roomsTexts);
  return <BackLink href="/">{t.toHome}</BackLink>;
}

/** Turns on all lamps of the room, or turns off those that are on. */
function RoomLights({ things }: Pick<RoomSection, 'things'>) {
  const t = useTexts(roomsTexts);
  const { canControl } = useRights();
  const ids = useMemo(() => things.filter(({ isGroup }) => !isGroup).map(({ id }) => id), [things]);
  const { lamps, lit } = useWatched(ids, countLamps, (a, b) => a.lamps === b.lamps && a.lit === b.lit);
  if (!canControl || lamps === 0) return null;
  const Icon = lit > 0 ? LightbulbOff : Lightbulb;
  return (
    <button
      type="button"
      className={homeClasses.tool}
      data-short
      title={t.lights({ on: lit, all: lamps })}
      onClick={() => turnLamps(ids, lit === 0)}
    >
      <Icon aria-hidden />
      <span>{lit > 0 ? t.lightsOff : t.lightsOn}</span>
    </button>
  );
}

function countLamps(accessories: readonly HomeAccessory[]): { readonly lamps: number; readonly lit: number } {
  const lamps = accessories
    .filter(({ isReachable }) => isReachable)
    .flatMap(({ services }) => services.filter(({ type }) => type === 'lightbulb'));
  const lit = lamps.filter(({ characteristics }) =>
    characteristics.some(({ type, value }) => type === 'power_state' && (value === true || value === 1)),
  );
  return { lamps: lamps.length, lit: lit.length };
}
