/** Temperature steps: half degrees Celsius, whole degrees Fahrenheit; never finer than the device accepts. */
import type { TemperatureUnit } from '../../texts/temperature-unit.ts';
import type { Range } from '../reading.ts';

const HALF_DEGREE = 0.5;
const FAHRENHEIT_PER_CELSIUS = 1.8;
const FAHRENHEIT_AT_ZERO = 32;
const DECIMALS = 4;

/** @param steps how many, negative for downwards. @returns °C within the range, on a step of the device */
export function stepTemperature(celsius: number, steps: number, unit: TemperatureUnit, range: Range): number {
  if (unit === 'fahrenheit') {
    const shown = Math.round(celsius * FAHRENHEIT_PER_CELSIUS + FAHRENHEIT_AT_ZERO);
    return nearest((shown + steps - FAHRENHEIT_AT_ZERO) / FAHRENHEIT_PER_CELSIUS, range);
  }
  const step = Math.max(HALF_DEGREE, range.step);
  // A value between two steps moves to the next one.
  const from = celsius / step;
  const next = (steps > 0 ? Math.floor(from + TINY) : Math.ceil(from - TINY)) + steps;
  return nearest(next * step, range);
}

const TINY = 1e-6;

/** The nearest value that the device accepts. */
export function nearest(value: number, { min, max, step }: Range): number {
  const stepped = min + Math.round((value - min) / step) * step;
  return Number(Math.min(Math.max(stepped, min), max).toFixed(DECIMALS));
}

/** The step of the display unit nearest to a touch. */
export function roundTemperature(celsius: number, unit: TemperatureUnit, range: Range): number {
  if (unit === 'fahrenheit') return stepTemperature(celsius, 0, unit, range);
  const step = Math.max(HALF_DEGREE, range.step);
  return nearest(Math.round(celsius / step) * step, range);
}
