import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOpenAt, parseSchedule } from '../../../src/app/sharing/share-schedule.ts';
import type { AccessSchedule } from '../../../src/contract/shares.ts';

const BERLIN = 'Europe/Berlin';
const at = (text: string): number => Date.parse(text);
const open = (input: unknown, moment: string, zone = BERLIN): boolean =>
  isOpenAt(parseSchedule(input, zone) ?? {}, zone, at(moment));
const windows = (...time_windows: object[]) => ({ time_windows });

describe('a schedule as it is written', () => {
  it('is an object, or a text that is one in JSON', () => {
    const schedule = { starts_at: '2030-01-01', timezone: 'Asia/Tokyo' };
    expect(parseSchedule(schedule, BERLIN)).toEqual(schedule);
    expect(parseSchedule(JSON.stringify(schedule), BERLIN)).toEqual(schedule);
  });

  it.each([null, '', 'null', {}, '{}', { time_windows: [] }, { timezone: BERLIN }])(
    'is none where it restricts nothing: %j',
    (input) => {
      expect(parseSchedule(input, BERLIN)).toBeNull();
    },
  );

  it.each([
    ['an unknown field', { expire_at: '2030-01-01' }, 'accessSchedule.expire_at'],
    ['one in a window', windows({ start: '08:00', end: '09:00', day: 'mon' }), 'accessSchedule.time_windows[0].day'],
    ['no object', [], 'accessSchedule'],
    ['a text that is no JSON', 'weekdays', 'accessSchedule'],
    ['no moment', { starts_at: 'tomorrow' }, 'accessSchedule.starts_at'],
    ['a day that no calendar has', { expires_at: '2030-02-31T00:00:00Z' }, 'accessSchedule.expires_at'],
    ['a number for a moment', { starts_at: 5 }, 'accessSchedule.starts_at'],
    ['an end before the beginning', { starts_at: '2030-02-01', expires_at: '2030-01-01' }, 'accessSchedule.expires_at'],
    ['no time of day', windows({ start: '8:00', end: '24:00' }), 'accessSchedule.time_windows[0].start'],
    ['no end', windows({ start: '08:00' }), 'accessSchedule.time_windows[0].end'],
    [
      'no day of the week',
      windows({ days: ['monday'], start: '08:00', end: '09:00' }),
      'accessSchedule.time_windows[0].days',
    ],
    [
      'a day twice',
      windows({ days: ['mon', 'mon'], start: '08:00', end: '09:00' }),
      'accessSchedule.time_windows[0].days',
    ],
    ['a list of no days', windows({ days: [], start: '08:00', end: '09:00' }), 'accessSchedule.time_windows[0].days'],
    [
      'windows without number',
      windows(...Array.from({ length: 51 }, () => ({ start: '08:00', end: '09:00' }))),
      'accessSchedule.time_windows',
    ],
    ['no zone', { starts_at: '2030-01-01', timezone: 'Mars/Olympus' }, 'accessSchedule.timezone'],
    ['an offset for a zone', { starts_at: '2030-01-01', timezone: '+02:00' }, 'accessSchedule.timezone'],
  ])('is refused, and the field named: %s', (_, input, field) => {
    expect(() => parseSchedule(input, BERLIN)).toThrow(
      expect.objectContaining({ code: 'invalid_value', details: { field } }),
    );
  });
});

