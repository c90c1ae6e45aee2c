import { describe, expect, it } from 'vitest';
import {
  dayAt,
  moved,
  parseView,
  periodOf,
  presentView,
  shownSteps,
  yearEarlier,
} from '../../../src/web/dashboard/pages/energy/period.ts';

describe('the period of the energy page', () => {
  it.each([
    ['hour', '2026-01-15', '2026-01-15', '2026-01-16'],
    ['day', '2026-02-15', '2026-02-01', '2026-03-01'],
    ['week', '2026-01-15', '2025-10-27', '2026-01-19'],
    ['week', '2026-01-18', '2025-10-27', '2026-01-19'],
    ['month', '2026-02-15', '2026-01-01', '2027-01-01'],
  ] as const)('of %s steps around %s is from %s to %s', (by, day, from, to) => {
    expect(periodOf(by, day)).toEqual({ from, to });
    const before = periodOf(by, moved(by, day, -1));
    expect(before.to).toBe(from);
    expect(periodOf(by, moved(by, day, 1)).from).toBe(to);
  });

  it('is in the address, which can not break it', () => {
    for (const than of ['before', 'year'] as const) {
      const view = { by: 'week', at: '2026-01-15', than } as const;
      expect(parseView(presentView(view))).toEqual(view);
    }
    const first = { by: 'day', at: undefined, than: 'before' };
    expect(parseView('')).toEqual(first);
    expect(parseView('?by=century&at=2026-99-99&than=never')).toEqual(first);
  });

  it.each([
    ['hour', '2026-01-15', '2025-01-15', '2025-01-16'],
    ['hour', '2028-02-29', '2027-02-28', '2027-03-01'],
    ['day', '2028-02-29', '2027-02-01', '2027-03-01'],
    ['week', '2026-01-15', '2024-10-28', '2025-01-20'],
  ] as const)('of %s steps around %s a year earlier is from %s to %s', (by, day, from, to) => {
    expect(periodOf(by, yearEarlier(by, day))).toEqual({ from, to });
  });

  it('begins with the day of the home', () => {
    const at = Date.UTC(2026, 0, 15, 23, 30);
    expect([dayAt(at, 'Europe/Berlin'), dayAt(at, 'America/New_York')]).toEqual(['2026-01-16', '2026-01-15']);
  });
});

describe('the bars of the energy page', () => {
  const NOW = Date.UTC(2026, 10, 27, 12);
  const NOVEMBER = Array.from({ length: 30 }, (_, index) => ({ start: new Date(Date.UTC(2026, 10, index + 1)) }));

  /** The days of November that have a bar, of those that have energy. */
  function shownDays(measured: readonly number[], now = NOW): readonly number[] {
    const steps = NOVEMBER.map(({ start }) => ({
      start: start.toISOString(),
      kwh: measured.includes(start.getUTCDate()) ? 1 : 0,
    }));
    return shownSteps(steps, 'day', now).map(({ start }) => new Date(start).getUTCDate());
  }

  it('begin with the first energy and end today', () => {
    expect(shownDays([18, 20])).toEqual([18, 19, 20, 21, 22, 23, 24, 25, 26, 27]);
    expect(shownDays([1, 20])).toHaveLength(27);
  });

  it('end with the last energy of a month that is over', () => {
    expect(shownDays([3, 14], NOW + 30 * 86_400_000)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  });

  it('are seven at least, and one or none where there is no more', () => {
    expect(shownDays([26, 27])).toEqual([24, 25, 26, 27, 28, 29, 30]);
    expect(shownDays([2, 3], NOW + 30 * 86_400_000)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(shownDays([27])).toEqual([27]);
    expect(shownDays([])).toEqual([]);
  });

  it('are all hours of a day', () => {
    const hours = [0, 1].map((kwh, index) => ({ start: new Date(NOW + index * 3_600_000).toISOString(), kwh }));
    expect(shownSteps(hours, 'hour', NOW)).toEqual(hours);
  });
});
