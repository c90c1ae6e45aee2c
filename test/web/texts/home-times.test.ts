import { afterEach, describe, expect, it, vi } from 'vitest';
import { momentText } from '../../../src/web/dashboard/devices/kinds/virtual.ts';
import { createFormat } from '../../../src/web/dashboard/texts/format.ts';
import { momentOf, wallText } from '../../../src/web/dashboard/texts/wall-time.ts';

/** A quarter past midnight on Saturday in Berlin, on Friday afternoon in New York. */
const AT = '2026-01-16T23:15:00Z';
const NOW = Date.parse('2026-01-16T22:30:00Z');

describe('times in the zone of the home', () => {
  it.each([
    ['Europe/Berlin', '00:15', 'tomorrow, 00:15', '17 Jan 2026'],
    ['America/New_York', '18:15', 'today, 18:15', '16 Jan 2026'],
    ['Pacific/Kiritimati', '13:15', 'today, 13:15', '17 Jan 2026'],
  ])('in %s, are %s, %s and on %s', (zone, time, soon, date) => {
    const format = createFormat('en', 'celsius', 'en-GB', zone);
    expect(format.time(AT)).toBe(time);
    expect(format.soon(AT, NOW)).toBe(soon);
    expect(format.date(AT)).toBe(date);
    expect(format.dateTime(AT)).toBe(`${date}, ${time}`);
  });

  it('count days by its calendar, also one of 23 hours', () => {
    const { soon } = createFormat('en', 'celsius', 'en-GB', 'Europe/Berlin');
    const night = Date.parse('2026-03-28T22:59:00Z');
    expect(soon('2026-03-29T21:59:00Z', night)).toBe('tomorrow, 23:59');
    expect(soon('2026-03-29T22:01:00Z', night)).toBe('Mon 30 Mar, 00:01');
  });
});

describe('times of the home', () => {
  afterEach(() => vi.useRealTimers());

  it('that are of its today have no day beside them', () => {
    vi.useFakeTimers({ now: NOW });
    expect(createFormat('en', 'celsius', 'en-GB', 'America/New_York').recent(AT)).toBe('18:15');
    expect(createFormat('en', 'celsius', 'en-GB', 'Europe/Berlin').recent(AT)).toBe('tomorrow, 00:15');
  });

  it('can be shown in another zone, which is named beside them', () => {
    const format = createFormat('en', 'celsius', 'en-GB', 'Pacific/Kiritimati');
    expect(format.dateTime(AT, 'UTC')).toBe('16 Jan 2026, 23:15');
    expect(format.date(AT, 'UTC')).toBe('16 Jan 2026');
    expect(format.time(AT, 'UTC')).toBe('23:15');
  });

  it.each([
    ['2026-01-31', '31 Jan 2026'],
    ['07:30', '07:30'],
    ['2026-01-31T23:59', '31 Jan 2026, 23:59'],
    ['soon', 'soon'],
  ])('of a virtual accessory are shown as they are set: %s', (text, shown) => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', undefined]) {
      expect(momentText(text, createFormat('en', 'celsius', 'en-GB', zone))).toBe(shown);
    }
  });
});

describe('times of a date field', () => {
  it.each([
    ['2026-01-17T00:15', 'Europe/Berlin', '2026-01-16T23:15:00.000Z'],
    ['2026-07-17T00:15', 'Europe/Berlin', '2026-07-16T22:15:00.000Z'],
    ['2026-01-17T13:15', 'Pacific/Kiritimati', '2026-01-16T23:15:00.000Z'],
    ['2026-01-16T18:15:30', 'America/New_York', '2026-01-16T23:15:00.000Z'],
  ])('%s in %s is %s, and back', (wall, zone, iso) => {
    expect(momentOf(wall, zone)).toBe(iso);
    expect(wallText(Date.parse(iso), zone)).toBe(wall.slice(0, 16));
  });

  it.each([
    // Clocks go forward, and back.
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
  ])('%s in %s, as clocks change, is %s', (wall, zone, iso) => {
    expect(momentOf(wall, zone)).toBe(iso);
  });

  it.each(['', 'soon', '10000-01-01T00:00'])('%j is no moment', (wall) => {
    expect(momentOf(wall, 'Europe/Berlin')).toBe('');
  });

  it('without a zone are the device’s own', () => {
    const at = new Date(2026, 5, 1, 12, 30);
    expect(wallText(at.getTime())).toBe('2026-06-01T12:30');
    expect(momentOf('2026-06-01T12:30')).toBe(at.toISOString());
  });
});
