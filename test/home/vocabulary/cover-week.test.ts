import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverWeek, type TimeWindow } from '../../../src/home/vocabulary/weekly-window.ts';

const TIME = fc.integer({ min: 0, max: 95 });
const two = (value: number): string => String(value).padStart(2, '0');
const timeOf = (quarter: number): string => `${two(Math.floor(quarter / 4))}:${two((quarter % 4) * 15)}`;

describe('windows that cover a week', () => {
  it('is complete when each day is cut into pieces, and has a gap when one is missing', () => {
    fc.assert(
      fc.property(fc.uniqueArray(TIME, { minLength: 2, maxLength: 8 }), fc.nat(), (cuts, which) => {
        const sorted = [...cuts].sort((a, b) => a - b).map(timeOf);
        const windows: TimeWindow[] = sorted.map((start, index) => ({
          start,
          end: sorted[(index + 1) % sorted.length] as string,
        }));
        const week = coverWeek(windows);
        expect(Array.isArray(week) && week.length === 672 && week.every((window) => window >= 0)).toBe(true);
        const missing = windows.filter((_, index) => index !== which % windows.length);
        expect(coverWeek(missing)).toMatchObject({ kind: 'gap' });
        const twice = [...windows, windows[which % windows.length] as TimeWindow];
        expect(coverWeek(twice)).toMatchObject({
          kind: 'overlap',
          window: windows.length,
          other: which % windows.length,
        });
      }),
    );
  });

  it('may go over midnight and over the end of the week', () => {
    const night = { days: ['sat'], start: '22:00', end: '06:00' } as const;
    expect(coverWeek([night, { days: ['sun'], start: '05:45', end: '07:00' }])).toEqual({
      kind: 'overlap',
      window: 1,
      other: 0,
      at: { day: 'sun', time: '05:45' },
    });
    const week = { start: '00:00', end: '00:00' };
    expect(coverWeek([{ ...week, days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'] }])).toEqual({
      kind: 'gap',
      from: { day: 'sun', time: '00:00' },
      to: { day: 'mon', time: '00:00' },
    });
  });
});
