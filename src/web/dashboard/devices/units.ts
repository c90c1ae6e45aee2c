/** The units of characteristics, in HAP's words or as symbols, and quantities as text. */
import type { Format } from '../texts/format.ts';

/** Devices need not report these, and HAP defines some without a unit. */
const UNITS: Readonly<Record<string, string>> = {
  ...allIn('celsius', ['current_temperature', 'target_temperature', 'heating_threshold', 'cooling_threshold']),
  ...allIn('percentage', ['brightness', 'saturation', 'relative_humidity', 'target_humidity', 'water_level']),
  ...allIn('percentage', ['current_position', 'target_position', 'battery_level', 'volume', 'filter_life_level']),
  ...allIn('arcdegrees', ['hue', 'current_tilt_angle', 'target_tilt_angle', 'current_horizontal_tilt']),
  ...allIn('arcdegrees', ['target_horizontal_tilt', 'current_vertical_tilt', 'target_vertical_tilt']),
  ...allIn('seconds', ['set_duration', 'remaining_duration']),
  ...allIn('µg/m³', ['nitrogen_dioxide_density', 'ozone_density', 'pm10_density', 'pm2_5_density']),
  ...allIn('µg/m³', ['sulphur_dioxide_density', 'voc_density']),
  ...allIn('ppm', ['carbon_dioxide_level', 'carbon_dioxide_peak_level']),
  ...allIn('ppm', ['carbon_monoxide_level', 'carbon_monoxide_peak_level']),
  current_ambient_light_level: 'lux',
  eve_energy_watt: 'W',
  eve_energy_kwh: 'kWh',
  eve_voltage: 'V',
  eve_ampere: 'A',
  eve_air_pressure: 'hPa',
};

function allIn(unit: string, types: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(types.map((type) => [type, unit]));
}

export function unitOf(type: string, reported: string | null | undefined): string | undefined {
  return UNITS[type] ?? reported ?? undefined;
}

/** In the device's unit, independent of the display unit for temperatures. */
const SUFFIXES: Readonly<Record<string, string>> = {
  arcdegrees: '°',
  celsius: ' °C',
  lux: ' lx',
  percentage: ' %',
  seconds: ' s',
};

/** The suffix of a number input; empty without a unit. */
export function suffixOf(unit: string | undefined): string {
  return unit ? (SUFFIXES[unit] ?? ` ${unit}`) : '';
}

/** "21 °C", "40 %", "3 min". */
export function quantityText(value: number, unit: string | undefined, format: Format, decimals = 2): string {
  if (unit === 'celsius') return format.temperature(value);
  if (unit === 'percentage') return format.percent(value);
  if (unit === 'seconds') return format.duration(value * 1000);
  return format.number(value, decimals) + suffixOf(unit);
}
