import { describe, expect, it } from 'vitest';
import {
  COLDEST_KELVIN,
  colourChoices,
  PAUSE_HOURS,
  pauseChoices,
  WARMEST_KELVIN,
} from '../../../src/web/dashboard/pages/settings/home/lighting.ts';

describe('the colours of adaptive lighting', () => {
  it('are those of the list, in mireds', () => {
    expect(colourChoices(WARMEST_KELVIN, 400).map(({ mireds }) => mireds)).toEqual([500, 455, 400, 370, 333]);
    expect(colourChoices(COLDEST_KELVIN, 182)).toContainEqual({ kelvin: 5_500, mireds: 182 });
  });

  it('have the one that is set among them', () => {
    expect(colourChoices(WARMEST_KELVIN, 420)).toContainEqual({ kelvin: 2_400, mireds: 420 });
    expect(colourChoices(WARMEST_KELVIN, 420).map(({ mireds }) => mireds)).toEqual([500, 455, 420, 400, 370, 333]);
  });
});

it('the hours of a pause have those that are set among them', () => {
  expect([pauseChoices(null), pauseChoices(4)]).toEqual([PAUSE_HOURS, PAUSE_HOURS]);
  expect(pauseChoices(3)).toEqual([1, 2, 3, 4, 8, 12, 24]);
});
