import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CurvePlace, type CurveSettings, colourAt, miredsAt } from '../../../src/home/adaptive-lighting/curve.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SETTINGS: CurveSettings = { warmest: 400, coldest: 180, wakeMinute: 7 * 60, sleepMinute: 22 * 60 + 30 };
const BERLIN: CurvePlace = { zone: 'Europe/Berlin', location: { latitude: 52.52, longitude: 13.405 } };
const NOWHERE: CurvePlace = { zone: 'Europe/Berlin', location: null };
const SVALBARD: CurvePlace = { zone: 'Arctic/Longyearbyen', location: { latitude: 78.22, longitude: 15.65 } };

const at = (iso: string): number => Date.parse(iso);
const colour = (iso: string, place = BERLIN, brightness = 100): number =>
  miredsAt(colourAt(SETTINGS, place, at(iso)), brightness);

const minute = fc.integer({ min: 0, max: 1439 });
const settings = fc
  .record({
    coldest: fc.integer({ min: 50, max: 400 }),
    range: fc.integer({ min: 0, max: 600 }),
    wake: minute,
    sleep: minute,
  })
  .map(
    ({ coldest, range, wake, sleep }): CurveSettings => ({
      coldest,
      warmest: coldest + range,
      wakeMinute: wake,
      sleepMinute: sleep,
    }),
  );
const zone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'UTC',
);
const location = fc.option(
  fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
);
const place = fc.record({ zone, location });
const moment = fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2031-01-01T00:00:00Z') });

describe('the colour temperature of the day', () => {
  it('is cold at noon, warmer in the evening and warmest at night', () => {
    const noon = colour('2026-06-21T11:00:00Z');
    const evening = colour('2026-06-21T18:30:00Z');
    const night = colour('2026-06-21T22:30:00Z');
    expect(noon).toBe(SETTINGS.coldest);
    expect(evening).toBeGreaterThan(noon + 50);
    expect(night).toBe(SETTINGS.warmest);
  });

  it('follows the sun: a winter afternoon is warmer than one in summer', () => {
    expect(colour('2026-12-21T15:30:00Z')).toBeGreaterThan(colour('2026-06-21T14:30:00Z') + 80);
  });

  it('is warmer where the lamp is dimmer, but never warmer than the warmest', () => {
    expect(colour('2026-06-21T11:00:00Z', BERLIN, 10)).toBe(SETTINGS.coldest + 45);
    expect(colour('2026-06-21T11:00:00Z', BERLIN, 1)).toBe(SETTINGS.coldest + 45);
    expect(colour('2026-06-21T11:00:00Z', BERLIN, 100)).toBe(SETTINGS.coldest);
    expect(colour('2026-06-21T22:30:00Z', BERLIN, 10)).toBe(SETTINGS.warmest);
  });

  it('without a place follows the wake and sleep times alone, in summer as in winter', () => {
    for (const date of ['2026-06-21', '2026-12-21']) {
      expect(colour(`${date}T12:00:00Z`, NOWHERE)).toBe(SETTINGS.coldest);
      expect(colour(`${date}T02:00:00Z`, NOWHERE)).toBe(SETTINGS.warmest);
    }
  });

  it('goes by the wall clock of the zone on both sides of a clock change', () => {
    // Clocks went forward on 2026-03-29: the same wall time is one hour earlier in UTC.
    expect(colour('2026-03-28T06:30:00Z', NOWHERE)).toBe(colour('2026-03-29T05:30:00Z', NOWHERE));
    expect(colour('2026-10-24T18:00:00Z', NOWHERE)).toBe(colour('2026-10-25T19:00:00Z', NOWHERE));
  });

  it('in polar night stays warm, in polar day is warm at night only', () => {
    for (let hour = 0; hour < 24; hour++) {
      const time = `${String(hour).padStart(2, '0')}:00:00Z`;
      expect(colour(`2026-12-21T${time}`, SVALBARD)).toBeGreaterThanOrEqual(345);
    }
    expect(colour('2026-06-21T11:00:00Z', SVALBARD)).toBe(SETTINGS.coldest);
    expect(colour('2026-06-21T23:00:00Z', SVALBARD)).toBe(SETTINGS.warmest);
  });

  it('lets a household sleep after midnight', () => {
    const late = { ...SETTINGS, wakeMinute: 10 * 60, sleepMinute: 2 * 60 };
    const shown = (iso: string): number => colourAt(late, NOWHERE, at(iso)).mireds;
    expect(shown('2026-06-21T22:30:00Z')).toBeLessThan(SETTINGS.warmest);
    expect(shown('2026-06-22T00:00:00Z')).toBe(SETTINGS.warmest);
    expect(shown('2026-06-22T12:00:00Z')).toBe(SETTINGS.coldest);
  });

  it('is within the bounds at any moment, place, setting and brightness', () => {
    fc.assert(
      fc.property(settings, place, moment, fc.integer({ min: -5, max: 150 }), (given, where, when, brightness) => {
        const shown = miredsAt(colourAt(given, where, when), brightness);
        expect(shown).toBeGreaterThanOrEqual(given.coldest - 1e-6);
        expect(shown).toBeLessThanOrEqual(given.warmest + 1e-6);
      }),
    );
  });

  it('is continuous: a minute changes it by less than 5 % of the range', () => {
    fc.assert(
      fc.property(settings, place, moment, (given, where, when) => {
        const before = colourAt(given, where, when).mireds;
        const after = colourAt(given, where, when + MINUTE_MS).mireds;
        expect(Math.abs(after - before)).toBeLessThanOrEqual(0.05 * (given.warmest - given.coldest) + 1e-6);
      }),
    );
  });

  it.each([
    ['Berlin', BERLIN],
    ['Svalbard', SVALBARD],
    ['a home without a place', NOWHERE],
    [
      'Lord Howe, whose clocks change by half an hour',
      { zone: 'Australia/Lord_Howe', location: { latitude: -31.55, longitude: 159.08 } },
    ],
  ])('is continuous through a whole year in %s', (_, where) => {
    let before = colourAt(SETTINGS, where, at('2026-01-01T00:00:00Z')).mireds;
    for (let when = at('2026-01-01T00:05:00Z'); when < at('2027-01-01T00:00:00Z'); when += 5 * MINUTE_MS) {
      const { mireds } = colourAt(SETTINGS, where, when);
      if (Math.abs(mireds - before) > 30) throw new Error(`It jumps at ${new Date(when).toISOString()}`);
      before = mireds;
    }
    expect(before).toBeLessThanOrEqual(SETTINGS.warmest);
  });

  it('is continuous while clocks change, for households that wake or sleep in that hour', () => {
    for (const wakeMinute of [120, 150, 180]) {
      const odd = { ...SETTINGS, wakeMinute, sleepMinute: 60 };
      for (const start of ['2026-03-28T22:00:00Z', '2026-10-24T22:00:00Z']) {
        for (let when = at(start); when < at(start) + 8 * HOUR_MS; when += MINUTE_MS) {
          const step = colourAt(odd, NOWHERE, when + MINUTE_MS).mireds - colourAt(odd, NOWHERE, when).mireds;
          expect(Math.abs(step)).toBeLessThan(5);
        }
      }
    }
  });
});
