import * as hapNodejs from '@homebridge/hap-nodejs';
import { describe, expect, it } from 'vitest';
import { CATEGORIES, categoryTitle } from '../../src/hap-spec/categories.ts';

/** Declared as a `const enum`, which exists at run time all the same. */
const { Categories } = hapNodejs as unknown as { Categories: Readonly<Record<string, number | string>> };

describe('categories', () => {
  it('have a title for every number that HAP defines', () => {
    const numbers = Object.values(Categories).filter((value) => typeof value === 'number');
    expect(new Set(numbers)).toEqual(new Set(Object.keys(CATEGORIES).map(Number)));
  });

  it.each([
    [5, 'Lightbulb'],
    [6, 'Door Lock'],
    [9, 'Thermostat'],
    [10, 'Sensor'],
    [0, 'Other'],
    [1, 'Other'],
    [999, 'Other'],
    [Number.NaN, 'Other'],
  ])('calls %d %s', (category, title) => {
    expect(categoryTitle(category)).toBe(title);
  });

  it('use each title once', () => {
    expect(new Set(Object.values(CATEGORIES)).size).toBe(Object.keys(CATEGORIES).length);
  });
});
