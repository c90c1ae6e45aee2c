/** The colours and whites that a person keeps at hand, the same at every lamp that can show them. */
import type { HomeService } from '../../home/home-document.ts';
import { COLOURS, miredsOf, WHITE_SATURATION, WHITES } from '../light-colours.ts';
import { characteristicOf, numberOf, rangeOf } from '../reading.ts';

export type FavouriteLight =
  | { readonly mireds: number }
  | {
      /** 0–360 degrees. */
      readonly hue: number;
      /** 0–100 percent. */
      readonly saturation: number;
    };

export const MAX_FAVOURITES = 24;

/** HAP's own range, in mireds. */
export const MIREDS = { min: 140, max: 500, step: 1 };
/** Lamps round what was set. */
const SAME = { mireds: 3, hue: 2, saturation: 2 };

/** What people have before they choose. */
export const DEFAULT_FAVOURITES: readonly FavouriteLight[] = [
  ...WHITES.map(({ kelvin }) => ({ mireds: miredsOf(kelvin) })),
  ...COLOURS.map(({ hue, saturation }) => ({ hue, saturation })),
];

/** @param kept the account's `dashboard.favouriteLights`, from any client */
export function parseFavourites(kept: unknown): readonly FavouriteLight[] {
  if (!Array.isArray(kept)) return DEFAULT_FAVOURITES;
  return kept
    .map(parseFavourite)
    .filter((one) => one !== undefined)
    .slice(0, MAX_FAVOURITES);
}

function parseFavourite(kept: unknown): FavouriteLight | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const { mireds, hue, saturation } = kept as Record<string, unknown>;
  if (isWithin(mireds, 1, 1000)) return { mireds };
  return isWithin(hue, 0, 360) && isWithin(saturation, 0, 100) ? { hue, saturation } : undefined;
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max;
}

/** Whether a lamp can show it. */
export function canShow(service: HomeService, light: FavouriteLight): boolean {
  if (!('mireds' in light)) return hasColours(service);
  const characteristic = characteristicOf(service, 'color_temperature');
  if (!characteristic) return false;
  const { min, max } = rangeOf(characteristic, MIREDS);
  return light.mireds >= min && light.mireds <= max;
}

/** What a lamp is set to, on or off; `undefined` if it reports no colour. */
export function presentLight(service: HomeService): FavouriteLight | undefined {
  const [hue, saturation, mireds] = ['hue', 'saturation', 'color_temperature'].map((type) => numberOf(service, type));
  const isColour = hasColours(service) && hue !== undefined && saturation !== undefined;
  if (isColour && (saturation > WHITE_SATURATION || mireds === undefined)) {
    return { hue: Math.round(hue), saturation: Math.round(saturation) };
  }
  return mireds === undefined || mireds <= 0 ? undefined : { mireds: Math.round(mireds) };
}

export function isSameLight(one: FavouriteLight | undefined, other: FavouriteLight): boolean {
  if (!one) return false;
  if ('mireds' in one) return 'mireds' in other && Math.abs(one.mireds - other.mireds) < SAME.mireds;
  if ('mireds' in other) return false;
  const turn = Math.abs(one.hue - other.hue);
  const isSameHue = Math.min(turn, 360 - turn) < SAME.hue;
  return isSameHue && Math.abs(one.saturation - other.saturation) < SAME.saturation;
}

/** @returns what it got, if it is in there already, or if there is no room */
export function withFavourite(favourites: readonly FavouriteLight[], light: FavouriteLight): readonly FavouriteLight[] {
  const isFull = favourites.length >= MAX_FAVOURITES;
  return isFull || favourites.some((one) => isSameLight(one, light)) ? favourites : [...favourites, light];
}

function hasColours(service: HomeService): boolean {
  return characteristicOf(service, 'hue') !== undefined && characteristicOf(service, 'saturation') !== undefined;
}
