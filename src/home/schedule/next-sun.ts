/**
 * Sunrise and sunset: the times when the sun's upper limb crosses the horizon. suncalc computes the sun's position and
 * its culmination; this file searches for the crossing between the highest and lowest positions. A formula based on the
 * day's declination is wrong by minutes, or by a whole day where the sun just touches the horizon. A day without a
 * crossing has no event; at the poles these are all days but one of a year.
 */
import { getPosition, getTimes } from 'suncalc';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './wall-time.ts';

export type SunEvent = 'sunrise' | 'sunset';

/** Degrees, north and east positive. */
export interface SunLocation {
  readonly latitude: number;
  readonly longitude: number;
}

export interface SunTrigger {
  readonly event: SunEvent;
  /** Milliseconds after the event; negative before it. */
  readonly offsetMs: number;
}

/** Refraction at the horizon, as in almanacs: 34 minutes of arc. */
const REFRACTION_DEG = 34 / 60;

/** suncalc's refraction below the horizon (Meeus 16.4 at 0°). It is subtracted and replaced by the almanacs' value. */
const SUNCALC_REFRACTION_DEG = 0.483_96;

/** The sun's semidiameter, and its horizontal parallax, both at one astronomical unit. */
const SEMIDIAMETER_DEG = 0.266_56;
const PARALLAX_DEG = 0.002_44;

/** The time in which the earth turns by one degree of longitude. */
const DEGREE_OF_LONGITUDE_MS = DAY_MS / 360;

/** Within this distance of the horizon the exact culmination matters, and this far it can be from noon or midnight. */
const GRAZING_DEG = 0.5;
const TURN_WITHIN_MS = 2 * HOUR_MS;

/** The sun's movement in this time is below the accuracy of this calculation. */
const PRECISION_MS = 250;

/** At the poles it rises once a year. */
const SEARCHED_DAYS = 400;

/**
 * Many automations query the same home at the same time: the last answer for each event and place, and the start of its
 * validity.
 */
const lastAnswers = new Map<string, { readonly from: number; readonly found: number }>();
/** Twice the maximum number of homes of a daemon. */
const KEPT_ANSWERS = 32;

/**
 * The first time after `after` with this offset from a sunrise or sunset; `null` if there is none in a year.
 * Milliseconds.
 */
export function nextSun({ event, offsetMs }: SunTrigger, location: SunLocation, after: number): number | null {
  const from = after - offsetMs + 1;
  const key = `${event} ${location.latitude} ${location.longitude}`;
  const known = lastAnswers.get(key);
  if (known && known.from <= from && from <= known.found) return known.found + offsetMs;
  const found = firstCrossing(event, location, from);
  if (found === null) return null;
  if (lastAnswers.size >= KEPT_ANSWERS) lastAnswers.clear();
  lastAnswers.set(key, { from, found });
  return found + offsetMs;
}

function firstCrossing(event: SunEvent, location: SunLocation, from: number): number | null {
  const until = from + SEARCHED_DAYS * DAY_MS;
  const sign = event === 'sunrise' ? 1 : -1;
  let before = turnAt(location, halfDayOf(location, from) - 2);
  for (let half = halfDayOf(location, from) - 1; before.at < until; half++) {
    const turn = turnAt(location, half);
    if (sign * before.height < 0 && sign * turn.height >= 0) {
      const found = crossing(location, before.at, turn.at);
      if (found >= from) return found;
    }
    before = turn;
  }
  return null;
}

/** Noons are even, midnights odd; the noon of 1970-01-01 is 0. */
function halfDayOf({ longitude }: SunLocation, atMs: number): number {
  return Math.floor((atMs + longitude * DEGREE_OF_LONGITUDE_MS - DAY_MS / 2) / (DAY_MS / 2));
}

interface Turn {
  readonly at: number;
  /** Of the upper limb above the horizon, in degrees. */
  readonly height: number;
}

/** The highest or lowest position of the sun. */
function turnAt(location: SunLocation, half: number): Turn {
  const isHighest = half % 2 === 0;
  const noon = Math.ceil(half / 2) * DAY_MS + DAY_MS / 2 - location.longitude * DEGREE_OF_LONGITUDE_MS;
  const highest = getTimes(new Date(noon), location.latitude, location.longitude).solarNoon.getTime();
  const at = isHighest ? highest : highest - DAY_MS / 2;
  const height = sunHeightAt(location, at);
  if (Math.abs(height) > GRAZING_DEG) return { at, height };
  return exactTurn(location, at, isHighest ? 1 : -1);
}

/**
 * Declination changes during the day, so the culmination is some minutes off noon and midnight. Uses ternary search,
 * because there is only one extremum.
 */
function exactTurn(location: SunLocation, near: number, sign: 1 | -1): Turn {
  let from = near - TURN_WITHIN_MS;
  let until = near + TURN_WITHIN_MS;
  while (until - from > MINUTE_MS / 10) {
    const third = (until - from) / 3;
    if (sign * sunHeightAt(location, from + third) < sign * sunHeightAt(location, until - third)) from += third;
    else until -= third;
  }
  const at = (from + until) / 2;
  return { at, height: sunHeightAt(location, at) };
}

/** @returns whole milliseconds */
function crossing(location: SunLocation, from: number, until: number): number {
  const isUpBefore = sunHeightAt(location, from) >= 0;
  let low = from;
  let high = until;
  while (high - low > PRECISION_MS) {
    const middle = (low + high) / 2;
    if (sunHeightAt(location, middle) >= 0 === isUpBefore) low = middle;
    else high = middle;
  }
  return Math.round((low + high) / 2);
}

/** The apparent altitude of the sun's upper limb above the horizon, in degrees; accurate near the horizon. */
export function sunHeightAt({ latitude, longitude }: SunLocation, atMs: number): number {
  const { altitude } = getPosition(new Date(atMs), latitude, longitude);
  return altitude - SUNCALC_REFRACTION_DEG + REFRACTION_DEG + (SEMIDIAMETER_DEG - PARALLAX_DEG) / distanceAu(atMs);
}

/** The distance of the sun, in astronomical units (Astronomical Almanac, low precision). */
function distanceAu(atMs: number): number {
  const daysSince2000 = atMs / DAY_MS - 10_957.5;
  const anomaly = ((357.528 + 0.985_600_3 * daysSince2000) * Math.PI) / 180;
  return 1.000_14 - 0.016_71 * Math.cos(anomaly) - 0.000_14 * Math.cos(2 * anomaly);
}
