/** Lamp colours as CSS colours. */
import type { HomeAccessory, HomeService } from '../home/home-document.ts';
import { numberOf, powerOf, serviceOf } from './reading.ts';

const MIREDS_PER_KELVIN = 1_000_000;

export function kelvinOf(mireds: number): number {
  return MIREDS_PER_KELVIN / mireds;
}

export function miredsOf(kelvin: number): number {
  return Math.round(MIREDS_PER_KELVIN / kelvin);
}

/** Rounds to 50 K, as lamp makers do. */
export function roundKelvin(kelvin: number): number {
  return Math.round(kelvin / 50) * 50;
}

/** From candle to daylight, each with a similar screen colour. */
export const WHITES = [
  { name: 'candle', kelvin: 2200, colour: '#ffb46b' },
  { name: 'warm', kelvin: 2700, colour: '#ffc98a' },
  { name: 'neutral', kelvin: 4000, colour: '#ffe4c8' },
  { name: 'daylight', kelvin: 5500, colour: '#fff3ea' },
  { name: 'cold', kelvin: 6500, colour: '#e8f0ff' },
] as const;

export const COLOURS = [
  { name: 'red', hue: 0, saturation: 100 },
  { name: 'orange', hue: 28, saturation: 100 },
  { name: 'yellow', hue: 52, saturation: 90 },
  { name: 'green', hue: 120, saturation: 85 },
  { name: 'turquoise', hue: 175, saturation: 80 },
  { name: 'blue', hue: 225, saturation: 90 },
  { name: 'violet', hue: 275, saturation: 80 },
  { name: 'pink', hue: 325, saturation: 70 },
] as const;

/** The nearest named colour; red lies at both ends. */
export function hueName(hue: number): (typeof COLOURS)[number]['name'] {
  const distance = (other: number) => Math.min(Math.abs(other - hue), 360 - Math.abs(other - hue));
  return COLOURS.reduce((best, each) => (distance(each.hue) < distance(best.hue) ? each : best)).name;
}

export const RAINBOW = `linear-gradient(to right, ${[0, 60, 120, 180, 240, 300, 360]
  .map((hue) => `hsl(${hue} 95% 60%)`)
  .join(', ')})`;

export const WARM_TO_COLD = 'linear-gradient(to right, #dbe8ff, #fff6ee 35%, #ffd9a8 65%, #ff9f4a)';

/** @param saturation 0–100 percent: white at 0. */
export function cssColour(hue: number, saturation: number): string {
  return `hsl(${hue} 95% ${100 - saturation * 0.42}%)`;
}

/** Below this saturation a lamp is white, and its colour temperature counts. */
export const WHITE_SATURATION = 5;
/** The lightest and the darkest that a tile's icon is readable on. */
const TINT_LIGHTNESS = { white: 90, full: 64 };

/** The light of a lamp that is on, as far as it reports a colour; `undefined` otherwise. */
export function lightOf(service: HomeService | undefined): string | undefined {
  if (!powerOf(service)) return undefined;
  const [hue, saturation, mireds] = ['hue', 'saturation', 'color_temperature'].map((type) => numberOf(service, type));
  if (hue !== undefined && saturation !== undefined && saturation > WHITE_SATURATION) {
    const lightness = TINT_LIGHTNESS.white - (saturation / 100) * (TINT_LIGHTNESS.white - TINT_LIGHTNESS.full);
    return `hsl(${hue} 95% ${Math.round(lightness)}%)`;
  }
  if (mireds !== undefined && mireds > 0) return whiteAt(kelvinOf(mireds));
  return saturation === undefined ? undefined : WHITES[2].colour;
}

/** The light of an accessory's lamp. */
export function lampLight(accessory: HomeAccessory): string | undefined {
  return lightOf(serviceOf(accessory, 'lightbulb'));
}

/** The screen colour of a white: between the two nearest named ones. */
export function whiteAt(kelvin: number): string {
  const above = WHITES.findIndex((white) => white.kelvin >= kelvin);
  if (above === 0) return WHITES[0].colour;
  const [low, high] = [WHITES.at(above - 1), WHITES.at(above)];
  if (above < 0 || !low || !high) return WHITES[WHITES.length - 1]?.colour ?? WHITES[0].colour;
  const share = Math.round(((kelvin - low.kelvin) / (high.kelvin - low.kelvin)) * 100);
  return `color-mix(in srgb, ${high.colour} ${share}%, ${low.colour})`;
}
