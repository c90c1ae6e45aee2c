/** What is due when: times of day, patterns, calendars and timers, and what holds of all of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationMs } from '../../../src/home/schedule/duration.ts';
import { type DateParts, nextCalendar } from '../../../src/home/schedule/next-calendar.ts';
import { nextPattern, parseTimePattern, type TimePattern } from '../../../src/home/schedule/next-pattern.ts';
import { nextTime, parseTimeOfDay } from '../../../src/home/schedule/next-time.ts';
import { nextTimer } from '../../../src/home/schedule/next-timer.ts';
import { isTimeZone, systemTimeZone } from '../../../src/home/schedule/time-zones.ts';
import { atWallClock, DAY_MS, HOUR_MS, momentOf, wallAt, wallClock } from '../../../src/home/schedule/wall-time.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { leastTime } from '../../support/least-time.ts';

const BERLIN = 'Europe/Berlin';
/** A Thursday, 13:00 in Berlin. */
const NOON = Date.parse('2026-01-15T12:00:00Z');

const iso = (moment: number | null): string | null => (moment === null ? null : new Date(moment).toISOString());

/** The first `count` moments. */
function list(next: (after: number) => number | null, count: number, after = NOON): readonly (string | null)[] {
  const moments: (string | null)[] = [];
  for (let at: number | null = after; at !== null && moments.length < count; ) {
    at = next(at);
    moments.push(iso(at));
  }
  return moments;
}

function fault(act: () => unknown): HearthError {
  try {
    act();
  } catch (error) {
    if (error instanceof HearthError) return error;
  }
  throw new Error('It was accepted');
}

describe('a time of day', () => {
  it('comes every day, today if it is still to come', () => {
    const next = (after: number) => nextTime({ at: '13:30' }, BERLIN, after);
    expect(list(next, 2)).toEqual(['2026-01-15T12:30:00.000Z', '2026-01-16T12:30:00.000Z']);
  });

  it('is strictly later: at its very moment the next one is tomorrow’s', () => {
    const next = (after: number) => nextTime({ at: '13:00:00' }, BERLIN, after);
    expect(list(next, 1)).toEqual(['2026-01-16T12:00:00.000Z']);
    expect(list(next, 1, NOON - 1)).toEqual(['2026-01-15T12:00:00.000Z']);
  });

  it('comes on its weekdays alone, 0 being Sunday', () => {
    const next = (after: number) => nextTime({ at: '07:15:30', weekdays: [0, 1] }, BERLIN, after);
    expect(list(next, 3)).toEqual(['2026-01-18T06:15:30.000Z', '2026-01-19T06:15:30.000Z', '2026-01-25T06:15:30.000Z']);
    expect(nextTime({ at: '07:15', weekdays: [] }, BERLIN, NOON)).toBeNull();
  });

  it.each([
    ['07:30', { hour: 7, minute: 30, second: 0 }],
    ['7:30', { hour: 7, minute: 30, second: 0 }],
    ['00:00:00', { hour: 0, minute: 0, second: 0 }],
    ['23:59:59', { hour: 23, minute: 59, second: 59 }],
  ])('%j is one', (text, time) => {
    expect(parseTimeOfDay(text, 'at')).toEqual(time);
  });

  it.each(['24:00', '12:60', '12:00:60', '12', '', ' 12:00', '12:00 pm', '1200', '-1:00', 730, null, undefined])(
    '%j is none',
    (input) => {
      const { code, details, message } = fault(() => parseTimeOfDay(input, 'triggers[1].at'));
      expect(code).toBe('invalid_value');
      expect(details.field).toBe('triggers[1].at');
      expect(message).toMatch(/^triggers\[1\]\.at: .*07:30/);
    },
  );
});

