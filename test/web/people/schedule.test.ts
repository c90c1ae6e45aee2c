/**
 * When a share is open, as the dashboard reads, judges, writes and describes it; the relay's own judgement is the
 * measure.
 */
import texts from 'texts:shares';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { isOpenAt, parseSchedule as parseOfRelay } from '../../../src/app/sharing/share-schedule.ts';
import {
  alwaysOpen,
  DAYS,
  type Day,
  opennessAt,
  parseSchedule,
  problemOf,
  runsOfDays,
  type ShareSchedule,
  scheduleJson,
  untilUsualEnd,
  usualEndsAt,
} from '../../../src/web/dashboard/pages/shares/schedule.ts';
import { scheduleText } from '../../../src/web/dashboard/pages/shares/schedule-words.ts';
import { createFormat } from '../../../src/web/dashboard/texts/format.ts';

const en = texts.in('en');
const de = texts.in('de');

// Texts ask the browser for its languages as soon as they are loaded.
vi.hoisted(() => vi.stubGlobal('navigator', { languages: ['en-GB'] }));
afterAll(() => {
  vi.unstubAllGlobals();
});

const BERLIN = 'Europe/Berlin';
const WORKDAYS: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri'];
const OFFICE = { days: WORKDAYS, start: '08:00', end: '18:00' };
const NIGHT = { days: ['sat'] as const, start: '22:00', end: '06:00' };

const schedule = (more: Partial<ShareSchedule>): ShareSchedule => ({ ...alwaysOpen(BERLIN), ...more });

describe('a schedule', () => {
  it.each([
    ['nothing', schedule({})],
    ['windows', schedule({ windows: [OFFICE, NIGHT] })],
    ['a span', schedule({ startsAt: '2026-11-20T08:00', expiresAt: '2026-11-23T20:00' })],
    ['all day', schedule({ windows: [{ days: DAYS, start: '00:00', end: '00:00' }] })],
    ['both', schedule({ expiresAt: '2026-11-24T12:00', windows: [OFFICE] })],
  ])('is open when the relay reports it: %s', (_, given) => {
    const body = scheduleJson(given);
    const ofRelay = parseOfRelay(body, BERLIN);
    // Thursday to Monday, hour by hour.
    const hours = Array.from({ length: 24 * 5 }, (__, hour) => Date.UTC(2026, 10, 19) + hour * 3_600_000);
    const openOf = (isOpen: (at: number) => boolean) => hours.filter(isOpen).map((at) => new Date(at).toISOString());
    expect(openOf((at) => opennessAt(given, at) === 'open')).toEqual(
      openOf((at) => ofRelay === null || isOpenAt(ofRelay, BERLIN, at)),
    );
  });

  it('comes back as it was written', () => {
    const given = schedule({ startsAt: '2026-11-20T08:00', windows: [OFFICE, NIGHT] });
    expect(parseSchedule(scheduleJson(given), 'UTC')).toEqual(given);
    expect(scheduleJson(alwaysOpen(BERLIN))).toBe('');
  });

  it('shows a moment with an offset by the clocks of its zone, and a bare date as its beginning', () => {
    const text = JSON.stringify({ starts_at: '2026-07-01', expires_at: '2026-07-02T10:00:00Z' });
    expect(parseSchedule(text, BERLIN)).toMatchObject({ startsAt: '2026-07-01T00:00', expiresAt: '2026-07-02T12:00' });
  });

  it.each(['{', '[]', '"x"', '{"time_windows":[null,{"start":1}],"starts_at":"soon Z","timezone":5}'])(
    'is read without a complaint from %s',
    (text) => {
      expect(parseSchedule(text, BERLIN).windows).toEqual([]);
      expect(opennessAt(parseSchedule('{"timezone":"Nowhere/At All"}', BERLIN), 0)).toBe('open');
    },
  );

  it('distinguishes what was not yet, what is closed and what is over', () => {
    const at = Date.parse('2026-11-22T12:00:00Z');
    expect(opennessAt(schedule({ startsAt: '2026-11-23T00:00' }), at)).toBe('later');
    expect(opennessAt(schedule({ windows: [OFFICE] }), at)).toBe('closed');
    expect(opennessAt(schedule({ expiresAt: '2026-11-22T13:00' }), at)).toBe('over');
  });

  it('is not sent while it can’t be meant', () => {
    expect(problemOf(schedule({ startsAt: '2026-02-01T00:00', expiresAt: '2026-01-01T00:00' }))).toBe('order');
    expect(problemOf(schedule({ windows: [{ ...OFFICE, days: [] }] }))).toBe('days');
    expect(problemOf(schedule({ windows: [{ ...OFFICE, end: '' }] }))).toBe('times');
    expect(problemOf(schedule({ windows: [OFFICE] }))).toBeUndefined();
  });

  it('is described in words', () => {
    const format = createFormat('en', 'celsius', 'en-GB');
    const all = schedule({ windows: [OFFICE, NIGHT], expiresAt: '2027-01-31T18:00' });
    expect(scheduleText(all, en.schedule, format)).toBe(
      'Open Mon–Fri 08:00–18:00; Sat 22:00–06:00 the next day, until 31 Jan 2027, 18:00',
    );
    expect(scheduleText(alwaysOpen(BERLIN), en.schedule, format)).toBe('Always');
    const deutsch = createFormat('de', 'celsius', 'de-DE');
    const daily = schedule({ windows: [{ days: DAYS, start: '07:00', end: '07:00' }] });
    expect(scheduleText(daily, de.schedule, deutsch)).toBe('Offen täglich ganztags');
  });

  it('names days as runs of adjacent ones', () => {
    expect(runsOfDays(['sun', 'mon', 'tue', 'fri'])).toEqual([
      ['mon', 'tue'],
      ['fri', 'fri'],
      ['sun', 'sun'],
    ]);
  });
});

describe('a usual end', () => {
  // Thursday, 21:30 in Berlin; Sunday there, still Saturday in UTC.
  const THURSDAY = Date.UTC(2026, 10, 26, 20, 30);
  const SUNDAY = Date.UTC(2026, 10, 28, 23, 30);

  it.each([
    ['today', THURSDAY, '2026-11-27T00:00'],
    ['weekend', THURSDAY, '2026-11-30T00:00'],
    ['week', THURSDAY, '2026-12-03T21:30'],
    ['weekend', SUNDAY, '2026-11-30T00:00'],
  ] as const)('%s ends by the clock of the home', (end, at, expiresAt) => {
    expect(untilUsualEnd(end, BERLIN, at)).toEqual({ ...alwaysOpen(BERLIN), expiresAt });
  });

  it('is offered once: on Sundays, tonight is Sunday night', () => {
    expect(usualEndsAt(BERLIN, THURSDAY)).toEqual(['today', 'weekend', 'week']);
    expect(usualEndsAt(BERLIN, SUNDAY)).toEqual(['weekend', 'week']);
  });
});
