/**
 * The colour temperature of the day, in mireds: cold around noon, warm in the evening and at night. It follows the
 * altitude of the sun while the household is awake. Without a place, the wake and sleep times alone decide.
 *
 * Wake and sleep times become moments of the home's zone before anything is computed from them, so that the curve has
 * no jump when clocks change.
 */
import type { GeoPosition } from '../geo.ts';
import { sunHeightAt } from '../schedule/next-sun.ts';
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS, momentOf, wallAt } from '../schedule/wall-time.ts';

export interface CurveSettings {
  /** Mireds; at least `coldest`. */
  readonly warmest: number;
  readonly coldest: number;
  /** Minutes after midnight, by the wall clock of the home. */
  readonly wakeMinute: number;
  readonly sleepMinute: number;
}

/** Where the curve applies. */
export interface CurvePlace {
  /** IANA name. */
  readonly zone: string;
  /** `null`: a fixed day by the wake and sleep times. */
  readonly location: GeoPosition | null;
}

/** A colour temperature that depends on brightness: dimmer is warmer. */
export interface DayColour {
  /** Mireds at full brightness. */
  readonly mireds: number;
  /** Mireds to add for each percent of brightness below 100. */
  readonly perPercent: number;
}

/** Below this brightness in percent the colour gets no warmer. */
export const MIN_BRIGHTNESS = 10;
export const MAX_BRIGHTNESS = 100;

/** At 10 % brightness 45 mireds warmer, unless the warmest colour is reached before. */
const MIREDS_PER_PERCENT = 0.5;

/** It gets colder in this time after waking, and warmer in this time before sleep. */
const MORNING_MS = 1.5 * HOUR_MS;
const EVENING_MS = 4 * HOUR_MS;

/** From the end of civil twilight to broad daylight, in degrees of altitude. */
const DUSK_DEG = -6;
const DAYLIGHT_DEG = 20;

/** The part of the range that is left after dark while the household is awake. */
const AFTER_DARK = 0.25;

/** The colour at this moment. */
export function colourAt(settings: CurveSettings, place: CurvePlace, atMs: number): DayColour {
  const { warmest, coldest } = settings;
  const daylight = place.location === null ? 1 : AFTER_DARK + (1 - AFTER_DARK) * daylightAt(place.location, atMs);
  const coldness = awakeAt(settings, place.zone, atMs) * daylight;
  const mireds = warmest - (warmest - coldest) * coldness;
  return { mireds, perPercent: Math.min(MIREDS_PER_PERCENT, (warmest - mireds) / (MAX_BRIGHTNESS - MIN_BRIGHTNESS)) };
}

/** Mireds at this brightness in percent. */
export function miredsAt({ mireds, perPercent }: DayColour, brightness: number): number {
  return mireds + perPercent * (MAX_BRIGHTNESS - Math.min(Math.max(brightness, MIN_BRIGHTNESS), MAX_BRIGHTNESS));
}

/** 0 after dark, 1 in broad daylight. */
function daylightAt(location: GeoPosition, atMs: number): number {
  return smooth((sunHeightAt(location, atMs) - DUSK_DEG) / (DAYLIGHT_DEG - DUSK_DEG));
}

/** 0 while the household sleeps, 1 between morning and evening. */
function awakeAt({ wakeMinute, sleepMinute }: CurveSettings, zone: string, atMs: number): number {
  const today = dayOf(wallAt(zone, atMs));
  const nights = sleepMinute > wakeMinute ? 0 : DAY_MS;
  let most = 0;
  // A day that ends after midnight is still the day before.
  for (const day of [today - 1, today, today + 1]) {
    const wakes = momentOf(zone, day * DAY_MS + wakeMinute * MINUTE_MS);
    const sleeps = momentOf(zone, day * DAY_MS + nights + sleepMinute * MINUTE_MS);
    most = Math.max(most, Math.min(smooth((atMs - wakes) / MORNING_MS), smooth((sleeps - atMs) / EVENING_MS)));
  }
  return most;
}

/** From 0 to 1 without a corner at either end. */
function smooth(share: number): number {
  const x = Math.min(Math.max(share, 0), 1);
  return x * x * (3 - 2 * x);
}
