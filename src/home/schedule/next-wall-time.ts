/** The common form of every wall-clock schedule: due days, and due seconds of those days. */
import { DAY_MS, dayOf, latestShown, momentOf, SECOND_MS } from './wall-time.ts';

const SECONDS_PER_DAY = DAY_MS / SECOND_MS;

export interface WallPattern {
  /** The first due day from this one on (days since 1970-01-01); `null` if there is none. */
  day(from: number): number | null;
  /** The first due second of such a day from this one on; `null` if there is none on that day. */
  second(from: number): number | null;
}

/** The first time after `after` at which the zone's clocks reach a time of the pattern; `null` if there is none. */
export function nextMoment(pattern: WallPattern, zone: string, after: number): number | null {
  const from = Math.floor(latestShown(zone, Math.floor(after)) / SECOND_MS) + 1;
  const today = dayOf(from * SECOND_MS);
  let day = pattern.day(today);
  if (day === today) {
    const second = pattern.second(from - today * SECONDS_PER_DAY);
    if (second !== null) return momentOf(zone, day * DAY_MS + second * SECOND_MS);
    day = pattern.day(today + 1);
  }
  const second = pattern.second(0);
  if (day === null || second === null) return null;
  return momentOf(zone, day * DAY_MS + second * SECOND_MS);
}

/** The due values of a clock field: one value, or every N. */
export type ClockRule = { readonly exactly: number } | { readonly every: number };
export const ANY: ClockRule = { every: 1 };
export const FIRST: ClockRule = { exactly: 0 };

export interface ClockRules {
  readonly hour: ClockRule;
  readonly minute: ClockRule;
  readonly second: ClockRule;
}

/** The first matching second of a day from this one on; `null` if there is none. */
export function nextSecondOfDay({ hour, minute, second }: ClockRules, from: number): number | null {
  const fromHour = Math.floor(from / 3_600);
  const fromMinute = Math.floor(from / 60) % 60;
  const firstMinute = next(minute, 0, 60);
  const firstSecond = next(second, 0, 60);
  if (firstMinute === null || firstSecond === null) return null;
  let h = next(hour, fromHour, 24);
  if (h === fromHour) {
    let m = next(minute, fromMinute, 60);
    if (m === fromMinute) {
      const s = next(second, from % 60, 60);
      if (s !== null) return h * 3_600 + m * 60 + s;
      m = next(minute, fromMinute + 1, 60);
    }
    if (m !== null) return h * 3_600 + m * 60 + firstSecond;
    h = next(hour, fromHour + 1, 24);
  }
  return h === null ? null : h * 3_600 + firstMinute * 60 + firstSecond;
}

function next(rule: ClockRule, from: number, end: number): number | null {
  const found = 'exactly' in rule ? rule.exactly : Math.ceil(from / rule.every) * rule.every;
  return found >= from && found < end ? found : null;
}
