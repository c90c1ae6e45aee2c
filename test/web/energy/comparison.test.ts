import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/web/dashboard/pages/energy/comparison.ts';

const DAY_MS = 86_400_000;
const NOVEMBER = Date.UTC(2026, 10, 1);
const OCTOBER = Date.UTC(2026, 9, 1);
const AFTER = Date.UTC(2026, 11, 1);

function reportOf(start: number, days: number, kwhADay: number, since = Date.UTC(2026, 0, 1)) {
  const at = (day: number) => new Date(start + day * DAY_MS).toISOString();
  const buckets = Array.from({ length: days }, (_, day) => ({ start: at(day), end: at(day + 1), kwh: kwhADay }));
  return { buckets, devices: [{ kwh: days * kwhADay, since: new Date(since).toISOString() }] };
}

describe('the energy of the period before', () => {
  it('is compared as a whole once the period is over', () => {
    const comparison = comparisonOf(reportOf(NOVEMBER, 30, 1), reportOf(OCTOBER, 31, 2), AFTER);
    expect(comparison).toMatchObject({ kwh: 30, before: 62, until: undefined });
    expect(comparison?.change).toBeCloseTo((30 / 62 - 1) * 100);
    expect(comparison?.steps).toHaveLength(31);
  });

  it('is compared up to the last step that is over', () => {
    const noon = NOVEMBER + 10.5 * DAY_MS;
    expect(comparisonOf(reportOf(NOVEMBER, 30, 1), reportOf(OCTOBER, 31, 2), noon)).toMatchObject({
      kwh: 10,
      before: 20,
      change: -50,
      until: '2026-11-11T00:00:00.000Z',
    });
  });

  it('is not compared before a step is over, nor with days that the month before did not have', () => {
    expect(comparisonOf(reportOf(NOVEMBER, 30, 1), reportOf(OCTOBER, 31, 2), NOVEMBER + 1)).toBeUndefined();
    const march = Date.UTC(2026, 2, 1);
    const february = reportOf(Date.UTC(2026, 1, 1), 28, 1);
    expect(comparisonOf(reportOf(march, 31, 1), february, march + 30 * DAY_MS)).toBeUndefined();
    expect(comparisonOf(reportOf(march, 31, 1), february, march + 31 * DAY_MS)).toMatchObject({ before: 28 });
  });

  it('is not compared where a meter was added during it', () => {
    const added = OCTOBER + DAY_MS;
    const before = reportOf(OCTOBER, 31, 2);
    expect(comparisonOf(reportOf(NOVEMBER, 30, 1, added), before, AFTER)).toBeUndefined();
    expect(comparisonOf(reportOf(NOVEMBER, 30, 1, OCTOBER), before, AFTER)).toBeDefined();
    const unused = { kwh: 0, since: new Date(added).toISOString() };
    const report = reportOf(NOVEMBER, 30, 1);
    expect(comparisonOf({ ...report, devices: [...report.devices, unused] }, before, AFTER)).toBeDefined();
  });

  it('is not compared where there was none', () => {
    expect(comparisonOf(reportOf(NOVEMBER, 30, 1), reportOf(OCTOBER, 31, 0), AFTER)).toBeUndefined();
    expect(comparisonOf(reportOf(NOVEMBER, 30, 1), { buckets: [], devices: [] }, AFTER)).toBeUndefined();
  });
});
