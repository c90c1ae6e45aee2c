import energyTexts from 'texts:energy';
import { describe, expect, it } from 'vitest';
import {
  argumentsOf,
  errorsOf,
  fieldOf,
  newRate,
  type TariffValues,
  valuesOf,
} from '../../../src/web/dashboard/pages/energy/tariff-form.ts';

const t = energyTexts.in('en').tariff;
const EMPTY = valuesOf(null);
const day = { ...newRate('06:00', '22:00'), price: 0.4 };
const night = { ...newRate('22:00', '06:00'), price: 0.2 };

function errors(values: Partial<TariffValues>): Record<string, string> {
  return errorsOf({ ...EMPTY, ...values }, t, 'en');
}

describe('the form of a tariff', () => {
  it('names the field that is missing', () => {
    expect(errors({})).toEqual({ price: 'Enter a price.' });
    expect(errors({ price: 0.3, currency: 'E' })).toEqual({ currency: expect.stringContaining('three letters') });
    expect(errors({ kind: 'spot' })).toEqual({});
    expect(errors({ kind: 'times', rates: [] })).toMatchObject({ rates: 'Add at least one price.' });
  });

  it('names gaps, overlaps and odd times of the week', () => {
    const times = (...rates: TariffValues['rates']) => errors({ kind: 'times', rates });
    expect(times(day, night)).toEqual({});
    expect(times(day)).toEqual({ rates: 'There is no price from Monday 00:00 to Monday 06:00.' });
    expect(times(day, { ...night, end: '06:15' })).toEqual({ 'rates.1.start': 'Monday 06:00 already has price 1.' });
    expect(times(day, { ...night, end: '06:10' })).toEqual({ 'rates.1.end': expect.stringContaining('quarter') });
    expect(times({ ...day, price: '' }, night)).toEqual({ 'rates.0.price': 'Enter a price.' });
  });

  it('becomes what the relay takes, and comes back', () => {
    const weekend = { ...newRate('00:00', '00:00'), price: 0.1, days: [6, 0] };
    expect(argumentsOf({ ...EMPTY, kind: 'times', currency: ' eur ', rates: [weekend], price: 3 })).toEqual({
      kind: 'times',
      currency: 'EUR',
      price: null,
      since: null,
      rates: [{ price: 0.1, days: ['sat', 'sun'], start: '00:00', end: '00:00' }],
    });
    expect(argumentsOf({ ...EMPTY, price: 0.3, since: '2026-01-01' })).toMatchObject({
      rates: [],
      since: '2026-01-01',
    });
    const rates = [{ price: 0.1, days: ['sat', 'sun'], start: '00:00', end: '00:00' }];
    const stored = { since: '2026-01-01', currency: 'EUR', kind: 'times', price: null, rates };
    expect(valuesOf(stored)).toMatchObject({
      kind: 'times',
      since: '2026-01-01',
      rates: [{ price: 0.1, days: [6, 0] }],
    });
  });

  it('finds the field that the relay names', () => {
    expect(fieldOf('rates[1].start')).toBe('rates.1.start');
  });
});
