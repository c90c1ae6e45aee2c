/**
 * The tariff as the form has it, and what is wrong with it. The relay checks the same; here it is in the page's
 * language.
 */
import type { Catalogues } from 'texts:types';
import { coverWeek, DAYS, type Day, type WeekTime } from '../../../../home/vocabulary/weekly-window.ts';
import { present } from '../../api/graphql.ts';
import { weekdayName } from '../../pickers/weekdays-input.tsx';
import { numberIn } from '../../ui/number-in.ts';
import type { Tariff } from './energy-documents.ts';

export const KINDS = ['fixed', 'times', 'spot'] as const;
type TariffKind = (typeof KINDS)[number];

/** An empty number field is an empty text. */
export interface RateValues {
  /** For lists of the form. */
  readonly key: string;
  readonly price: number | string;
  /** 0 is Sunday; every day if empty. */
  readonly days: readonly number[];
  readonly start: string;
  readonly end: string;
}

export interface TariffValues {
  readonly kind: TariffKind;
  readonly currency: string;
  readonly price: number | string;
  readonly rates: readonly RateValues[];
  /** Empty: it applies to all energy. */
  readonly since: string;
}

let keys = 0;

export function newRate(start: string, end: string): RateValues {
  keys += 1;
  return { key: `rate-${keys}`, price: '', days: [], start, end };
}

export function valuesOf(tariff: Tariff | null): TariffValues {
  if (!tariff) {
    return {
      kind: 'fixed',
      currency: 'EUR',
      price: '',
      rates: [newRate('06:00', '22:00'), newRate('22:00', '06:00')],
      since: '',
    };
  }
  const { kind, currency, price, rates, since } = tariff;
  const own = present(rates).map(({ days, start, end, ...rate }) => ({
    ...newRate(start, end),
    price: rate.price,
    days: days?.length === DAYS.length ? [] : (days ?? []).map((day) => DAYS.indexOf(day as Day)),
  }));
  return {
    kind: KINDS.find((one) => one === kind) ?? 'fixed',
    currency,
    price: price ?? '',
    rates: own.length > 0 ? own : [newRate('06:00', '22:00'), newRate('22:00', '06:00')],
    since: since ?? '',
  };
}

/** The arguments of the mutation. */
export function argumentsOf({ kind, currency, price, rates, since }: TariffValues) {
  return {
    kind,
    currency: currency.trim().toUpperCase(),
    price: kind === 'times' ? null : numberIn(price),
    since: since === '' ? null : since,
    rates:
      kind === 'times'
        ? rates.map(({ start, end, days, price: ofRate }) => ({
            price: numberIn(ofRate) ?? 0,
            days: daysOf(days),
            start,
            end,
          }))
        : [],
  };
}

type Texts = Catalogues['energy']['tariff'];

/** @returns an error for each invalid field, by its path */
export function errorsOf(values: TariffValues, t: Texts, locale: string): Record<string, string> {
  const { kind, currency, price, rates } = values;
  const errors: Record<string, string> = {};
  if (!/^[A-Za-z]{3}$/.test(currency.trim())) errors.currency = t.badCurrency;
  if (kind === 'fixed' && numberIn(price) === null) errors.price = t.noPrice;
  if (kind !== 'times') return errors;
  if (rates.length === 0) errors.rates = t.noRates;
  for (const [index, { start, end, price: ofRate }] of rates.entries()) {
    if (numberIn(ofRate) === null) errors[`rates.${index}.price`] = t.noPrice;
    if (!isQuarter(start)) errors[`rates.${index}.start`] = t.badTime;
    if (!isQuarter(end)) errors[`rates.${index}.end`] = t.badTime;
  }
  if (Object.keys(errors).length > 0) return errors;
  const week = coverWeek(rates.map(({ start, end, days }) => ({ start, end, days: daysOf(days) })));
  if (!('kind' in week)) return errors;
  const nameOf = ({ day, time }: WeekTime): string => `${weekdayName(DAYS.indexOf(day), locale)} ${time}`;
  if (week.kind === 'gap') errors.rates = t.gap({ from: nameOf(week.from), to: nameOf(week.to) });
  else errors[`rates.${week.window}.start`] = t.overlap({ at: nameOf(week.at), number: String(week.other + 1) });
  return errors;
}

/** `rates[1].start` of the relay, as the form names it. */
export function fieldOf(path: string): string {
  return path.replaceAll(/\[(\d+)\]/g, '.$1');
}

function daysOf(days: readonly number[]): Day[] {
  return days.length === 0 ? [...DAYS] : days.map((day) => DAYS[day] as Day);
}

function isQuarter(time: string): boolean {
  return /^([01]\d|2[0-3]):(00|15|30|45)$/.test(time);
}
