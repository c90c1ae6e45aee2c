/** What can be done with a tile where it is: for the user's own page, and with its room. Loaded when it first opens. */

import homeTexts from 'texts:home';
import { Menu } from '@mantine/core';
import { ArrowLeft, ArrowRight, Eye, EyeOff, PanelRight, Shapes, SquareCheck, Star, StarOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'wouter';
import { sheetPath } from '../../devices/accessory-tile.tsx';
import { FROM_APP } from '../../devices/came-from.ts';
import { homeStore } from '../../home/home-store.ts';
import { useAccessory, useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { useRoomName } from '../rooms/room-name.ts';
import { tileBeside } from './arrange/placed.ts';
import {
  type Arrangement,
  isFavourite,
  isHidden,
  sizeOf,
  TILE_SIZES,
  type TileSize,
  withFavourites,
  withHidden,
  withSize,
} from './arrangement.ts';
import { arrangeWithUndo, moveAccessories } from './edit/layout-acts.ts';
import classes from './home.module.css';
import { toggleSelected } from './selection.ts';
import { useArrangement } from './use-arrangement.ts';
import { useDrop } from './use-drop.ts';

export interface TileMenuProps {
  readonly id: string;
  /** Where it opens, in the window. */
  readonly at: { readonly x: number; readonly y: number };
  /** The grid in which it opens, and the tiles there. */
  readonly place: { readonly grid: string; readonly ids: readonly string[] };
  readonly onClose: () => void;
  readonly onChooseIcon: (id: string) => void;
}

export function TileMenu({ id, at, place: { grid, ids: shown }, onClose, onChooseIcon }: TileMenuProps) {
  const { edit: t } = useTexts(homeTexts);
  const { canManage } = useRights();
  const accessory = useAccessory(id);
  const [arrangement, change] = useArrangement();
  const [, navigate] = useLocation();
  const drop = useDrop();
  // Rooms are in a container, in which some browsers place what is fixed: it is outside of it, but within the page.
  const place = document.getElementById('content') ?? document.body;
  if (!accessory) return null;
  const ids = [id];
  const alter = (text: string, next: (arrangement: Arrangement) => Arrangement) => arrangeWithUndo(change, text, next);
  const step = (by: 1 | -1) => {
    const targetId = tileBeside(shown, id, by);
    return targetId === undefined ? undefined : () => drop({ id, from: grid, to: grid, targetId, isAfter: by === 1 });
  };
  const favourite = isFavourite(arrangement, id);
  const hidden = isHidden(arrangement, id);
  return createPortal(
    <Menu opened onClose={onClose} position="bottom-start" shadow="md" transitionProps={{ duration: 120 }}>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={classes.menuPlace}
          style={{ top: at.y, left: at.x }}
          aria-label={t.actionsFor({ name: accessory.name })}
        />
      </Menu.Target>
      <Menu.Dropdown mah="46dvh" maw="calc(100vw - 10px)" className="h-anywhere" style={{ overflowY: 'auto' }}>
        <Menu.Item
          data-autofocus
          leftSection={<PanelRight size={16} />}
          onClick={() => navigate(sheetPath(id), { state: FROM_APP })}
        >
          {t.open}
        </Menu.Item>
        <Menu.Item leftSection={<SquareCheck size={16} />} onClick={() => toggleSelected({ id, grid })}>
          {t.selectTile}
        </Menu.Item>
        <StepItem icon={<ArrowLeft size={16} />} label={t.stepForward} run={step(-1)} />
        <StepItem icon={<ArrowRight size={16} />} label={t.stepBack} run={step(1)} />
        <Menu.Item
          leftSection={favourite ? <StarOff size={16} /> : <Star size={16} />}
          onClick={() =>
            alter(favourite ? t.noFavourite : t.nowFavourite, (all) => withFavourites(all, ids, !favourite))
          }
        >
          {favourite ? t.unfavour : t.favour}
        </Menu.Item>
        <Menu.Item
          leftSection={hidden ? <Eye size={16} /> : <EyeOff size={16} />}
          onClick={() =>
            alter(hidden ? t.nowShown({ count: 1 }) : t.nowHidden({ count: 1 }), (all) => withHidden(all, ids, !hidden))
          }
        >
          {hidden ? t.show : t.hide}
        </Menu.Item>
        {canManage && (
          <Menu.Item leftSection={<Shapes size={16} />} onClick={() => onChooseIcon(id)}>
            {t.chooseIcon}
          </Menu.Item>
        )}
        <SizeItems
          id={id}
          size={sizeOf(arrangement, id)}
          onSize={(size) => alter(t.sizeChanged, (all) => withSize(all, ids, size))}
        />
        <RoomItems id={id} roomId={accessory.roomId} />
      </Menu.Dropdown>
    </Menu>,
    place,
  );
}

interface StepItemProps {
  readonly icon: ReactNode;
  readonly label: string;
  /** Left out at the end of the grid. */
  readonly run: (() => void) | undefined;
}

function StepItem({ icon, label, run }: StepItemProps) {
  return (
    <Menu.Item leftSection={icon} disabled={!run} onClick={run}>
      {label}
    </Menu.Item>
  );
}

interface SizeItemsProps {
  readonly id: string;
  readonly size: TileSize;
  readonly onSize: (size: TileSize) => void;
}

/** The graph is of one accessory. */
function SizeItems({ id, size, onSize }: SizeItemsProps) {
  const { edit: t } = useTexts(homeTexts);
  const sizes = homeStore.isGroup(id) ? TILE_SIZES.filter((each) => each !== 'large') : TILE_SIZES;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu
    <div role="group" aria-label={t.size}>
      <Menu.Label aria-hidden>{t.size}</Menu.Label>
      <Menu.RadioGroup value={size} onChange={(value) => value !== size && onSize(value as TileSize)}>
        {sizes.map((each) => (
          <Menu.RadioItem key={each} value={each} closeMenuOnClick>
            {t.sizes[each]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </div>
  );
}

/** A group is in no room. */
function RoomItems({ id, roomId }: { readonly id: string; readonly roomId: string }) {
  const { edit: t } = useTexts(homeTexts);
  const { rooms } = useHome();
  const { canManage } = useRights();
  const nameOf = useRoomName();
  if (!canManage || homeStore.isGroup(id)) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu
    <div role="group" aria-label={t.moveTo}>
      <Menu.Label aria-hidden>{t.moveTo}</Menu.Label>
      {rooms
        .filter((room) => room.id !== roomId)
        .map((room) => (
          <Menu.Item key={room.id} onClick={() => void moveAccessories([id], { id: room.id, name: nameOf(room) })}>
            {nameOf(room)}
          </Menu.Item>
        ))}
    </div>
  );
}
