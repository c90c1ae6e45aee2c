/** What the energy commands read from their words: steps, tariffs, a file of spot prices. */
import { readFileSync } from 'node:fs';
import type { EnergyPrice, NewEnergyTariff } from '../../contract/energy.ts';
import { DAYS, type Day } from '../../home/vocabulary/weekly-window.ts';
import { messageOf } from '../../kernel/errors.ts';
import { usageError } from '../exit-codes.ts';

type NewRate = NonNullable<NewEnergyTariff['rates']>[number];

const RATE = /^(?:([a-z,]+)@)?(\d\d:\d\d)-(\d\d:\d\d)=(-?\d+(?:\.\d+)?)$/;

/** Parses `06:00-22:00=0.36`, or for some days `sat,sun@00:00-00:00=0.24`. */
export function parseRate(text: string): NewRate {
  const [, days, start, end, price] = RATE.exec(text) ?? [];
  const named = days?.split(',') ?? [];
  const unknown = named.find((day) => !(DAYS as readonly string[]).includes(day));
  if (start === undefined || end === undefined || unknown !== undefined) {
    throw usageError(`A price by time of day is such as 06:00-22:00=0.36 or sat,sun@00:00-00:00=0.24, not "${text}".`);
  }
  return { start, end, price: Number(price), ...(named.length > 0 && { days: named as Day[] }) };
}

/** @param path `-` for stdin */
export function readPrices(path: string): readonly EnergyPrice[] {
  let text: string;
  try {
    text = readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw usageError(`Cannot read ${path}: ${messageOf(error)}.`);
  }
  try {
    return JSON.parse(text) as readonly EnergyPrice[];
  } catch {
    throw usageError(`${path} is not JSON: it takes a list such as [{"from": …, "to": …, "price": 0.21}].`);
  }
}