describe('when it is open', () => {
  it('begins with starts_at and ends with the moment before expires_at', () => {
    const schedule = { starts_at: '2030-01-01T10:00:00Z', expires_at: '2030-01-01T12:00:00Z' };
    expect(open(schedule, '2030-01-01T09:59:59.999Z')).toBe(false);
    expect(open(schedule, '2030-01-01T10:00:00Z')).toBe(true);
    expect(open(schedule, '2030-01-01T11:59:59.999Z')).toBe(true);
    expect(open(schedule, '2030-01-01T12:00:00Z')).toBe(false);
  });

  it('takes moments without an offset by the clocks of the zone, the home’s where it names none', () => {
    expect(open({ starts_at: '2030-07-01T10:00' }, '2030-07-01T08:00:00Z')).toBe(true);
    expect(open({ starts_at: '2030-07-01T10:00' }, '2030-07-01T07:59:59Z')).toBe(false);
    expect(open({ starts_at: '2030-07-01T10:00', timezone: 'UTC' }, '2030-07-01T08:00:00Z')).toBe(false);
    expect(open({ expires_at: '2030-07-01' }, '2030-06-30T21:59:59Z')).toBe(true);
    expect(open({ expires_at: '2030-07-01' }, '2030-06-30T22:00:00Z')).toBe(false);
  });

  it('is open on the days of a window only, from its start to the minute before its end', () => {
    const weekdays = windows({ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '09:00', end: '17:00' });
    // 2030-01-04 is a Friday.
    expect(open(weekdays, '2030-01-04T07:59:59Z')).toBe(false);
    expect(open(weekdays, '2030-01-04T08:00:00Z')).toBe(true);
    expect(open(weekdays, '2030-01-04T15:59:59Z')).toBe(true);
    expect(open(weekdays, '2030-01-04T16:00:00Z')).toBe(false);
    expect(open(weekdays, '2030-01-05T10:00:00Z')).toBe(false);
  });

  it('crosses midnight where a window ends before it starts: it belongs to the day it began on', () => {
    const friday = windows({ days: ['fri'], start: '22:00', end: '02:00' });
    expect(open(friday, '2030-01-04T20:59:59Z')).toBe(false);
    expect(open(friday, '2030-01-04T21:00:00Z')).toBe(true);
    expect(open(friday, '2030-01-05T00:59:59Z')).toBe(true);
    expect(open(friday, '2030-01-05T01:00:00Z')).toBe(false);
    // Friday's own first hours belong to Thursday's window, which there is none of.
    expect(open(friday, '2030-01-04T00:00:00Z')).toBe(false);
  });

  it('lasts a whole day where it ends as it starts', () => {
    const sunday = windows({ days: ['sun'], start: '00:00', end: '00:00' });
    expect(open(sunday, '2030-01-05T22:59:59Z')).toBe(false);
    expect(open(sunday, '2030-01-05T23:00:00Z')).toBe(true);
    expect(open(sunday, '2030-01-06T22:59:59Z')).toBe(true);
    expect(open(sunday, '2030-01-06T23:00:00Z')).toBe(false);
  });

  it('is open in both of an hour that is shown twice, and in nothing of one that is left out', () => {
    const night = windows({ start: '02:00', end: '03:00' });
    // 2030-10-27: at 01:00 UTC Berlin's clocks go back from 03:00 to 02:00.
    expect(open(night, '2030-10-27T00:30:00Z')).toBe(true);
    expect(open(night, '2030-10-27T01:30:00Z')).toBe(true);
    expect(open(night, '2030-10-27T02:00:00Z')).toBe(false);
    // 2030-03-31: at 01:00 UTC they go from 02:00 to 03:00.
    expect(open(night, '2030-03-31T00:59:59Z')).toBe(false);
    expect(open(night, '2030-03-31T01:00:00Z')).toBe(false);
  });
});

/** What Intl shows as local time: another way to the same answer than the program's. */
function shown(zone: string, moment: number): { day: string; before: string; minute: number } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
  const day = String(parts.weekday).toLowerCase();
  const before = days[(days.indexOf(day) + 6) % 7] ?? '';
  return { day, before, minute: Number(parts.hour) * 60 + Number(parts.minute) };
}

/** Every window written out as the minutes of the days that it covers. */
function isOpenByHand({ time_windows = [], timezone = BERLIN }: AccessSchedule, moment: number): boolean {
  const { day, before, minute } = shown(timezone, moment);
  return time_windows.some(({ days, start, end }) => {
    const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
    const covers = (begun: string, offset: number): boolean => {
      if (days && !(days as readonly string[]).includes(begun)) return false;
      const length = (minutes(end) - minutes(start) + 1440) % 1440 || 1440;
      const since = offset + minute - minutes(start);
      return since >= 0 && since < length;
    };
    return covers(day, 0) || covers(before, 1440);
  });
}

describe('windows against a count by hand', () => {
  const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map(([hour, minute]) => {
    return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  });
  const days = fc.option(fc.subarray(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], { minLength: 1 }), {
    nil: undefined,
  });
  const window = fc.record({ days, start: clock, end: clock });
  // Half an hour of summer time (Lord Howe), a day that was left out (Apia, 2011), quarter-hour offsets (Chatham).
  const zone = fc.constantFrom(
    'UTC',
    BERLIN,
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Pacific/Chatham',
  );
  const moment = fc.oneof(
    fc.integer({ min: at('2010-01-01'), max: at('2035-01-01') }),
    fc.integer({ min: at('2030-03-31T00:00:00Z'), max: at('2030-03-31T04:00:00Z') }),
    fc.integer({ min: at('2030-10-26T22:00:00Z'), max: at('2030-10-27T04:00:00Z') }),
    fc.integer({ min: at('2011-12-29T00:00:00Z'), max: at('2011-12-31T23:00:00Z') }),
  );

  it('agree, in any zone and at every change of clocks', () => {
    fc.assert(
      fc.property(fc.array(window, { minLength: 1, maxLength: 4 }), zone, moment, (list, timezone, when) => {
        const input = JSON.parse(JSON.stringify({ time_windows: list, timezone }));
        const schedule = parseSchedule(input, 'UTC') ?? {};
        // A day that was left out altogether begins no window and ends none: only there the two may differ.
        fc.pre(!(timezone === 'Pacific/Apia' && when > at('2011-12-29') && when < at('2012-01-01')));
        return isOpenAt(schedule, 'UTC', when) === isOpenByHand(schedule, when);
      }),
      { numRuns: 2_000 },
    );
  });
});
