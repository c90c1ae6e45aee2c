import { describe, expect, it } from 'vitest';
import { clockWords } from '../../../src/web/dashboard/shell/kiosk/clock-words.ts';
import { isDimAt, parseDimHours } from '../../../src/web/dashboard/shell/kiosk/dim-hours.ts';
import { kioskQuery } from '../../../src/web/dashboard/shell/kiosk/kiosk.ts';

const NIGHT = { from: 22 * 60, to: 7 * 60 };

describe('a tablet at the wall', () => {
  it.each([
    ['', null, undefined],
    ['?kiosk', null, 'kiosk&dim=22:00-07:00'],
    ['?kiosk&dim=off', null, 'kiosk&dim=off'],
    ['', 'kiosk&dim=off', 'kiosk&dim=off'],
    ['?new=group', 'kiosk&dim=off', 'kiosk&dim=off'],
    ['?kiosk=off', 'kiosk&dim=off', undefined],
  ])('at the address %j, with %j kept, keeps %j', (search, kept, query) => {
    expect(kioskQuery(search, kept)).toBe(query);
  });

  it('shows the time and the day of the home, in the language of the person', () => {
    const at = Date.UTC(2026, 0, 15, 23, 5);
    expect(clockWords(at, 'de', 'Europe/Berlin')).toEqual({ time: '00:05', date: 'Freitag, 16. Januar' });
    expect(clockWords(at, 'en-GB', 'America/New_York')).toEqual({ time: '18:05', date: 'Thursday 15 January' });
    expect(clockWords(at, 'en-US', 'Asia/Tokyo').time).toMatch(/^8:05\sAM$/);
  });

  it.each([
    ['kiosk&dim=22:00-07:00', NIGHT],
    ['kiosk&dim=off', undefined],
    ['kiosk&dim=1:05-23:59', { from: 65, to: 23 * 60 + 59 }],
    ['kiosk&dim=24:00-07:00', NIGHT],
    ['kiosk&dim=22:60-07:00', NIGHT],
    ['kiosk&dim=07:00-07:00', NIGHT],
    ['kiosk&dim=<img>', NIGHT],
    ['kiosk', NIGHT],
  ])('reads %j', (query, dim) => {
    expect(parseDimHours(query)).toEqual(dim);
  });

  it.each([
    ['21:59', false],
    ['22:00', true],
    ['00:00', true],
    ['06:59', true],
    ['07:00', false],
  ])('is dark at night: %s %j', (time, isDark) => {
    expect(isDimAt(NIGHT, time)).toBe(isDark);
    expect(isDimAt({ from: NIGHT.to, to: NIGHT.from }, time)).toBe(!isDark);
  });
});
