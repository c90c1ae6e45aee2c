/** Any characteristic as text, for services without a panel and for the list of all services. */
import type { Catalogues } from 'texts:types';
import type { HomeCharacteristic } from '../../home/home-document.ts';
import type { Format } from '../../texts/format.ts';
import { UUID } from '../reading.ts';

export type PanelTexts = Catalogues['panels'];

export function characteristicLabel(type: string, t: PanelTexts): string {
  if (UUID.test(type)) return t.makersOwn({ id: type.slice(0, 8).toUpperCase() });
  return (t.characteristics as Readonly<Record<string, string>>)[type] ?? readable(type);
}

/** `target_fan_state` → "Target fan state". */
function readable(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** HAP defines these without a unit. */
const UNITS: Readonly<Record<string, string>> = {
  carbon_dioxide_level: 'ppm',
  carbon_dioxide_peak_level: 'ppm',
  carbon_monoxide_level: 'ppm',
  carbon_monoxide_peak_level: 'ppm',
  filter_life_level: 'percentage',
  nitrogen_dioxide_density: 'µg/m³',
  ozone_density: 'µg/m³',
  pm10_density: 'µg/m³',
  pm2_5_density: 'µg/m³',
  sulphur_dioxide_density: 'µg/m³',
  voc_density: 'µg/m³',
  water_level: 'percentage',
};

/** In the device's unit, independent of the display unit for temperatures. */
const SUFFIXES: Readonly<Record<string, string>> = {
  arcdegrees: '°',
  celsius: ' °C',
  lux: ' lx',
  percentage: ' %',
  seconds: ' s',
};

/** The suffix of a number input; empty without a unit. */
export function unitSuffix({ type, unit: reported }: Pick<HomeCharacteristic, 'type' | 'unit'>): string {
  const unit = reported ?? UNITS[type];
  return unit ? (SUFFIXES[unit] ?? ` ${unit}`) : '';
}

/** Longer texts are binary data. */
const MAX_CHARACTERS = 80;

/** `undefined` until the device reports a value. */
export function characteristicText(
  { type, value, format: kind, unit: reported, minStep }: HomeCharacteristic,
  t: PanelTexts,
  format: Format,
): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (typeof value === 'number') {
    const words = (t.values as Readonly<Record<string, Readonly<Record<number, string>>>>)[type];
    if (words?.[value]) return words[value];
    const unit = reported ?? UNITS[type];
    if (unit === 'celsius') return format.temperature(value);
    if (unit === 'percentage') return format.percent(value);
    if (unit === 'seconds') return format.duration(value * 1000);
    const number = format.number(value, kind === 'float' ? decimalsOf(minStep) : 0);
    if (unit === 'lux') return `${number} lx`;
    return unit === 'arcdegrees' ? t.degrees({ number }) : unit ? `${number} ${unit}` : number;
  }
  if (typeof value !== 'string') return undefined;
  return value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)} …` : value;
}

function decimalsOf(step: number | null): number {
  return step === null ? 2 : (String(step).split('.')[1]?.length ?? 0);
}
