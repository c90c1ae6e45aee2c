import { describe, expect, it } from 'vitest';
import { dayAt, moved, parseView, periodOf, presentView } from '../../../src/web/dashboard/pages/energy/period.ts';

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
    expect(parseView(presentView({ by: 'week', at: '2026-01-15' }))).toEqual({ by: 'week', at: '2026-01-15' });
    expect(parseView('')).toEqual({ by: 'day', at: undefined });
    expect(parseView('?by=century&at=2026-99-99')).toEqual({ by: 'day', at: undefined });
  });

  it('begins with the day of the home', () => {
    const at = Date.UTC(2026, 0, 15, 23, 30);
    expect([dayAt(at, 'Europe/Berlin'), dayAt(at, 'America/New_York')]).toEqual(['2026-01-16', '2026-01-15']);
  });
});
