/**
 * One accessory or service group in a grid: what it is, how it is, and the act that people mean most often. A tap on the body does that
 * act where it is safe; the corner, and the body of everything else, opens the sheet. Plain elements, drawn again only for its own
 * changes: a home has hundreds.
 */
import { ChevronRight, Ellipsis, TriangleAlert, WifiOff } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import type { HouseAccessory } from '../house/house-document.ts';
import { useAccessory, useRights } from '../house/use-house.ts';
import { useFormat } from '../texts/format.ts';
import { useTexts } from '../texts/texts.ts';
import classes from './accessory-tile.module.css';
import { FROM_APP } from './came-from.ts';
import { absenceOf, describeState, deviceIcon, deviceTone, mainActOf, warningsOf } from './devices.ts';
import { performAct } from './perform.ts';
import { deviceTexts } from './texts/texts.ts';

/** Where the sheet of an accessory is. */
export function sheetPath(id: string): string {
  return `/accessories/${encodeURIComponent(id)}`;
}

export const AccessoryTile = memo(function AccessoryTile({ id }: { readonly id: string }) {
  const accessory = useAccessory(id);
  return accessory ? <Tile accessory={accessory} /> : null;
});

function Tile({ accessory }: { readonly accessory: HouseAccessory }) {
  const t = useTexts(deviceTexts);
  const format = useFormat();
  const { canControl } = useRights();
  const { name } = accessory;
  const state = describeState(accessory, t, format);
  const warnings = warningsOf(accessory).map((warning) => t.warnings[warning]);
  const act = canControl ? mainActOf(accessory) : undefined;
  const label = [name, ...state.split(' · '), ...warnings].join(', ');
  const face = <Face accessory={accessory} state={state} warnings={warnings} isLink={!act} />;
  return (
    <div
      className={classes.tile}
      data-tone={deviceTone(accessory)}
      data-absent={absenceOf(accessory)}
      data-pending={accessory.isPending}
    >
      {act ? (
        <button
          type="button"
          className={classes.body}
          aria-label={label}
          aria-pressed={act.isOn}
          onClick={() => void performAct(accessory, act)}
        >
          {face}
        </button>
      ) : (
        <Link href={sheetPath(accessory.id)} state={FROM_APP} className={classes.body ?? ''} aria-label={label}>
          {face}
        </Link>
      )}
      {act && (
        <Link
          href={sheetPath(accessory.id)}
          state={FROM_APP}
          className={classes.more ?? ''}
          aria-label={t.more(name)}
          title={t.more(name)}
        >
          <Ellipsis aria-hidden size={20} />
        </Link>
      )}
    </div>
  );
}

interface FaceProps {
  readonly accessory: HouseAccessory;
  readonly state: string;
  readonly warnings: readonly string[];
  readonly isLink: boolean;
}

function Face({ accessory, state, warnings, isLink }: FaceProps) {
  const Icon = absenceOf(accessory) ? WifiOff : deviceIcon(accessory);
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
