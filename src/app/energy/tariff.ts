/** Tariffs: their rules, and the price of a kilowatt-hour in each quarter of an hour. */
import type { EnergyRate, EnergyTariff } from '../../contract/energy.ts';
import { dayNumber } from '../../home/schedule/calendar.ts';
import { DAY_MS, dayOf, momentOf, wallAt, weekdayOf } from '../../home/schedule/wall-time.ts';
import { DAYS } from '../../home/vocabulary/weekly-window.ts';
import { parseIsoTime } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { QUARTER_MS } from './quarters.ts';

const QUARTERS_A_DAY = DAY_MS / QUARTER_MS;
const QUARTERS_A_WEEK = DAYS.length * QUARTERS_A_DAY;
const MINUTES_A_QUARTER = 15;
const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The index of the rate of each quarter of the week, from Sunday 00:00 on. */
type Week = readonly number[];

interface WeekProblem {
  readonly problem: string;
  /** The rate that overlaps another; `undefined` for a gap. */
  readonly rate: number | undefined;
}

/** Lays rates into a week. */
export function weekOf(rates: readonly EnergyRate[]): { readonly week: Week } | WeekProblem {
  const week = new Array<number>(QUARTERS_A_WEEK).fill(-1);
  for (const [rate, { days, start, end }] of rates.entries()) {
    const first = quarterOf(start);
    const last = quarterOf(end) > first ? quarterOf(end) : quarterOf(end) + QUARTERS_A_DAY;
    for (const day of new Set(days)) {
      for (let quarter = first; quarter < last; quarter += 1) {
        const place = (DAYS.indexOf(day) * QUARTERS_A_DAY + quarter) % QUARTERS_A_WEEK;
        const other = week[place] as number;
        if (other >= 0) return { problem: `${nameOf(place)} also has the price of rates[${other}]`, rate };
        week[place] = rate;
      }
    }
  }
  const monday = QUARTERS_A_DAY;
  for (let step = 0; step < QUARTERS_A_WEEK; step += 1) {
    const place = (monday + step) % QUARTERS_A_WEEK;
    if (week[place] !== -1) continue;
    let length = 1;
    while (length < QUARTERS_A_WEEK && week[(place + length) % QUARTERS_A_WEEK] === -1) length += 1;
    if (length === QUARTERS_A_WEEK) return { problem: 'there is no price at all', rate: undefined };
    const until = nameOf((place + length) % QUARTERS_A_WEEK);
    return { problem: `there is no price from ${nameOf(place)} to ${until}`, rate: undefined };
  }
  return { week };
}

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
  const laid = weekOf(rates);
  if ('problem' in laid) throw invalid(laid.rate === undefined ? 'rates' : `rates[${laid.rate}].start`, laid.problem);
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
      const laid = weekOf(tariff.rates);
      return { tariff, from: beginningOf(tariff, zone), week: 'week' in laid ? laid.week : [] };
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
    const place = weekdayOf(day) * QUARTERS_A_DAY + Math.floor((wall - day * DAY_MS) / QUARTER_MS);
    return tariff.rates[week[place] ?? -1]?.price ?? null;
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

function quarterOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return (hour * 60 + minute) / MINUTES_A_QUARTER;
}

/** `Monday 06:00` */
function nameOf(place: number): string {
  const minutes = (place % QUARTERS_A_DAY) * MINUTES_A_QUARTER;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${DAY_NAMES[Math.floor(place / QUARTERS_A_DAY)]} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