describe('a time pattern', () => {
  const first = (pattern: TimePattern, count = 2) => list((after) => nextPattern(pattern, 'UTC', after), count);

  it.each([
    ['minutes /15', { minutes: '/15' }, ['12:15:00', '12:30:00']],
    ['minutes 5: each hour', { minutes: '5' }, ['12:05:00', '13:05:00']],
    ['minutes *', { minutes: '*' }, ['12:01:00', '12:02:00']],
    ['hours *: on the hour', { hours: '*' }, ['13:00:00', '14:00:00']],
    ['hours /5: those that five divides', { hours: '/5' }, ['15:00:00', '20:00:00']],
    ['seconds 30: each minute', { seconds: '30' }, ['12:00:30', '12:01:30']],
    ['seconds /40: those that forty divides', { seconds: '/40' }, ['12:00:40', '12:01:00']],
    ['hours and seconds: on the first minute', { hours: '14', seconds: '/30' }, ['14:00:00', '14:00:30']],
    ['hours and minutes', { hours: '/6', minutes: '/20' }, ['12:20:00', '12:40:00']],
    ['seconds and any minute', { minutes: '*', seconds: '10' }, ['12:00:10', '12:01:10']],
  ])('%s', (_, pattern, times) => {
    expect(first(pattern)).toEqual(times.map((time) => `2026-01-15T${time}.000Z`));
  });

  it('goes on the next day', () => {
    expect(first({ hours: '3', minutes: '59' })).toEqual(['2026-01-16T03:59:00.000Z', '2026-01-17T03:59:00.000Z']);
  });

  it('is kept as it was written, a number as its text', () => {
    expect(parseTimePattern({ hours: 2, minutes: '/15', seconds: null }, '')).toEqual({ hours: '2', minutes: '/15' });
  });

  it.each([
    [{}, 'trigger', 'hours, minutes or seconds'],
    [{ minutes: '/0' }, 'trigger.minutes', '0 to 59'],
    [{ minutes: '/60' }, 'trigger.minutes', '0 to 59'],
    [{ hours: '24' }, 'trigger.hours', '0 to 23'],
    [{ seconds: '1-5' }, 'trigger.seconds', '"1-5"'],
    [{ seconds: '-1' }, 'trigger.seconds', '"/N"'],
    [{ seconds: 1.5 }, 'trigger.seconds', '"/N"'],
    [{ seconds: ['1'] }, 'trigger.seconds', '"/N"'],
  ])('%j is none', (input, field, words) => {
    const { code, details, message } = fault(() => parseTimePattern(input, 'trigger'));
    expect(code).toBe('invalid_value');
    expect(details.field).toBe(field);
    expect(message).toContain(`${field}: `);
    expect(message).toContain(words);
  });

  it('that was never checked never comes where it reports nothing', () => {
    expect(nextPattern({}, 'UTC', NOON)).toBeNull();
    expect(nextPattern({ minutes: 'soon' }, 'UTC', NOON)).toBeNull();
  });
});

describe('a calendar event', () => {
  const first = (parts: DateParts, count = 2) => list((after) => nextCalendar(parts, 'UTC', after), count);

  it.each<[string, DateParts, (string | null)[]]>([
    ['an hour: each day, sharp', { hour: 7 }, ['2026-01-16T07:00:00.000Z', '2026-01-17T07:00:00.000Z']],
    ['a minute: each hour', { minute: 30 }, ['2026-01-15T12:30:00.000Z', '2026-01-15T13:30:00.000Z']],
    [
      'a weekday, 1 being Sunday: its midnight',
      { weekday: 1 },
      ['2026-01-18T00:00:00.000Z', '2026-01-25T00:00:00.000Z'],
    ],
    [
      'a weekday and a time',
      { weekday: 6, hour: 17, minute: 5 },
      ['2026-01-16T17:05:00.000Z', '2026-01-23T17:05:00.000Z'],
    ],
    ['a day: each month that has it', { day: 31 }, ['2026-01-31T00:00:00.000Z', '2026-03-31T00:00:00.000Z']],
    ['a month: its first moment', { month: 3 }, ['2026-03-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z']],
    [
      'a month and an hour: each of its days',
      { month: 3, hour: 7 },
      ['2026-03-01T07:00:00.000Z', '2026-03-02T07:00:00.000Z'],
    ],
    ['Friday the 13th', { day: 13, weekday: 6 }, ['2026-02-13T00:00:00.000Z', '2026-03-13T00:00:00.000Z']],
    ['a leap day', { month: 2, day: 29 }, ['2028-02-29T00:00:00.000Z', '2032-02-29T00:00:00.000Z']],
    [
      'a date, once',
      { year: 2027, month: 5, day: 1, hour: 8, second: 3 },
      ['2027-05-01T08:00:03.000Z', '2027-05-01T08:01:03.000Z'],
    ],
    ['a year: its first moment, once', { year: 2030 }, ['2030-01-01T00:00:00.000Z', null]],
    ['a year that is past', { year: 2020 }, [null]],
    ['a 31st of April', { month: 4, day: 31 }, [null]],
    ['a 30th of February on a Monday', { month: 2, day: 30, weekday: 2, hour: 1 }, [null]],
    ['no part at all', {}, [null]],
  ])('%s', (_, parts, moments) => {
    expect(first(parts)).toEqual(moments);
  });

  it('that never comes is known as such without a long search', () => {
    const search = (): void => {
      for (let n = 0; n < 20; n++) nextCalendar({ month: 2, day: 31, weekday: 3 }, BERLIN, NOON);
    };
    // A twentieth of it would be a blink; a search day by day would take minutes.
    expect(leastTime(search, 2_000)).toBeLessThan(2_000);
  });
});

