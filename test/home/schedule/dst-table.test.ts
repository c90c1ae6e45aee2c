/** Every zone of the runtime × every change of its clocks in 2026–2036 × ten patterns: each slot comes exactly once. */
import { Temporal } from 'temporal-polyfill';
import { beforeAll, describe, expect, it } from 'vitest';
import { nextCalendar } from '../../../src/home/schedule/next-calendar.ts';
import { nextPattern } from '../../../src/home/schedule/next-pattern.ts';
import { nextTime } from '../../../src/home/schedule/next-time.ts';
import { nextTimer } from '../../../src/home/schedule/next-timer.ts';
import { expectedMoments, offsets, type WallMinute, walk } from './wall-walk.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FROM = Date.UTC(2026, 0, 1);
const UNTIL = Date.UTC(2037, 0, 1);
/** What is looked at on both sides of a change. */
const AROUND_MS = 13 * HOUR_MS;

const ZONES = Intl.supportedValuesOf('timeZone');

interface Pattern {
  readonly name: string;
  next(zone: string, after: number, change: Change): number | null;
  isDue(minute: WallMinute): boolean;
}

const PATTERNS: readonly Pattern[] = [
  {
    name: 'daily at 02:30, which most gaps leave out',
    next: (zone, after) => nextTime({ at: '02:30' }, zone, after),
    isDue: ({ hour, minute }) => hour === 2 && minute === 30,
  },
  {
    name: 'daily at midnight, where some clocks change',
    next: (zone, after) => nextTime({ at: '00:00:00' }, zone, after),
    isDue: ({ hour, minute }) => hour === 0 && minute === 0,
  },
  {
    name: 'daily at 03:00, where most gaps end',
    next: (zone, after) => nextTime({ at: '03:00' }, zone, after),
    isDue: ({ hour, minute }) => hour === 3 && minute === 0,
  },
  {
    name: 'Saturdays and Sundays at 23:45',
    next: (zone, after) => nextTime({ at: '23:45', weekdays: [0, 6] }, zone, after),
    isDue: ({ hour, minute, weekday }) => hour === 23 && minute === 45 && (weekday === 0 || weekday === 6),
  },
  {
    name: 'every fifteen minutes',
    next: (zone, after) => nextPattern({ minutes: '/15' }, zone, after),
    isDue: ({ minute }) => minute % 15 === 0,
  },
  {
    name: 'every second hour',
    next: (zone, after) => nextPattern({ hours: '/2' }, zone, after),
    isDue: ({ hour, minute }) => hour % 2 === 0 && minute === 0,
  },
  {
    name: 'every ten minutes from one to two',
    next: (zone, after) => nextPattern({ hours: '1', minutes: '/10' }, zone, after),
    isDue: ({ hour, minute }) => hour === 1 && minute % 10 === 0,
  },
  {
    name: 'at half past any hour, as a calendar says it',
    next: (zone, after) => nextCalendar({ minute: 30 }, zone, after),
    isDue: ({ minute }) => minute === 30,
  },
  {
    name: 'Sundays at 01:45, as a calendar says it',
    next: (zone, after) => nextCalendar({ weekday: 1, hour: 1, minute: 45 }, zone, after),
    isDue: ({ hour, minute, weekday }) => hour === 1 && minute === 45 && weekday === 0,
  },
  {
    name: 'each day at the time of a first day',
    next: (zone, after, { firstDay }) => nextTimer({ fireDate: firstDay, recurrence: { day: 1 } }, zone, after),
    isDue: ({ hour, minute }) => hour === 2 && minute === 15,
  },
];

/** One change of a zone's clocks. */
interface Change {
  readonly zone: string;
  readonly at: number;
  /** By how much its clocks are ahead of UTC, before and after it. */
  readonly before: number;
  readonly after: number;
  /** A quarter past two, a week before. */
  readonly firstDay: string;
}

const MINUTE = (ms: number): number => ms / 60_000;
/** Changes at the same moment, from the same and to the same offset, look the same on the wall. */
const keyOf = ({ at, before, after }: Change): string => `${at}/${MINUTE(before)}/${MINUTE(after)}`;

function changesOf(zone: string): readonly Change[] {
  const changes: Change[] = [];
  let time = Temporal.Instant.fromEpochMilliseconds(FROM).toZonedDateTimeISO(zone);
  for (;;) {
    const next = time.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds >= UNTIL) return changes;
    const before = next.subtract({ nanoseconds: 1 }).offsetNanoseconds / 1e6;
    const at = next.epochMilliseconds;
    const day = Math.floor((at + before) / DAY_MS) - 7;
    const firstDay = new Date(day * DAY_MS + 2 * HOUR_MS + 15 * 60_000 - before).toISOString();
    changes.push({ zone, at, before, after: next.offsetNanoseconds / 1e6, firstDay });
    time = next;
  }
}

function planned(pattern: Pattern, change: Change, from: number, until: number): readonly number[] {
  const moments: number[] = [];
  for (let at = pattern.next(change.zone, from - 1, change); at !== null && at < until; ) {
    moments.push(at);
    at = pattern.next(change.zone, at, change);
  }
  return moments;
}

