import { describe, expect, it } from 'vitest';
import {
  canShow,
  DEFAULT_FAVOURITES,
  isSameLight,
  MAX_FAVOURITES,
  parseFavourites,
  presentLight,
  withFavourite,
} from '../../../src/web/dashboard/devices/panels/favourite-lights.ts';
import { accessoryOf } from '../home/sample-home.ts';

function lampWith(characteristics: Readonly<Record<string, unknown>>) {
  const [service] = accessoryOf('lamp', 'light', { lightbulb: { power_state: true, ...characteristics } }).services;
  if (!service) throw new Error('It has no service');
  return service;
}

const WHITE_LAMP = lampWith({ color_temperature: { value: 370, minValue: 200, maxValue: 400 } });
const COLOUR_LAMP = lampWith({ hue: 120, saturation: 80 });

describe('favourite colours of lamps', () => {
  it('are named whites and colours before a person chooses', () => {
    expect(parseFavourites(undefined)).toBe(DEFAULT_FAVOURITES);
    expect(parseFavourites([])).toEqual([]);
  });

  it('are read from the settings of any client, without what is none', () => {
    const kept = [
      { hue: 10, saturation: 20 },
      { mireds: 300 },
      { mireds: -1 },
      { hue: 400, saturation: 1 },
      null,
      'red',
    ];
    expect(parseFavourites(kept)).toEqual([{ hue: 10, saturation: 20 }, { mireds: 300 }]);
    expect(parseFavourites(Array.from({ length: 99 }, () => ({ mireds: 300 })))).toHaveLength(MAX_FAVOURITES);
  });

  it('are shown at lamps that can set them', () => {
    expect([150, 300, 450].map((mireds) => canShow(WHITE_LAMP, { mireds }))).toEqual([false, true, false]);
    expect(canShow(WHITE_LAMP, { hue: 0, saturation: 100 })).toBe(false);
    expect(canShow(COLOUR_LAMP, { hue: 0, saturation: 100 })).toBe(true);
    expect(canShow(COLOUR_LAMP, { mireds: 300 })).toBe(false);
  });

  it('take the colour of a lamp, or its white while it has no colour', () => {
    expect(presentLight(WHITE_LAMP)).toEqual({ mireds: 370 });
    expect(presentLight(COLOUR_LAMP)).toEqual({ hue: 120, saturation: 80 });
    const both = { hue: 40, color_temperature: 250 };
    expect(presentLight(lampWith({ ...both, saturation: 60 }))).toEqual({ hue: 40, saturation: 60 });
    expect(presentLight(lampWith({ ...both, saturation: 0 }))).toEqual({ mireds: 250 });
    expect(presentLight(lampWith({ brightness: 50 }))).toBeUndefined();
  });

  it('are the same if a lamp rounds them, also around red', () => {
    expect(isSameLight({ hue: 359.5, saturation: 99 }, { hue: 0, saturation: 100 })).toBe(true);
    expect(isSameLight({ hue: 350, saturation: 100 }, { hue: 0, saturation: 100 })).toBe(false);
    expect(isSameLight({ mireds: 371 }, { mireds: 370 })).toBe(true);
    expect(isSameLight({ mireds: 0 }, { hue: 0, saturation: 0 })).toBe(false);
  });

  it('hold each once, and no more than there is room for', () => {
    const [first] = DEFAULT_FAVOURITES;
    if (!first) throw new Error('There are none');
    expect(withFavourite(DEFAULT_FAVOURITES, first)).toBe(DEFAULT_FAVOURITES);
    expect(withFavourite([], first)).toEqual([first]);
    const full = Array.from({ length: MAX_FAVOURITES }, (_, index) => ({ mireds: 100 + index * 10 }));
    expect(withFavourite(full, { hue: 1, saturation: 50 })).toBe(full);
  });
});