describe('a timer', () => {
  const at = '2026-01-31T06:30:00Z';
  const first = (recurrence: DateParts | undefined, count: number, after = NOON) =>
    list((from) => nextTimer({ fireDate: at, recurrence }, BERLIN, from), count, after);

  it('fires at its date, however far away, and then never again', () => {
    expect(first(undefined, 2)).toEqual(['2026-01-31T06:30:00.000Z', null]);
    const farAway = '2032-06-01T00:00:00Z';
    expect(nextTimer({ fireDate: farAway }, BERLIN, NOON)).toBe(Date.parse(farAway));
    expect(nextTimer({ fireDate: 'soon' }, BERLIN, NOON)).toBeNull();
  });

  it('recurs by the wall clock in days and weeks: at half past seven in summer, too', () => {
    expect(first({ day: 1 }, 1, Date.parse('2026-07-01T00:00:00Z'))).toEqual(['2026-07-01T05:30:00.000Z']);
    expect(first({ day: 7 }, 3)).toEqual([
      '2026-01-31T06:30:00.000Z',
      '2026-02-07T06:30:00.000Z',
      '2026-02-14T06:30:00.000Z',
    ]);
  });

  it('recurs each month on its day, or the last one where that is missing', () => {
    expect(first({ month: 1 }, 4)).toEqual([
      '2026-01-31T06:30:00.000Z',
      '2026-02-28T06:30:00.000Z',
      '2026-03-31T05:30:00.000Z',
      '2026-04-30T05:30:00.000Z',
    ]);
    expect(first({ year: 1 }, 2, Date.parse('2027-06-01T00:00:00Z'))).toEqual([
      '2028-01-31T06:30:00.000Z',
      '2029-01-31T06:30:00.000Z',
    ]);
  });

  it('recurs in hours and minutes as they pass, regardless of clock changes', () => {
    const dayOfChange = Date.parse('2026-03-29T00:00:00Z');
    expect(first({ hour: 12 }, 2, dayOfChange)).toEqual(['2026-03-29T06:30:00.000Z', '2026-03-29T18:30:00.000Z']);
    expect(first({ minute: 45 }, 2)).toEqual(['2026-01-31T06:30:00.000Z', '2026-01-31T07:15:00.000Z']);
  });

  it('with a weekday recurs on it, at its own time or the fire date’s', () => {
    expect(first({ weekday: 2 }, 3)).toEqual([
      '2026-01-31T06:30:00.000Z',
      '2026-02-02T06:30:00.000Z',
      '2026-02-09T06:30:00.000Z',
    ]);
    expect(first({ weekday: 2, hour: 9, minute: 5 }, 2)).toEqual([
      '2026-01-31T06:30:00.000Z',
      '2026-02-02T08:05:00.000Z',
    ]);
  });

  it('that recurs after nothing fires once', () => {
    expect(first({}, 2)).toEqual(['2026-01-31T06:30:00.000Z', null]);
    expect(first({ day: 0 }, 2)).toEqual(['2026-01-31T06:30:00.000Z', null]);
  });

  it('that has recurred for decades is planned as fast as ever', () => {
    const minutely = { fireDate: '1990-01-01T00:00:00Z', recurrence: { minute: 1 } };
    expect(iso(nextTimer(minutely, BERLIN, NOON))).toBe('2026-01-15T12:01:00.000Z');
    const monthly = { fireDate: '1990-01-31T00:00:00Z', recurrence: { month: 1 } };
    expect(iso(nextTimer(monthly, 'UTC', NOON))).toBe('2026-01-31T00:00:00.000Z');
  });
});

