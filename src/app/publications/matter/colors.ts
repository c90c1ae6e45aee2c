/** Colors as HAP has them (hue and saturation), and as Matter has them besides: x and y of CIE 1931, and mireds. */

export interface HueSaturation {
  /** 0–360 degrees */
  readonly hue: number;
  /** 0–100 percent */
  readonly saturation: number;
}

export interface Chromaticity {
  readonly x: number;
  readonly y: number;
}

type Rgb = readonly [red: number, green: number, blue: number];

/** White of daylight (D65), for black, which has no color. */
const WHITE: Chromaticity = { x: 0.3127, y: 0.329 };
const KELVIN_MIREDS = 1_000_000;

export function toXy(color: HueSaturation): Chromaticity {
  const [r, g, b] = rgbOf(color).map(linear) as unknown as Rgb;
  // sRGB, D65.
  const x = 0.4124 * r + 0.3576 * g + 0.1805 * b;
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const z = 0.0193 * r + 0.1192 * g + 0.9505 * b;
  const sum = x + y + z;
  return sum === 0 ? WHITE : { x: x / sum, y: y / sum };
}

export function fromXy({ x, y }: Chromaticity): HueSaturation {
  if (y <= 0) return { hue: 0, saturation: 0 };
  const [bigX, bigZ] = [x / y, (1 - x - y) / y];
  const rgb: Rgb = [
    3.2406 * bigX - 1.5372 - 0.4986 * bigZ,
    -0.9689 * bigX + 1.8758 + 0.0415 * bigZ,
    0.0557 * bigX - 0.204 + 1.057 * bigZ,
  ];
  const top = Math.max(...rgb, Number.EPSILON);
  return hueSaturationOf(rgb.map((part) => gamma(Math.max(0, part) / top)) as unknown as Rgb);
}

/** The color of a black body, for lamps that have colors and no color temperature (Helland's approximation). */
export function fromMireds(mireds: number): HueSaturation {
  const t = KELVIN_MIREDS / mireds / 100;
  const red = t <= 66 ? 255 : 329.7 * (t - 60) ** -0.1332;
  const green = t <= 66 ? 99.47 * Math.log(t) - 161.12 : 288.12 * (t - 60) ** -0.0755;
  const blue = t >= 66 ? 255 : t <= 19 ? 0 : 138.52 * Math.log(t - 10) - 305.04;
  return hueSaturationOf([red, green, blue].map((part) => Math.min(255, Math.max(0, part)) / 255) as unknown as Rgb);
}

function rgbOf({ hue, saturation }: HueSaturation): Rgb {
  const part = (n: number): number => {
    const k = (n + hue / 60) % 6;
    return 1 - (saturation / 100) * Math.max(0, Math.min(k, 4 - k, 1));
  };
  return [part(5), part(3), part(1)];
}

function hueSaturationOf([red, green, blue]: Rgb): HueSaturation {
  const top = Math.max(red, green, blue);
  const span = top - Math.min(red, green, blue);
  if (top === 0 || span === 0) return { hue: 0, saturation: 0 };
  const sixth =
    top === red ? (green - blue) / span : top === green ? 2 + (blue - red) / span : 4 + (red - green) / span;
  return { hue: Math.round((sixth * 60 + 360) % 360), saturation: Math.round((span / top) * 100) };
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function gamma(part: number): number {
  return part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
}
