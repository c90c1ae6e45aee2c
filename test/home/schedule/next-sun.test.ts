/** Sunrise and sunset against astronomy-engine, which computes them in another way from other tables. */
import { Observer, SearchRiseSet } from 'astronomy-engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextSun, type SunEvent, type SunLocation } from '../../../src/home/schedule/next-sun.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const FROM = Date.UTC(2028, 0, 1);
/** 2028 has 366 days. */
const UNTIL = FROM + 366 * DAY_MS;
const TOLERANCE_MS = 2 * MINUTE_MS;
/** At a pole the sun takes more than a day to cross the horizon, once a year; it is the day that counts. */
const POLAR_TOLERANCE_MS = 30 * MINUTE_MS;

const PLACES: readonly (readonly [name: string, latitude: number, longitude: number])[] = [
  ['the north pole', 90, 0],
  ['70° north', 70, 25],
  ['66° north', 66, 25],
  ['60° north', 60, -149.9],
  ['Berlin', 52.52, 13.405],
  ['45° north', 45, 9.2],
  ['30° north', 30, 31.2],
  ['the equator', 0, 179.9],
  ['30° south', -30, -71],
  ['45° south', -45, 170.5],
  ['52° south', -52, -179.9],
  ['66° south', -66, 110],
  ['70° south', -70, 2],
  ['the south pole', -90, 0],
];

function expected(event: SunEvent, { latitude, longitude }: SunLocation): readonly number[] {
  const observer = new Observer(latitude, longitude, 0);
  const moments: number[] = [];
  for (let from = FROM; ; ) {
    const found = SearchRiseSet(
      'Sun' as Parameters<typeof SearchRiseSet>[0],
      observer,
      event === 'sunrise' ? 1 : -1,
      new Date(from),
      400,
    );
    if (!found || found.date.getTime() >= UNTIL) return moments;
    moments.push(found.date.getTime());
    from = found.date.getTime() + MINUTE_MS;
  }
}

function planned(event: SunEvent, location: SunLocation): readonly number[] {
  const moments: number[] = [];
  for (let at: number | null = FROM - 1; ; ) {
    at = nextSun({ event, offsetMs: 0 }, location, at);
    if (at === null || at >= UNTIL) return moments;
    moments.push(at);
  }
}

describe('on each of 366 days', () => {
  it.each(PLACES)('at %s the sun rises and sets when it does, and on no other day', (_, latitude, longitude) => {
    const location = { latitude, longitude };
    const tolerance = Math.abs(latitude) === 90 ? POLAR_TOLERANCE_MS : TOLERANCE_MS;
    for (const event of ['sunrise', 'sunset'] as const) {
      const want = expected(event, location);
      const got = planned(event, location);
      const dates = (moments: readonly number[]) =>
        moments.map((moment) => new Date(moment).toISOString().slice(0, 10));
      expect(dates(got)).toEqual(dates(want));
      got.forEach((moment, index) => {
        expect(Math.abs(moment - (want[index] ?? 0)), new Date(moment).toISOString()).toBeLessThan(tolerance);
      });
    }
  });

  it('beyond the polar circles there are days without', () => {
    expect(planned('sunrise', { latitude: 70, longitude: 25 }).length).toBeLessThan(260);
    expect(planned('sunset', { latitude: 90, longitude: 0 })).toHaveLength(1);
    expect(planned('sunrise', { latitude: 52.52, longitude: 13.405 })).toHaveLength(366);
  });
});

describe('an offset', () => {
  const berlin = { latitude: 52.52, longitude: 13.405 };

  it('may go over midnight, either way, and each day’s still comes once', () => {
    const sunsets = planned('sunset', berlin);
    for (const offsetMs of [-20 * HOUR_MS, -HOUR_MS, 5 * HOUR_MS, 23 * HOUR_MS, 30 * HOUR_MS]) {
      let after = FROM - 1 + offsetMs;
      for (const sunset of sunsets.slice(0, 40)) {
        const moment = nextSun({ event: 'sunset', offsetMs }, berlin, after);
        expect(moment).toBe(sunset + offsetMs);
        after = moment ?? after;
      }
    }
  });

  it('is so long in time, also on the day on which clocks change', () => {
    // Berlin's clocks are set forward at 01:00 UTC, before the sun rises.
    const after = Date.parse('2026-03-28T23:00:00Z');
    const sunrise = nextSun({ event: 'sunrise', offsetMs: 0 }, berlin, after) ?? 0;
    expect(nextSun({ event: 'sunrise', offsetMs: -5 * HOUR_MS }, berlin, after)).toBe(sunrise - 5 * HOUR_MS);
    expect(sunrise - after).toBeGreaterThan(5 * HOUR_MS);
    expect(sunrise - after).toBeLessThan(6 * HOUR_MS);
  });
});

describe('any place and time', () => {
  const location = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  const trigger = fc.record({
    event: fc.constantFrom<SunEvent>('sunrise', 'sunset'),
    offsetMs: fc.integer({ min: -DAY_MS, max: DAY_MS }),
  });

  it('the next one is later, the same whenever it is asked before it, and never goes back', () => {
    fc.assert(
      fc.property(
        location,
        trigger,
        fc.integer({ min: FROM, max: UNTIL }),
        fc.nat(3 * DAY_MS),
        (place, sun, after, more) => {
          // The later one first, so that neither is answered from what the other one found.
          const later = nextSun(sun, place, after + more);
          const next = nextSun(sun, place, after);
          if (next === null) return;
          expect(next).toBeGreaterThan(after);
          expect(nextSun(sun, place, next - 1)).toBe(next);
          if (after + more < next) expect(later).toBe(next);
          else if (later !== null) expect(later).toBeGreaterThan(next);
        },
      ),
      { numRuns: 300 },
    );
  });
});
