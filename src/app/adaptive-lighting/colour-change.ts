/**
 * Decides whether a colour that a device reports was set by someone. Devices also report what follows from our own
 * writes: the steps of a fade, the rounded temperature, and the hue and saturation of it.
 */
import { CHARACTERISTIC } from '../../hap-spec/characteristics.ts';
import type { CharacteristicValue } from '../../home/model.ts';

/** Our last write to a lamp. */
export interface OwnWrite {
  /** Mireds before it and of it. */
  readonly from: number;
  readonly to: number;
  /** How long ago it settled; 0 while it is under way. */
  readonly ageMs: number;
}

export interface ColourChange {
  readonly type: string;
  readonly value: CharacteristicValue;
  readonly previous: CharacteristicValue;
}

/** Devices round to their own steps. */
const ROUNDED_MIREDS = 6;
/** How long a device may fade to what we wrote. */
const FADE_MS = 10_000;
/** A step after which hue and saturation differ noticeably, and how late polled devices report them. */
const LARGE_STEP_MIREDS = 20;
const REPORTED_LATE_MS = 90_000;
/** Degrees or percent by which hue and saturation change along the curve without anyone setting them. */
const DRIFT = 15;

export const COLOUR_TYPES: ReadonlySet<string> = new Set([
  CHARACTERISTIC.colorTemperature,
  CHARACTERISTIC.hue,
  CHARACTERISTIC.saturation,
]);

export function isSetBySomeone({ type, value, previous }: ColourChange, { from, to, ageMs }: OwnWrite): boolean {
  if (typeof value !== 'number') return false;
  if (type === CHARACTERISTIC.colorTemperature) {
    const [low, high] = ageMs < FADE_MS ? [Math.min(from, to), Math.max(from, to)] : [to, to];
    return value < low - ROUNDED_MIREDS || value > high + ROUNDED_MIREDS;
  }
  if (typeof previous !== 'number') return false;
  if (Math.abs(to - from) > LARGE_STEP_MIREDS && ageMs < REPORTED_LATE_MS) return false;
  const distance = Math.abs(value - previous);
  return (type === CHARACTERISTIC.hue ? Math.min(distance, 360 - distance) : distance) > DRIFT;
}