describe('what a zone’s clocks show', () => {
  it('is described in words of the calendar', () => {
    expect(wallClock('Asia/Kolkata', NOON)).toEqual({
      year: 2026,
      month: 1,
      day: 15,
      hour: 17,
      minute: 30,
      second: 0,
      weekday: 4,
    });
  });

  it('is found on the day that they show', () => {
    const eight = { hour: 8, minute: 0, second: 0 };
    expect(iso(atWallClock('Pacific/Auckland', eight, NOON))).toBe('2026-01-15T19:00:00.000Z');
    expect(iso(atWallClock('Pacific/Honolulu', eight, NOON))).toBe('2026-01-15T18:00:00.000Z');
  });

  it('is asked of IANA zones only', () => {
    for (const zone of ['Europe/Berlin', 'europe/berlin', 'UTC', 'Etc/GMT+5', systemTimeZone()])
      expect(isTimeZone(zone)).toBe(true);
    for (const zone of ['', '+02:00', 'Europe/Atlantis', 'Europe/Berlin ', 'CEST!'])
      expect(isTimeZone(zone)).toBe(false);
  });
});

describe('a duration', () => {
  it('is the sum of its parts, which may be negative', () => {
    expect(durationMs({ hours: 1, minutes: 2, seconds: 3 })).toBe(3_723_000);
    expect(durationMs({ minutes: -90 })).toBe(-5_400_000);
    expect(durationMs({})).toBe(0);
  });
});

describe('for every schedule and zone', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const moments = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2045, 0, 1) });
  const two = (value: number): string => String(value).padStart(2, '0');
  const numbers = (end: number) => fc.nat(end - 1);
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const rule = (end: number) =>
    optional(
      fc.oneof(
        fc.constant('*'),
        numbers(end).map(String),
        fc.integer({ min: 1, max: end - 1 }).map((n) => `/${n}`),
      ),
    );
  const parts: fc.Arbitrary<DateParts> = fc.record({
    month: optional(fc.integer({ min: 1, max: 12 })),
    day: optional(fc.integer({ min: 1, max: 31 })),
    weekday: optional(fc.integer({ min: 1, max: 7 })),
    hour: optional(numbers(24)),
    minute: optional(numbers(60)),
    second: optional(numbers(60)),
  });

  type Plan = (zone: string, after: number) => number | null;
  const plans: fc.Arbitrary<Plan> = fc.oneof(
    fc
      .record({ hour: numbers(24), minute: numbers(60), weekdays: optional(fc.array(numbers(7), { minLength: 1 })) })
      .map(({ hour, minute, weekdays }): Plan => {
        const time = { at: `${two(hour)}:${two(minute)}`, weekdays };
        return (zone, after) => nextTime(time, zone, after);
      }),
    fc.record({ hours: rule(24), minutes: rule(60), seconds: rule(60) }).map(
      (pattern): Plan =>
        (zone, after) =>
          nextPattern(pattern, zone, after),
    ),
    parts.map(
      (given): Plan =>
        (zone, after) =>
          nextCalendar(given, zone, after),
    ),
    fc.record({ fireDate: moments, recurrence: optional(parts) }).map(({ fireDate, recurrence }): Plan => {
      const timer = { fireDate: new Date(fireDate).toISOString(), recurrence };
      return (zone, after) => nextTimer(timer, zone, after);
    }),
  );

  it('the next one is later, and the same whenever it is asked before it', () => {
    fc.assert(
      fc.property(plans, zones, moments, (plan, zone, after) => {
        const next = plan(zone, after);
        if (next === null) return;
        expect(next).toBeGreaterThan(after);
        expect(plan(zone, next - 1)).toBe(next);
        expect(plan(zone, Math.floor((after + next) / 2))).toBe(next);
        expect(plan(zone, after)).toBe(next);
      }),
      { numRuns: 1_500 },
    );
  });

  it('who asks later never gets an earlier one', () => {
    fc.assert(
      fc.property(plans, zones, moments, fc.nat(3 * DAY_MS), (plan, zone, after, more) => {
        const next = plan(zone, after) ?? Number.POSITIVE_INFINITY;
        const later = plan(zone, after + more) ?? Number.POSITIVE_INFINITY;
        expect(later).toBeGreaterThanOrEqual(next);
      }),
      { numRuns: 1_500 },
    );
  });

  it('a wall time and its moment belong together, but for what clocks leave out or show twice', () => {
    fc.assert(
      fc.property(zones, moments, (zone, at) => {
        const shown = wallAt(zone, at);
        const first = momentOf(zone, shown);
        expect(wallAt(zone, first)).toBe(shown);
        expect(first).toBeLessThanOrEqual(at);
        expect(at - first).toBeLessThanOrEqual(3 * HOUR_MS);
      }),
      { numRuns: 1_000 },
    );
  });
});
