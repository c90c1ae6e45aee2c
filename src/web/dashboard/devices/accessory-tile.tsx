/**
 * One accessory or service group in a grid: its name, its state and its most common action. A tap on the body executes
 * that action if it is safe; otherwise the body opens the sheet, as the corner always does. A drag along the tile of a
 * lamp, a blind, a fan or a speaker sets brightness, position, speed or volume; keyboards and screen readers have a
 * slider for that. It uses plain elements and re-renders only for its own changes, because a home has hundreds of
 * tiles.
 */

import deviceTexts from 'texts:devices';
import { ChevronRight, Ellipsis, TriangleAlert, WifiOff } from 'lucide-react';
import { type CSSProperties, memo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { HomeAccessory } from '../home/home-document.ts';
import { useAccessory, useIsPaused, useKeptAt, useRights } from '../home/use-home.ts';
import { asWanted } from '../home/wanted.ts';
import { writer } from '../home/write.ts';
import { useFormat } from '../texts/format.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './accessory-tile.module.css';
import { FROM_APP } from './came-from.ts';
import { useDraft } from './controls/draft.ts';
import { useDragAlong } from './controls/use-drag-along.ts';
import { absenceOf, describeState, deviceLevel, deviceLight, deviceTone, mainActOf, warningsOf } from './devices.ts';
import { useDeviceIcon } from './icons/device-icon.ts';
import { type DeviceLevel, levelAfter, shareOfLevel } from './level.ts';
import { performAct } from './perform.ts';

/** The path of an accessory's sheet. */
export function sheetPath(id: string): string {
  return `/accessories/${encodeURIComponent(id)}`;
}

interface AccessoryTileProps {
  readonly id: string;
  /** Only to be seen, while something else takes its clicks. */
  readonly isInert?: boolean;
}

export const AccessoryTile = memo(function AccessoryTile({ id, isInert = false }: AccessoryTileProps) {
  const accessory = useAccessory(id);
  return accessory ? <Tile accessory={accessory} isInert={isInert} /> : null;
});

function Tile({ accessory, isInert }: { readonly accessory: HomeAccessory; readonly isInert: boolean }) {
  const t = useTexts(deviceTexts);
  const format = useFormat();
  const { canControl } = useRights();
  const isPaused = useIsPaused();
  const isOld = useKeptAt() !== undefined;
  const { name } = accessory;
  const describe = (isBrief: boolean) => describeState(accessory, t, format, isPaused, isBrief);
  const warnings = warningsOf(accessory).map((warning) => t.warnings[warning]);
  // It looks as it was asked to be, and the next tap takes that back; its words are what is.
  const wanted = asWanted(accessory);
  const act = canControl ? mainActOf(wanted) : undefined;
  const level = act && deviceLevel(wanted);
  const along = useLevel(level);
  const light = deviceLight(wanted);
  const style = {
    ...(level && { '--level': shareOfLevel(along.shown, level.range) }),
    ...(light && { '--lamp': light }),
  } as CSSProperties;
  const label = [name, ...describe(false).split(' · '), ...warnings].join(', ');
  const shown = along.isHeld ? format.percent(along.shown) : describe(true);
  const face = <Api accessory={accessory} state={shown} warnings={warnings} isLink={!act} />;
  return (
    <div
      className={classes.tile}
      inert={isInert}
      data-tone={deviceTone(wanted)}
      data-absent={absenceOf(accessory)}
      data-pending={accessory.isPending}
      data-wanted={accessory.wanted && true}
      data-waiting={accessory.isWaiting}
      data-level={level?.name}
      data-held={along.isHeld || undefined}
      data-lamp={light !== undefined || undefined}
      style={style}
    >
      {act ? (
        <button
          type="button"
          className={classes.body}
          aria-label={label}
          aria-pressed={act.isOn === undefined ? undefined : mainActOf(accessory)?.isOn}
          disabled={isOld}
          onClick={() => void performAct(accessory, act)}
          {...(level && along.handlers)}
        >
          {face}
        </button>
      ) : (
        <Link href={sheetPath(accessory.id)} state={FROM_APP} className={classes.body ?? ''} aria-label={label}>
          {face}
        </Link>
      )}
      {level && (
        <input
          type="range"
          className={classes.level}
          disabled={isOld}
          aria-label={t.levels[level.name]({ name })}
          aria-valuetext={format.percent(along.shown)}
          min={Math.min(level.range.min, along.shown)}
          max={level.range.max}
          step={level.range.step}
          value={along.shown}
          onChange={({ currentTarget }) => along.set(Number(currentTarget.value))}
        />
      )}
      {act && (
        <Link
          href={sheetPath(accessory.id)}
          state={FROM_APP}
          className={classes.more ?? ''}
          aria-label={t.more({ name })}
          title={t.more({ name })}
        >
          <Ellipsis aria-hidden size={20} />
        </Link>
      )}
    </div>
  );
}

/** The level during a drag, and the part of it that is sent. */
function useLevel(level: DeviceLevel | undefined) {
  const [isHeld, setHeld] = useState(false);
  const hand = useRef({ isOn: false, from: 0, at: 0 });
  const value = level?.value ?? 0;
  const send = (next: number) => level && writer.set(...level.writesOf(next));
  const { shown = value, ...draft } = useDraft(value, (next) => {
    if (!(hand.current.isOn && level?.isSentAtEnd)) send(next);
  });
  const handlers = useDragAlong({
    begin() {
      hand.current = { isOn: true, from: shown, at: shown };
      setHeld(true);
      draft.hold();
    },
    move(moved) {
      const next = level ? levelAfter(hand.current.from, moved, level.range) : shown;
      if (next === hand.current.at) return;
      hand.current.at = next;
      draft.change(next);
    },
    end(isTaken) {
      const { from, at } = hand.current;
      hand.current.isOn = false;
      setHeld(false);
      draft.release();
      if (level?.isSentAtEnd && !isTaken && at !== from) send(at);
    },
  });
  return { shown, isHeld, handlers, set: draft.change };
}

interface ApiProps {
  readonly accessory: HomeAccessory;
  readonly state: string;
  readonly warnings: readonly string[];
  readonly isLink: boolean;
}

function Api({ accessory, state, warnings, isLink }: ApiProps) {
  const absence = absenceOf(accessory, useIsPaused());
  const ownIcon = useDeviceIcon(accessory);
  const Icon = absence && absence !== 'paused' ? WifiOff : ownIcon;
  return (
    <>
      <span className={classes.top}>
        <span className={classes.icon}>
          <Icon aria-hidden size={24} strokeWidth={1.75} />
        </span>
        {warnings.length > 0 && (
          <span className={classes.warning} title={warnings.join(', ')}>
            <TriangleAlert aria-hidden size={16} />
          </span>
        )}
        {isLink && <ChevronRight aria-hidden size={18} className={classes.chevron} />}
      </span>
      <span className={classes.words}>
        <span className={classes.name} title={accessory.name}>
          {accessory.name}
        </span>
        <span className={classes.state} title={state}>
          {state}
        </span>
      </span>
    </>
  );
}
