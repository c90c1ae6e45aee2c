/**
 * The home, a room, a category, or the sheet of an accessory. On wide screens the sheet is a panel beside the page from
 * which it was opened; that page stays as it is while sheets open and close.
 */

import shellTexts from 'texts:shell';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useAccessory } from '../home/use-home.ts';
import { AccessoryPage, CategoryPage, HomePage, RoomPage } from '../routes.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './home-place.module.css';

export interface ShownPlace {
  readonly roomId?: string;
  readonly category?: string;
  readonly accessoryId?: string;
}

/** Home and menu need this much beside a sheet. */
const WIDE = '(min-width: 1200px)';

/** @returns `undefined` if the address is none of the home, a room, a category or an accessory */
export function placeAt(path: string): ShownPlace | undefined {
  if (path === '/') return {};
  const [, kind, id] = /^\/(rooms|categories|accessories)\/([^/]+)\/?$/i.exec(path) ?? [];
  const decoded = id && decodedOf(id);
  if (!decoded || (kind === 'rooms' && id === 'settings')) return undefined;
  if (kind?.toLowerCase() === 'rooms') return { roomId: decoded };
  return kind?.toLowerCase() === 'categories' ? { category: decoded } : { accessoryId: decoded };
}

export function HomePlace({ place }: { readonly place: ShownPlace }) {
  const isWide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false });
  const [, navigate] = useLocation();
  const { accessoryId } = place;
  const behind = useRef<ShownPlace>({});
  if (accessoryId === undefined) behind.current = place;
  if (accessoryId !== undefined && !isWide) return <AccessoryPage id={accessoryId} />;
  return (
    <div className={classes.split} data-open={accessoryId !== undefined || undefined}>
      <div className={classes.behind}>
        <Behind place={behind.current} />
      </div>
      {accessoryId !== undefined && (
        <SidePanel accessoryId={accessoryId} onClose={() => navigate(addressOf(behind.current))} />
      )}
    </div>
  );
}

function Behind({ place: { roomId, category } }: { readonly place: ShownPlace }) {
  if (roomId !== undefined) return <RoomPage roomId={roomId} />;
  return category === undefined ? <HomePage /> : <CategoryPage category={category} />;
}

function addressOf({ roomId, category }: ShownPlace): string {
  if (roomId !== undefined) return `/rooms/${encodeURIComponent(roomId)}`;
  return category === undefined ? '/' : `/categories/${encodeURIComponent(category)}`;
}

interface SidePanelProps {
  readonly accessoryId: string;
  readonly onClose: () => void;
}

/** Takes the focus when it opens, and gives it back. A room may have the accessory's name; the label is another. */
function SidePanel({ accessoryId, onClose }: SidePanelProps) {
  const t = useTexts(shellTexts);
  const name = useAccessory(accessoryId)?.name;
  const body = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    body.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section ref={body} tabIndex={-1} className={classes.panel} aria-label={name ? `${t.sheet}: ${name}` : t.sheet}>
      <AccessoryPage key={accessoryId} id={accessoryId} onClose={onClose} />
    </section>
  );
}

function decodedOf(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
