/** The home is in Berlin: UTC+1, from 29 March to 25 October 2026 UTC+2. */
import { describe, expect, it } from 'vitest';
import { createConditionHome } from './condition-home.ts';

const THURSDAY = 4;
const FRIDAY = 5;
const SATURDAY = 6;
const SUNDAY = 0;

const home = createConditionHome();

describe('a time condition', () => {
  it.each([
    [{ after: '08:00' }, '07:59:59', false],
    [{ after: '08:00' }, '08:00:00', true],
    [{ after: '08:00' }, '23:59:59', true],
    [{ before: '08:00' }, '07:59:59', true],
    [{ before: '08:00' }, '08:00:00', false],
    [{ after: '08:00', before: '10:00' }, '09:00:00', true],
    [{ after: '08:00', before: '10:00' }, '10:00:00', false],
    [{ after: '22:00', before: '06:00' }, '23:00:00', true],
    [{ after: '22:00', before: '06:00' }, '00:00:00', true],
    [{ after: '22:00', before: '06:00' }, '05:59:59', true],
    [{ after: '22:00', before: '06:00' }, '06:00:00', false],
    [{ after: '22:00', before: '06:00' }, '12:00:00', false],
    [{ after: '08:00', before: '08:00' }, '03:00:00', true],
    [{ after: '08:00:30', before: '08:00:40' }, '08:00:35', true],
    [{ after: '08:00:30', before: '08:00:40' }, '08:00:29', false],
    [{}, '12:00:00', true],
  ] as const)('%o at %s: %s', (bounds, at, passed) => {
    expect(home.holds({ type: 'time', ...bounds }, `2026-01-15T${at}+01:00`)).toBe(passed);
  });

  it('counts weekdays by the clock of the home, 0 = Sunday', () => {
    const onThursday = { type: 'time', weekdays: [THURSDAY] } as const;
    expect(home.holds(onThursday, '2026-01-14T23:30:00Z')).toBe(true);
    expect(home.holds(onThursday, '2026-01-14T22:30:00Z')).toBe(false);
    expect(home.holds({ type: 'time', weekdays: [] }, '2026-01-14T22:30:00Z')).toBe(true);
  });

  it('takes a night for one of the day that it began on', () => {
    const friday = { type: 'time', after: '22:00', before: '06:00', weekdays: [FRIDAY] } as const;
    expect(home.holds(friday, '2026-01-16T23:00:00+01:00')).toBe(true);
    expect(home.holds(friday, '2026-01-17T05:00:00+01:00')).toBe(true);
    expect(home.holds(friday, '2026-01-16T05:00:00+01:00')).toBe(false);
    expect(home.holds(friday, '2026-01-17T22:30:00+01:00')).toBe(false);
    const saturday = { ...friday, weekdays: [SATURDAY] } as const;
    expect(home.holds(saturday, '2026-01-18T01:00:00+01:00')).toBe(true);
  });

  it('reads the clock as it is when it is set forward: 02:30 is not shown, 03:00 is after it', () => {
    const night = { type: 'time', after: '02:30', before: '03:30', weekdays: [SUNDAY] } as const;
    expect(home.holds(night, '2026-03-29T01:59:59+01:00')).toBe(false);
    expect(home.holds(night, '2026-03-29T03:00:00+02:00')).toBe(true);
    expect(home.holds(night, '2026-03-29T03:30:00+02:00')).toBe(false);
  });

  it('holds in both hours that are shown when it is set back', () => {
    const night = { type: 'time', after: '02:15', before: '02:45', weekdays: [SUNDAY] } as const;
    expect(home.holds(night, '2026-10-25T02:30:00+02:00')).toBe(true);
    expect(home.holds(night, '2026-10-25T02:50:00+02:00')).toBe(false);
    expect(home.holds(night, '2026-10-25T02:30:00+01:00')).toBe(true);
    expect(
      home.holds({ type: 'time', after: '23:00', before: '02:30', weekdays: [SATURDAY] }, '2026-10-25T02:15:00+01:00'),
    ).toBe(true);
  });

  it('reports what the clock showed', () => {
    expect(home.found({ type: 'time', after: '10:00' }, '2026-01-15T07:05:09+01:00')).toEqual({
      time: '07:05:09',
      weekday: THURSDAY,
    });
  });

  it('goes by another clock once the home has another zone', () => {
    const tokyo = createConditionHome({ timeZone: 'Asia/Tokyo' });
    expect(tokyo.holds({ type: 'time', after: '08:00', before: '09:00' }, '2026-01-15T23:30:00Z')).toBe(true);
  });
});
