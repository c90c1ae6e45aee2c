/** Tariffs: their rules, and the price of a kilowatt-hour in each quarter of an hour. */
import type { EnergyTariff } from '../../contract/energy.ts';
import { dayNumber } from '../../home/schedule/calendar.ts';
import { DAY_MS, dayOf, momentOf, wallAt, weekdayOf } from '../../home/schedule/wall-time.ts';
import { coverWeek, DAYS, quarterOfWeek, type WeekTime } from '../../home/vocabulary/weekly-window.ts';
import { parseIsoTime } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';

const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MINUTE_MS = 60_000;

/** The index of the rate of each quarter of the week. */
type Week = readonly number[];

/** @throws `invalid_value` naming the field */
export function requireValidTariff({ kind, price, rates, since }: EnergyTariff): void {
  const invalid = (field: string, reason: string): HearthError =>
    new HearthError('invalid_value', `Invalid value for ${field}: ${reason}.`, { field });
  if (since !== null && !isDay(since)) throw invalid('since', 'it takes a day such as 2030-01-31');
  if (kind === 'fixed' && price === null) throw invalid('price', 'a fixed tariff takes a price');
  if (kind === 'times' && price !== null) throw invalid('price', 'a tariff by times of day has its prices in rates');
  if (kind !== 'times') {
    if (rates.length > 0) throw invalid('rates', `only a tariff of the kind "times" has rates`);
    return;
  }
  if (rates.length === 0) throw invalid('rates', 'a tariff by times of day takes one price at least');
  const week = coverWeek(rates);
  if (!('kind' in week)) return;
  if (week.kind === 'gap') throw invalid('rates', `there is no price from ${nameOf(week.from)} to ${nameOf(week.to)}`);
  throw invalid(`rates[${week.window}].start`, `${nameOf(week.at)} also has the price of rates[${week.other}]`);
}

/** The prices of a home's tariffs. Each quarter is computed once. */
export class Prices {
  readonly #zone: string;
  readonly #spot: ReadonlyMap<number, number>;
  readonly #tariffs: readonly { readonly tariff: EnergyTariff; readonly from: number; readonly week: Week }[];
  readonly #known = new Map<number, number | null>();

  /** @param spot spot prices by the start of their quarter */
  constructor(zone: string, tariffs: readonly EnergyTariff[], spot: ReadonlyMap<number, number>) {
    this.#zone = zone;
    this.#spot = spot;
    this.#tariffs = tariffs.map((tariff) => {
      const week = coverWeek(tariff.rates);
      return { tariff, from: beginningOf(tariff, zone), week: 'kind' in week ? [] : week };
    });
  }

  /** @param start of a quarter. @returns `null` without a price */
  at(start: number): number | null {
    const known = this.#known.get(start);
    if (known !== undefined) return known;
    const price = this.#compute(start);
    this.#known.set(start, price);
    return price;
  }

  #compute(start: number): number | null {
    const entry = this.#tariffs.findLast(({ from }) => from <= start);
    if (!entry) return null;
    const { tariff, week } = entry;
    if (tariff.kind === 'fixed') return tariff.price;
    if (tariff.kind === 'spot') return this.#spot.get(start) ?? tariff.price;
    const wall = wallAt(this.#zone, start);
    const day = dayOf(wall);
    const quarter = quarterOfWeek(weekdayOf(day), (wall - day * DAY_MS) / MINUTE_MS);
    return tariff.rates[week[quarter] ?? -1]?.price ?? null;
  }
}

/** The first moment at which a tariff applies. */
export function beginningOf({ since }: EnergyTariff, zone: string): number {
  return since === null ? Number.NEGATIVE_INFINITY : startOfDay(since, zone);
}

/** @param day `YYYY-MM-DD` */
export function startOfDay(day: string, zone: string): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return momentOf(zone, dayNumber({ year, month, day: date }) * DAY_MS);
}

export function isDay(text: string): boolean {
  return /^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(parseIsoTime(text));
}

/** `Monday 06:00` */
function nameOf({ day, time }: WeekTime): string {
  return `${DAY_NAMES[DAYS.indexOf(day)]} ${time}`;
}
