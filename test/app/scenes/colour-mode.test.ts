import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showsWhite, whiteAsColour } from '../../../src/app/scenes/colour-mode.ts';

describe('the mode of a colour lamp', () => {
  it('is white where hue and saturation are those of the white, for every white', () => {
    fc.assert(
      fc.property(fc.integer({ min: 140, max: 500 }), (colourTemperature) => {
        const { hue, saturation } = whiteAsColour(colourTemperature);
        expect(showsWhite({ hue, saturation, colourTemperature })).toBe(true);
      }),
    );
  });

  it('is colour where they are far from it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 140, max: 500 }),
        fc.integer({ min: 70, max: 190 }),
        fc.integer({ min: 20, max: 100 }),
        (colourTemperature, hue, saturation) => {
          expect(showsWhite({ hue, saturation, colourTemperature })).toBe(false);
        },
      ),
    );
  });

  it.each([
    ['warm', 366, 28, 65],
    ['neutral', 250, 27, 35],
    ['cold', 153, 221, 6],
  ])('knows the hue and saturation that makers report for a %s white', (_, mireds, hue, saturation) => {
    expect(showsWhite({ hue, saturation, colourTemperature: mireds })).toBe(true);
  });

  it('is colour without a white, and white without a colour', () => {
    expect(showsWhite({ hue: 0, saturation: 0, colourTemperature: null })).toBe(false);
    expect(showsWhite({ hue: null, saturation: null, colourTemperature: 250 })).toBe(true);
    expect(showsWhite({ hue: 120, saturation: 2, colourTemperature: 250 })).toBe(true);
  });
});
