/**
 * A device kind in the dashboard: its icon, its colour, its one-line state, and the action of a tap on its tile. Each
 * kind has one file in `kinds/`; `devices.ts` lists them all. Kinds are pure: they take an accessory and return text
 * and writes. The services of an accessory decide the content of its sheet (`panels/`).
 */

import type { Catalogues } from 'texts:types';
import type { LucideIcon } from 'lucide-react';
import type { HomeAccessory } from '../home/home-document.ts';
import type { Write } from '../home/write.ts';
import type { Format } from '../texts/format.ts';
import type { DeviceLevel } from './level.ts';

export type DeviceTexts = Catalogues['devices'];

/** The surface of a tile: `off` is the muted one, `plain` is active without a meaning of its own (open, motion). */
export type TileTone = 'off' | 'on' | 'plain' | 'warm' | 'cool' | 'good' | 'note' | 'bad';

export interface Look {
  readonly icon: LucideIcon;
  readonly tone: TileTone;
}

/** The confirmation before an action. */
export type QuestionName = keyof DeviceTexts['questions'];

/** The action of a tap on the tile, if it is safe. */
export interface MainAct {
  /** For something that can be switched: whether it is on. */
  readonly isOn?: boolean;
  readonly question?: QuestionName;
  readonly writes?: readonly Write[];
  /** For a virtual accessory, instead of writes. */
  readonly operation?: string;
}

export interface DeviceKind {
  look(accessory: HomeAccessory): Look;
  /** The device is doing something, or needs attention; by default the tone decides. */
  isActive?(accessory: HomeAccessory): boolean;
  /** @param isBrief leaves out words that the device's icon and unit replace. */
  describe(accessory: HomeAccessory, t: DeviceTexts, format: Format, isBrief?: boolean): string;
  /** Without it, a tap opens the sheet. */
  act?(accessory: HomeAccessory): MainAct | undefined;
  /** The value that a drag along the tile sets. */
  level?(accessory: HomeAccessory): DeviceLevel | undefined;
}

/** "On"; for a group of which only some are on, "1 of 3 on". */
export function onText({ running }: HomeAccessory, t: DeviceTexts): string {
  return running && running.on > 0 && running.on < running.all ? t.someOn(running) : t.on;
}

/** Joins the parts of a state line; unknown parts are left out. */
export function line(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter(Boolean).join(' · ');
}
