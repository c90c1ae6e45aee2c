/**
 * The home, a room, or the sheet of an accessory. On wide screens the sheet is a panel beside the home or the room from
 * which it was opened; both stay as they are while sheets open and close.
 */

import shellTexts from 'texts:shell';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useAccessory } from '../home/use-home.ts';
import { AccessoryPage, HomePage, RoomPage } from '../routes.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './home-place.module.css';

export interface ShownPlace {
  readonly roomId?: string;
  readonly accessoryId?: string;
}

/** Home and menu need this much beside a sheet. */
const WIDE = '(min-width: 1200px)';

/** @returns `undefined` if the address is none of the home, a room or an accessory */
export function placeAt(path: string): ShownPlace | undefined {
  if (path === '/') return {};
  const [, kind, id] = /^\/(rooms|accessories)\/([^/]+)\/?$/i.exec(path) ?? [];
  const decoded = id && decodedOf(id);
  if (!decoded || (kind === 'rooms' && id === 'settings')) return undefined;
  return kind?.toLowerCase() === 'rooms' ? { roomId: decoded } : { accessoryId: decoded };
}

export function HomePlace({ place }: { readonly place: ShownPlace }) {
  const isWide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false });
  const [, navigate] = useLocation();
  const { accessoryId } = place;
  const behind = useRef<ShownPlace>({});
  if (accessoryId === undefined) behind.current = place;
  if (accessoryId !== undefined && !isWide) return <AccessoryPage id={accessoryId} />;
  const { roomId } = behind.current;
  return (
    <div className={classes.split} data-open={accessoryId !== undefined || undefined}>
      <div className={classes.behind}>{roomId === undefined ? <HomePage /> : <RoomPage roomId={roomId} />}</div>
      {accessoryId !== undefined && (
        <SidePanel
          accessoryId={accessoryId}
          onClose={() => navigate(roomId === undefined ? '/' : `/rooms/${encodeURIComponent(roomId)}`)}
        />
      )}
    </div>
  );
}

interface SidePanelProps {
  readonly accessoryId: string;
  readonly onClose: () => void;
}

/** Takes the focus when it opens, and gives it back. */
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
    <section ref={body} tabIndex={-1} className={classes.panel} aria-label={name ?? t.sheet}>
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
