import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../../src/app/automations/conditions/index.ts';
import { createConditionHome } from './condition-home.ts';

const at = (latitude: number, longitude: number, timeZone: string) =>
  createConditionHome({ location: { latitude, longitude, radiusM: 100 }, timeZone });

const NIGHT: Condition = { type: 'sun', after: 'sunset', before: 'sunrise' };
const DAY: Condition = { type: 'sun', after: 'sunrise', before: 'sunset' };

/** Berlin, 21 June 2026: sunrise 04:43, sunset 21:33. 21 December: 08:15, 15:54. */
describe('a sun condition', () => {
  const berlin = at(52.52, 13.405, 'Europe/Berlin');

  it.each([
    [{ after: 'sunset' }, '2026-06-21T21:20:00+02:00', false],
    [{ after: 'sunset' }, '2026-06-21T21:40:00+02:00', true],
    [{ after: 'sunset' }, '2026-06-21T23:59:00+02:00', true],
    [{ after: 'sunset' }, '2026-06-22T00:01:00+02:00', false],
    [{ before: 'sunrise' }, '2026-06-21T00:01:00+02:00', true],
    [{ before: 'sunrise' }, '2026-06-21T04:30:00+02:00', true],
    [{ before: 'sunrise' }, '2026-06-21T04:50:00+02:00', false],
    [{ before: 'sunrise' }, '2026-06-21T23:00:00+02:00', false],
    [{ after: 'sunrise', before: 'sunset' }, '2026-06-21T12:00:00+02:00', true],
    [{ after: 'sunrise', before: 'sunset' }, '2026-06-21T23:00:00+02:00', false],
    [{ after: 'sunset', before: 'sunrise' }, '2026-06-21T23:00:00+02:00', true],
    [{ after: 'sunset', before: 'sunrise' }, '2026-06-22T02:00:00+02:00', true],
    [{ after: 'sunset', before: 'sunrise' }, '2026-06-22T12:00:00+02:00', false],
    [{ after: 'sunset', afterOffset: { minutes: -30 } }, '2026-06-21T21:10:00+02:00', true],
    [{ after: 'sunset', afterOffset: { hours: -1, minutes: -30 } }, '2026-06-21T20:00:00+02:00', false],
    [{ before: 'sunrise', beforeOffset: { minutes: 30 } }, '2026-06-21T05:00:00+02:00', true],
    [
      { after: 'sunset', afterOffset: { hours: -1 }, before: 'sunset', beforeOffset: { hours: 1 } },
      '2026-06-21T21:00:00+02:00',
      true,
    ],
    [
      { after: 'sunset', afterOffset: { hours: -1 }, before: 'sunset', beforeOffset: { hours: 1 } },
      '2026-06-21T23:00:00+02:00',
      false,
    ],
    [{}, '2026-06-21T23:00:00+02:00', true],
  ] as const)('%o at %s: %s', (bounds, moment, passed) => {
    expect(berlin.holds({ type: 'sun', ...bounds }, moment)).toBe(passed);
  });

  it('finds the moment of the day that the clocks show where its offset leads past midnight', () => {
    const late: Condition = { type: 'sun', after: 'sunset', afterOffset: { hours: 5 } };
    expect(berlin.holds(late, '2026-06-22T02:00:00+02:00')).toBe(false);
    expect(berlin.holds(late, '2026-06-22T02:45:00+02:00')).toBe(true);
  });

  it('goes by the day of the home on days with a changed clock', () => {
    expect(berlin.holds({ type: 'sun', after: 'sunset' }, '2026-03-29T23:59:00+02:00')).toBe(true);
    expect(berlin.holds({ type: 'sun', after: 'sunset' }, '2026-03-30T00:00:30+02:00')).toBe(false);
    expect(berlin.holds({ type: 'sun', after: 'sunset' }, '2026-10-25T23:30:00+01:00')).toBe(true);
  });

  it('holds in no case while the location of the home is unknown', () => {
    const nowhere = createConditionHome();
    expect(nowhere.holds(NIGHT)).toBe(false);
    expect(nowhere.holds(DAY)).toBe(false);
    expect(nowhere.found(NIGHT)).toEqual({ error: 'The location of the home is not set' });
  });
});

describe('beyond the polar circle', () => {
  const tromso = at(69.65, 18.96, 'Europe/Oslo');

  it('a day without sunrise or sunset is neither after nor before one', () => {
    for (const day of ['2026-06-21', '2026-12-21']) {
      for (const bounds of [
        { after: 'sunset' },
        { before: 'sunset' },
        { after: 'sunrise' },
        { before: 'sunrise' },
      ] as const) {
        expect(tromso.holds({ type: 'sun', ...bounds }, `${day}T12:00:00Z`)).toBe(false);
      }
    }
  });

  it('after sunset and before sunrise is all of the polar night, and none of the polar day', () => {
    expect(tromso.holds(NIGHT, '2026-12-21T12:00:00+01:00')).toBe(true);
    expect(tromso.holds(DAY, '2026-12-21T12:00:00+01:00')).toBe(false);
    expect(tromso.holds(NIGHT, '2026-06-21T00:00:00+02:00')).toBe(false);
    expect(tromso.holds(DAY, '2026-06-21T00:00:00+02:00')).toBe(true);
  });
});
