/**
 * Whether a lamp that supports both shows a colour or white. HAP has no characteristic for it: such lamps report the
 * hue and saturation of the white that they show, or no saturation.
 */

export interface LampColour {
  readonly hue: number | null;
  /** Percent. */
  readonly saturation: number | null;
  /** Mireds. */
  readonly colourTemperature: number | null;
}

/** Below this a colour is indistinguishable from white. */
const COLOURLESS_PERCENT = 5;
/** Makers round differently when converting white to hue and saturation. */
const HUE_TOLERANCE_DEGREES = 12;
const SATURATION_TOLERANCE_PERCENT = 15;

export function showsWhite({ hue, saturation, colourTemperature }: LampColour): boolean {
  if (colourTemperature === null) return false;
  if (hue === null || saturation === null || saturation < COLOURLESS_PERCENT) return true;
  const white = whiteAsColour(colourTemperature);
  if (white.saturation < COLOURLESS_PERCENT) return saturation < SATURATION_TOLERANCE_PERCENT;
  return (
    hueDistance(hue, white.hue) <= HUE_TOLERANCE_DEGREES &&
    Math.abs(saturation - white.saturation) <= SATURATION_TOLERANCE_PERCENT
  );
}

/** Hue in degrees and saturation in percent of a black body, by Tanner Helland's approximation. */
export function whiteAsColour(mireds: number): { readonly hue: number; readonly saturation: number } {
  const heat = 1_000_000 / Math.max(1, mireds) / 100;
  const red = heat <= 66 ? 255 : 329.7 * (heat - 60) ** -0.1332;
  const green = heat <= 66 ? 99.47 * Math.log(heat) - 161.12 : 288.12 * (heat - 60) ** -0.0755;
  const blue = heat >= 66 ? 255 : heat <= 19 ? 0 : 138.52 * Math.log(heat - 10) - 305.04;
  return toHueAndSaturation([red, green, blue].map((part) => Math.min(255, Math.max(0, part))));
}

function toHueAndSaturation([red = 0, green = 0, blue = 0]: readonly number[]): { hue: number; saturation: number } {
  const max = Math.max(red, green, blue);
  const range = max - Math.min(red, green, blue);
  if (range === 0) return { hue: 0, saturation: 0 };
  const sixth =
    max === red ? (green - blue) / range : max === green ? 2 + (blue - red) / range : 4 + (red - green) / range;
  return { hue: (sixth * 60 + 360) % 360, saturation: (range / max) * 100 };
}

function hueDistance(a: number, b: number): number {
  const distance = Math.abs(a - b) % 360;
  return Math.min(distance, 360 - distance);
}
