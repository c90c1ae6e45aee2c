/**
 * Tiles in a grid: two columns on the narrowest phone, more on wider screens. They are arranged where they are:
 * dragged, by their menu, or several at once when they are selected.
 */

import homeTexts from 'texts:home';
import { type KeyboardEvent, lazy, type MouseEvent, memo, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { AccessoryTile } from '../../devices/accessory-tile.tsx';
import { homeStore } from '../../home/home-store.ts';
import { useAccessory, useKeptAt, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { Pick } from '../../ui/pick.tsx';
import { FAVOURITES, GROUPS, isFavourite, sizeOf, type TileSize } from './arrangement.ts';
import classes from './home.module.css';
import type { Thing } from './sections.ts';
import { isFocusLost, type SelectedTile, selectRange, toggleSelected, useSelection } from './selection.ts';
import { useArrangement } from './use-arrangement.ts';
import { useDrop } from './use-drop.ts';
import { useTileDrag } from './use-tile-drag.ts';
import { useTileMenu } from './use-tile-menu.ts';

const IconPicker = lazy(async () => ({ default: (await import('../../devices/icons/icon-picker.tsx')).IconPicker }));
const TileMenu = lazy(async () => ({ default: (await import('./tile-menu.tsx')).TileMenu }));
const TileGraph = lazy(async () => ({ default: (await import('./tile-graph.tsx')).TileGraph }));

interface TileGridProps {
  readonly things: readonly Pick<Thing, 'id'>[];
  readonly label: string;
  /** The id of its room, `GROUPS` or `FAVOURITES`. */
  readonly grid: string;
  /** Its tiles are a selection of the grid: they are not arranged here. */
  readonly isFixed?: boolean;
}

export const TileGrid = memo(function TileGrid({ things, label, grid, isFixed = false }: TileGridProps) {
  const ids = useMemo(() => things.map(({ id }) => id), [things]);
  const list = useRef<HTMLUListElement>(null);
  const { menu, iconOf, chooseIcon, handlers, close } = useGestures(list, grid, ids);
  const [arrangement] = useArrangement();
  const selection = useSelection();
  const isOld = useKeptAt() !== undefined;
  return (
    <>
      <ul
        ref={list}
        className={classes.tiles}
        aria-label={label}
        data-grid={grid}
        {...(!isOld && !selection && (isFixed ? { onClickCapture: handlers.onClickCapture } : handlers))}
      >
        {ids.map((id) => (
          <GridItem
            key={id}
            id={id}
            size={sizeOf(arrangement, id)}
            pick={selection && { isOn: selection.ids.includes(id), isLast: isTile(selection.last, id, grid) }}
            grid={grid}
            order={ids}
          />
        ))}
      </ul>
      {menu && (
        <Suspense>
          <TileMenu {...menu} place={{ grid, ids }} onClose={close} onChooseIcon={chooseIcon} />
        </Suspense>
      )}
      {iconOf !== undefined && (
        <Suspense>
          <IconPicker accessoryId={iconOf} onClose={() => chooseIcon(undefined)} />
        </Suspense>
      )}
    </>
  );
});

function isTile(tile: SelectedTile, id: string, grid: string): boolean {
  return tile.id === id && tile.grid === grid;
}

interface GridItemProps {
  readonly id: string;
  readonly size: TileSize;
  /** While tiles are being selected. */
  readonly pick: { readonly isOn: boolean; readonly isLast: boolean } | undefined;
  readonly grid: string;
  readonly order: readonly string[];
}

function GridItem({ id, size, pick, grid, order }: GridItemProps) {
  return (
    <li data-id={id} data-size={size === 'small' ? undefined : size}>
      <AccessoryTile id={id} isInert={pick !== undefined} />
      {size === 'large' && <GraphWhenSeen id={id} />}
      {pick && <TilePick id={id} {...pick} grid={grid} order={order} />}
    </li>
  );
}

interface TilePickProps {
  readonly id: string;
  readonly isOn: boolean;
  readonly isLast: boolean;
  readonly grid: string;
  readonly order: readonly string[];
}

function TilePick({ id, isOn, isLast, grid, order }: TilePickProps) {
  const { edit: t } = useTexts(homeTexts);
  const name = useAccessory(id)?.name ?? '';
  const box = useRef<HTMLInputElement>(null);
  // The tile that began the selection had the focus.
  useEffect(() => {
    if (isLast && isFocusLost()) box.current?.focus({ preventScroll: true });
  }, [isLast]);
  return (
    <Pick
      label={t.select({ name })}
      isOn={isOn}
      box={box}
      onPick={(isRange) => (isRange ? selectRange({ id, grid }, order) : toggleSelected({ id, grid }))}
    />
  );
}

/** What a hand or a key does with the tiles of a grid, besides a tap. */
function useGestures(list: React.RefObject<HTMLUListElement | null>, grid: string, ids: readonly string[]) {
  const { canManage } = useRights();
  const [arrangement] = useArrangement();
  const onDrop = useDrop();
  const menu = useTileMenu((item, pointerId, at) => drag.lift(item, pointerId, at));
  const drag = useTileDrag({
    copyClass: classes.copy ?? '',
    onDrop,
    onBegin: menu.dismiss,
    mayDrop(id, from, to) {
      if (from === to) return true;
      if (to === FAVOURITES) return !isFavourite(arrangement, id);
      return canManage && from !== FAVOURITES && to !== GROUPS && !homeStore.isGroup(id);
    },
  });
  useEffect(() => {
    // Browsers decide at the first touch whether the page may scroll: the listener has to be there before.
    const onTouchMove = (event: TouchEvent) => {
      if (drag.isHeld() && event.cancelable) event.preventDefault();
    };
    const element = list.current;
    element?.addEventListener('touchmove', onTouchMove, { passive: false });
    return () => element?.removeEventListener('touchmove', onTouchMove);
  }, [list, drag]);
  const { onPointerDown, onClickCapture } = menu.handlers;
  const handlers = {
    ...menu.handlers,
    onDragStart: drag.onDragStart,
    onPointerDown(event: React.PointerEvent) {
      onPointerDown(event);
      drag.onPointerDown(event);
    },
    onClickCapture(event: MouseEvent) {
      onClickCapture(event);
      const id =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-id]')?.dataset.id : undefined;
      const { shiftKey, ctrlKey, metaKey, detail } = event;
      if (id === undefined || detail === 0 || !(shiftKey || ctrlKey || metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
      if (shiftKey) selectRange({ id, grid }, ids);
      else toggleSelected({ id, grid });
    },
    onKeyDown(event: KeyboardEvent) {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (key.toLowerCase() !== MENU_KEY || ctrlKey || metaKey || altKey) return;
      if (!menu.openByKey(event.target)) return;
      event.preventDefault();
      // A menu closes by keys outside of it, and it is there already.
      event.stopPropagation();
    },
  };
  const { iconOf, chooseIcon, close } = menu;
  return { menu: menu.menu, iconOf, chooseIcon, handlers, close };
}

/** Not every keyboard has a key for menus. It works on the focused tile alone. */
const MENU_KEY = 'm';

/** Begins to load shortly before it scrolls into view. */
const AHEAD = '200px';

/** The graph is there while the tile is in view: a home may have hundreds of them. */
function GraphWhenSeen({ id }: { readonly id: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!place.current) return undefined;
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: AHEAD,
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className={classes.graph}>
      {isSeen && (
        <Suspense>
          <TileGraph id={id} />
        </Suspense>
      )}
    </div>
  );
}