describe('each slot comes exactly once in every zone', () => {
  let changes: ReadonlyMap<string, readonly Change[]>;

  beforeAll(() => {
    changes = new Map(ZONES.map((zone) => [zone, changesOf(zone)]));
  });

  it('and the table has every zone, with every change that Intl knows of', () => {
    expect(ZONES.length).toBeGreaterThan(400);
    expect(changes.size).toBe(ZONES.length);
    for (const [zone, list] of changes) {
      const offsetAt = offsets(zone);
      let index = 0;
      let offset = list[0]?.before ?? offsetAt(FROM);
      // No two changes are closer than this (Ramadan in Morocco is the shortest time between two).
      for (let at = FROM; at < UNTIL; at += 10 * DAY_MS) {
        for (; (list[index]?.at ?? UNTIL) <= at; index++) offset = list[index]?.after ?? offset;
        if (offsetAt(at) !== offset)
          expect.fail(`${zone} is not in the table as Intl has it at ${new Date(at).toISOString()}`);
      }
    }
    const twice = [...changes.values()].filter((list) => list.length >= 22);
    expect(twice.length).toBeGreaterThan(100);
  });

  it.each(PATTERNS)('$name', (pattern) => {
    let checked = 0;
    for (const change of [...changes.values()].flat()) {
      const from = change.at - AROUND_MS;
      const until = change.at + AROUND_MS;
      const got = planned(pattern, change, from, until);
      const want = expected(pattern, change, from, until);
      checked++;
      if (got.length === want.length && got.every((moment, index) => moment === want[index])) continue;
      const iso = (moments: readonly number[]) => moments.map((moment) => new Date(moment).toISOString());
      expect(iso(got), `${change.zone} at ${new Date(change.at).toISOString()}`).toEqual(iso(want));
    }
    expect(checked).toBeGreaterThan(2_000);
  });

  it.each(PATTERNS)('$name: from every moment it is planned', (pattern) => {
    const seen = new Set<string>();
    for (const change of [...changes.values()].flat()) {
      if (seen.has(keyOf(change))) continue;
      seen.add(keyOf(change));
      const want = expected(pattern, change, change.at - AROUND_MS, change.at + AROUND_MS);
      for (const minutes of [-90, -61, -60, -31, -30, -15, -1, 0, 1, 14, 15, 29, 30, 45, 59, 60, 61, 90]) {
        for (const after of [change.at + minutes * 60_000 - 1, change.at + minutes * 60_000]) {
          const next = want.find((moment) => moment > after);
          // Beyond the table: it comes later than what the table has.
          if (next === undefined) continue;
          const got = pattern.next(change.zone, after, change);
          if (got !== next) expect.fail(`${change.zone} after ${new Date(after).toISOString()}: ${got} is not ${next}`);
        }
      }
    }
    expect(seen.size).toBeGreaterThan(200);
  });

  const walks = new Map<string, ReturnType<typeof walk>>();
  const tables = new Map<string, readonly number[]>();

  /** Walked once for all zones whose clocks change alike. */
  function expected(pattern: Pattern, change: Change, from: number, until: number): readonly number[] {
    const key = keyOf(change);
    const known = tables.get(`${pattern.name} ${key}`);
    if (known) return known;
    let minutes = walks.get(key);
    if (!minutes) {
      minutes = walk(change.zone, from, until);
      walks.set(key, minutes);
    }
    const moments = expectedMoments(minutes, pattern.isDue);
    tables.set(`${pattern.name} ${key}`, moments);
    return moments;
  }
});

describe('around a change by the second', () => {
  const at = (text: string): number => Date.parse(text);
  const iso = (moment: number | null): string | null => (moment === null ? null : new Date(moment).toISOString());

  it('a gap’s slots come once, together, at the first moment after it', () => {
    // Berlin, 29 March 2026: 02:00 becomes 03:00 at 01:00 UTC.
    const next = (after: string) => iso(nextPattern({ seconds: '/20' }, 'Europe/Berlin', at(after)));
    expect(next('2026-03-29T00:59:40Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(next('2026-03-29T01:00:00Z')).toBe('2026-03-29T01:00:20.000Z');
    expect(iso(nextTime({ at: '02:59:59' }, 'Europe/Berlin', at('2026-03-29T00:00:00Z')))).toBe(
      '2026-03-29T01:00:00.000Z',
    );
    expect(iso(nextTime({ at: '02:59:59' }, 'Europe/Berlin', at('2026-03-29T01:00:00Z')))).toBe(
      '2026-03-30T00:59:59.000Z',
    );
  });

  it('what is shown twice comes the first time only', () => {
    // Berlin, 25 October 2026: 03:00 becomes 02:00 at 01:00 UTC.
    const next = (after: string) => iso(nextPattern({ seconds: '/20' }, 'Europe/Berlin', at(after)));
    expect(next('2026-10-25T00:59:20Z')).toBe('2026-10-25T00:59:40.000Z');
    expect(next('2026-10-25T00:59:40Z')).toBe('2026-10-25T02:00:00.000Z');
    // A wait that begins in the hour that is shown again lasts until its end, too.
    expect(next('2026-10-25T01:30:00Z')).toBe('2026-10-25T02:00:00.000Z');
  });

  it('a day that a zone leaves out altogether comes at the first moment after it', () => {
    // Samoa went over the date line: there was no 30 December 2011.
    expect(
      iso(nextCalendar({ year: 2011, month: 12, day: 30, hour: 9 }, 'Pacific/Apia', at('2011-12-20T00:00:00Z'))),
    ).toBe('2011-12-30T10:00:00.000Z');
  });

  it('a change by half an hour leaves out and repeats half an hour', () => {
    // Lord Howe, 4 October 2026: 02:00 becomes 02:30 at 15:30 UTC of the day before.
    expect(iso(nextTime({ at: '02:10' }, 'Australia/Lord_Howe', at('2026-10-03T12:00:00Z')))).toBe(
      '2026-10-03T15:30:00.000Z',
    );
    expect(iso(nextTime({ at: '02:40' }, 'Australia/Lord_Howe', at('2026-10-03T12:00:00Z')))).toBe(
      '2026-10-03T15:40:00.000Z',
    );
  });
});
