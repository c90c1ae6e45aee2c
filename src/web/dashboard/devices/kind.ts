/**
 * What a kind of device is to the dashboard: its picture, its colour, its one line of state, and what a tap on its tile does. One file a
 * kind in `kinds/`, all listed in `devices.ts`. Kinds are pure: an accessory in, words and writes out. What is on the sheet of an
 * accessory is made of its services (`panels/`).
 */
import type { LucideIcon } from 'lucide-react';
import type { HouseAccessory } from '../house/house-document.ts';
import type { Write } from '../house/write.ts';
import type { Format } from '../texts/format.ts';
import type { TextsLike } from '../texts/texts.ts';
import type { Level } from './level.ts';
import type { en } from './texts/en.ts';

export type DeviceTexts = TextsLike<typeof en>;

/** The surface of a tile: `off` is the quiet one. */
export type Tone = 'off' | 'on' | 'warm' | 'cool' | 'good' | 'note' | 'bad';

export interface Look {
  readonly icon: LucideIcon;
  readonly tone: Tone;
}

/** What is asked before it is done. */
export type QuestionName = keyof (typeof en)['questions'];

/** What a tap on the tile does where that is safe. */
export interface MainAct {
  /** Of something that is switched: whether it is on now. */
  readonly isOn?: boolean;
  readonly question?: QuestionName;
  readonly writes?: readonly Write[];
  /** Of a virtual accessory, instead of writes. */
  readonly operation?: string;
}

export interface DeviceKind {
  look(accessory: HouseAccessory): Look;
  /** Does something, or asks for attention; as its colour says unless given. */
  isActive?(accessory: HouseAccessory): boolean;
  describe(accessory: HouseAccessory, t: DeviceTexts, format: Format): string;
  /** None: a tap opens the sheet. */
  act?(accessory: HouseAccessory): MainAct | undefined;
  /** What a finger along the tile sets. */
  level?(accessory: HouseAccessory): Level | undefined;
}

/** Parts of a line of state; what is not known is left out. */
export function line(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter(Boolean).join(' · ');
}
