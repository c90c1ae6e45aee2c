/** Energy: what the meters of a home measure now, what they have counted, and what it costs. */
import { z } from 'zod';
import { ENERGY_STEPS, TARIFF_KINDS } from '../home/vocabulary/energy-words.ts';
import { DAYS } from '../home/vocabulary/weekly-window.ts';
import { checked, id, integer, number, text, time, word } from './fields.ts';
import { type Input, invalidValue, type Output } from './parse.ts';

const MAX_PRICE = 1_000_000;
const MAX_RATES = 50;
/** A month of quarters of an hour. */
const MAX_PRICES = 3_000;

const TIME_WORDS = 'it takes a time on a quarter of an hour, such as 06:00 or 22:30';
const MOMENT_WORDS = 'ISO 8601 with a time zone, milliseconds since the epoch, or a day of the home such as 2030-01-31';

function price(description: string, example: number) {
  const error = invalidValue(`it takes a number from ${-MAX_PRICE} to ${MAX_PRICE}`);
  return z
    .number({ error })
    .min(-MAX_PRICE)
    .max(MAX_PRICE)
    .meta({ description, examples: [example] });
}

function timeOfDay(description: string, example: string) {
  return z
    .string({ error: invalidValue(TIME_WORDS) })
    .regex(/^([01]\d|2[0-3]):(00|15|30|45)$/, { error: invalidValue(TIME_WORDS) })
    .meta({ description, examples: [example] });
}

// — tariffs —

export const EnergyRate = z.strictObject({
  price: price('The price of a kilowatt-hour.', 0.34),
  days: z
    .array(word(DAYS))
    .min(1, { error: invalidValue('it takes one day at least') })
    .max(DAYS.length, { error: invalidValue('it takes each day once') })
    .default([...DAYS])
    .meta({ description: 'The days on which it begins; every day if left out.', examples: [['mon', 'tue']] }),
  start: timeOfDay('When it begins, by the clock of the home.', '06:00'),
  end: timeOfDay('When it ends: on the next day if it is not later than `start`.', '22:00'),
});
export type EnergyRate = Output<typeof EnergyRate>;

const CURRENCY = z
  .string({ error: invalidValue('it takes the three letters of a currency, such as EUR') })
  .regex(/^[A-Z]{3}$/, { error: invalidValue('it takes the three letters of a currency, such as EUR') })
  .meta({ description: 'ISO 4217.', examples: ['EUR'] });

const KIND = word(
  TARIFF_KINDS,
  '`fixed`: one price; `times`: prices by time of day; `spot`: the prices that a program sends to /rest/energy/prices.',
);

const TARIFF = {
  currency: CURRENCY,
  kind: KIND,
  price: price(
    'The price of a kilowatt-hour: of `fixed`, and of `spot` where no spot price is known (`null`: none).',
    0.34,
  ).nullable(),
  rates: z
    .array(EnergyRate)
    .max(MAX_RATES, { error: invalidValue(`it takes ${MAX_RATES} at most`) })
    .meta({ description: 'The prices of `times`. Together they cover the week, each moment once.' }),
  since: z
    .string({ error: invalidValue('it takes a day such as 2030-01-31') })
    .meta({
      description:
        'The day from which it applies, in the home’s time zone; `null`: to all energy, replacing all tariffs before.',
      examples: ['2030-01-01'],
    })
    .nullable(),
};

/** A new tariff. The one before stays for the energy used before `since`. */
export const NewEnergyTariff = z.strictObject({
  ...TARIFF,
  price: TARIFF.price.default(null),
  rates: TARIFF.rates.default([]),
  since: TARIFF.since.default(null),
});
export type NewEnergyTariff = Input<typeof NewEnergyTariff>;

export const EnergyTariff = z.object(TARIFF).meta({ id: 'EnergyTariff' });
export type EnergyTariff = Output<typeof EnergyTariff>;

export const HomeEnergyTariff = z
  .object({
    homeId: id('The home.'),
    tariff: EnergyTariff.nullable().meta({ description: 'The tariff that applies now; `null`: none.' }),
    tariffs: z.array(EnergyTariff).meta({ description: 'All tariffs, the earliest first.' }),
  })
  .meta({ id: 'HomeEnergyTariff' });
export type HomeEnergyTariff = Output<typeof HomeEnergyTariff>;

// — spot prices —

