import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceM, isInside, isLatitude, isLongitude } from '../../src/home/geo.ts';

const place = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe('the distance of two places', () => {
  // From the coordinates of the cities' zero points, by Vincenty's formula on the WGS 84 ellipsoid.
  it.each([
    ['Berlin to Paris', { latitude: 52.52, longitude: 13.405 }, { latitude: 48.8566, longitude: 2.3522 }, 879_700],
    ['across the date line', { latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 }, 22_264],
    ['to the antipode', { latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 }, 20_003_931],
  ])('is right within half a per cent: %s', (_, a, b, metres) => {
    expect(Math.abs(distanceM(a, b) - metres) / metres).toBeLessThan(0.006);
  });

  it('is the same both ways, never negative and nothing to the place itself', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        expect(distanceM(a, b)).toBeCloseTo(distanceM(b, a), 3);
        expect(distanceM(a, b)).toBeGreaterThanOrEqual(0);
        expect(distanceM(a, a)).toBe(0);
      }),
    );
  });
});

describe('a place on the earth', () => {
  it.each([
    ['latitude', isLatitude, 90],
    ['longitude', isLongitude, 180],
  ] as const)('has a %s', (_, isOne, most) => {
    for (const good of [-most, 0, most]) expect(isOne(good), String(good)).toBe(true);
    for (const bad of [-most - 0.001, most + 0.001, Number.NaN, '0', null, undefined]) {
      expect(isOne(bad), String(bad)).toBe(false);
    }
  });
});

describe('whether a fix is in a circle', () => {
  const circle = { latitude: 52.52, longitude: 13.405, radiusM: 100 };
  /** So many metres to the north of its middle. */
  const fix = (metres: number, accuracyM: number) => ({
    latitude: circle.latitude + metres / 111_195,
    longitude: circle.longitude,
    accuracyM,
  });

  it.each([
    ['wholly inside', 50, 20, false, true],
    ['wholly outside', 150, 20, true, false],
    ['across the edge, inside before', 110, 20, true, true],
    ['across the edge, outside before', 90, 20, false, false],
    ['so inexact that it means nothing', 5_000, 6_000, true, true],
    ['across the edge, nothing known before', 90, 20, null, true],
    ['across the edge from outside, nothing known before', 110, 20, null, false],
  ])('%s', (_, metres, accuracyM, before, inside) => {
    expect(isInside(circle, fix(metres, accuracyM), before)).toBe(inside);
  });
});