export const EnergyPrice = z.strictObject({
  from: time('When it begins: on a quarter of an hour.', '2030-01-31T12:00:00Z'),
  to: time('When it ends.', '2030-01-31T13:00:00Z'),
  price: price('The price of a kilowatt-hour.', 0.21),
});
export type EnergyPrice = Output<typeof EnergyPrice>;

export const NewEnergyPrices = z.strictObject({
  prices: z
    .array(EnergyPrice)
    .min(1, { error: invalidValue('it takes one price at least') })
    .max(MAX_PRICES, { error: invalidValue(`it takes ${MAX_PRICES} prices at most`) })
    .meta({ description: `At most ${MAX_PRICES}. They replace the prices of the time that they cover.` }),
});
export type NewEnergyPrices = Input<typeof NewEnergyPrices>;

export const SavedEnergyPrices = z
  .object({
    from: time('The beginning of the time that they cover.'),
    to: time('Its end.'),
    quarters: integer('The number of quarters of an hour that have a new price.', 96),
  })
  .meta({ id: 'SavedEnergyPrices' });
export type SavedEnergyPrices = Output<typeof SavedEnergyPrices>;

// — queries —

const moment = (description: string) =>
  checked(text(`${description} ${MOMENT_WORDS}.`, '2030-01-31'), (given) =>
    given.length <= 40 ? null : `it takes ${MOMENT_WORDS}`,
  ).optional();

const WINDOW = {
  home: id('The home.'),
  from: moment('The beginning, rounded to the step before it.'),
  to: moment('The end, rounded to the step after it; now if left out.'),
};

export const EnergyQuery = z.strictObject({
  ...WINDOW,
  by: word(ENERGY_STEPS, 'The step, by the calendar of the home; weeks begin on Monday.').default('day'),
  accessory: text('Only the meters of the accessory with this id.').optional(),
});
export type EnergyQuery = Input<typeof EnergyQuery>;

export const PriceQuery = z.strictObject(WINDOW);
export type PriceQuery = Input<typeof PriceQuery>;

// — answers —

const ENERGY = {
  kwh: number('Energy, in kilowatt-hours.', 1.25),
  cost: number('What it cost, in the currency of the tariff; `null` without a tariff.', 0.43).nullable(),
};

const METER = {
  accessoryId: id('The accessory.'),
  meter: integer('1 for the first meter of the accessory.', 1),
  name: text('The name of the accessory, and of the outlet where it has several meters.', 'Washing Machine'),
};

export const EnergyBucket = z
  .object({ start: time('Its beginning.'), end: time('Its end.'), ...ENERGY })
  .meta({ id: 'EnergyBucket' });
export type EnergyBucket = Output<typeof EnergyBucket>;

export const EnergyDevice = z
  .object({
    ...METER,
    ...ENERGY,
    share: number('Its share of all energy, from 0 to 1.', 0.4),
    since: time('When the relay began to count it.'),
  })
  .meta({ id: 'EnergyDevice' });
export type EnergyDevice = Output<typeof EnergyDevice>;

export const EnergyReport = z
  .object({
    homeId: id('The home.'),
    from: time('The beginning of the first step.'),
    to: time('The end of the last step.'),
    by: word(ENERGY_STEPS, 'The step.'),
    ...ENERGY,
    unpricedKwh: number('The part of the energy that has no price: spot prices are missing.', 0),
    currency: text('The currency of the costs; `null` without a tariff.', 'EUR').nullable(),
    buckets: z.array(EnergyBucket).meta({ description: 'Every step, also without energy.' }),
    devices: z.array(EnergyDevice).meta({ description: 'The meters, the most energy first.' }),
  })
  .meta({ id: 'EnergyReport' });
export type EnergyReport = Output<typeof EnergyReport>;

export const EnergyMeter = z
  .object({
    ...METER,
    watts: number('The power now, in watts; `null` where it is not measured or not known.', 62.5).nullable(),
    measures: word(
      ['power', 'total', 'both'],
      '`power`: watts, which the relay adds up; `total`: the device counts kilowatt-hours itself.',
    ),
    reachable: z.boolean().meta({ description: 'Whether it answers.' }),
  })
  .meta({ id: 'EnergyMeter' });
export type EnergyMeter = Output<typeof EnergyMeter>;

export const EnergyNow = z
  .object({
    homeId: id('The home.'),
    watts: number('The power of all meters that are known, in watts.', 310),
    meters: z.array(EnergyMeter).meta({ description: 'Every meter of the home, the most power first.' }),
  })
  .meta({ id: 'EnergyNow' });
export type EnergyNow = Output<typeof EnergyNow>;
