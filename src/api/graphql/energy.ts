/** Energy: the power now, energy and cost by step and by device, tariffs, spot prices. */
import {
  EnergyBucket,
  EnergyDevice,
  EnergyMeter,
  EnergyNow,
  EnergyPrice,
  EnergyQuery,
  EnergyRate,
  EnergyReport,
  EnergyTariff,
  HomeEnergyTariff,
  NewEnergyTariff,
  PriceQuery,
  SavedEnergyPrices,
} from '../../contract/energy.ts';
import { presentEnergy, presentPrices, presentSavedPrices, presentTariffs } from '../present/energy.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf, inputFieldsOf } from './contract-fields.ts';

const Bucket = builder.objectRef<EnergyBucket>('EnergyBucket').implement({
  description: 'The energy of an hour, a day, a week or a month.',
  fields: (t) => fieldsOf(t, EnergyBucket),
});

const Device = builder.objectRef<EnergyDevice>('EnergyDevice').implement({
  description: 'The energy of a meter.',
  fields: (t) => fieldsOf(t, EnergyDevice),
});

const Report = builder.objectRef<EnergyReport>('EnergyReport').implement({
  description: 'Energy and cost by step and by device.',
  fields: (t) => ({
    ...fieldsOf(t, EnergyReport.omit({ buckets: true, devices: true })),
    buckets: t.field({
      type: [Bucket],
      nullable: LIST,
      description: 'Every step, also without energy.',
      resolve: ({ buckets }) => [...buckets],
    }),
    devices: t.field({
      type: [Device],
      nullable: LIST,
      description: 'The meters, the most energy first.',
      resolve: ({ devices }) => [...devices],
    }),
  }),
});

const MeterType = builder.objectRef<EnergyMeter>('EnergyMeter').implement({
  description: 'A meter, and the power that it measures now.',
  fields: (t) => fieldsOf(t, EnergyMeter),
});

const Now = builder.objectRef<EnergyNow>('EnergyNow').implement({
  description: 'The power of a home now.',
  fields: (t) => ({
    ...fieldsOf(t, EnergyNow.omit({ meters: true })),
    meters: t.field({
      type: [MeterType],
      nullable: LIST,
      description: 'Every meter of the home, the most power first.',
      resolve: ({ meters }) => [...meters],
    }),
  }),
});

const Rate = builder.objectRef<EnergyRate>('EnergyRate').implement({
  description: 'The price of some hours of some days.',
  fields: (t) => fieldsOf(t, EnergyRate),
});

const Tariff = builder.objectRef<EnergyTariff>('EnergyTariff').implement({
  description: 'What a kilowatt-hour costs, from a day on.',
  fields: (t) => ({
    ...fieldsOf(t, EnergyTariff.omit({ rates: true })),
    rates: t.field({
      type: [Rate],
      nullable: LIST,
      description: 'The prices of `times`.',
      resolve: ({ rates }) => [...rates],
    }),
  }),
});

const HomeTariff = builder.objectRef<HomeEnergyTariff>('HomeEnergyTariff').implement({
  description: 'The tariffs of a home.',
  fields: (t) => ({
    ...fieldsOf(t, HomeEnergyTariff.omit({ tariff: true, tariffs: true })),
    tariff: t.expose('tariff', { type: Tariff, description: 'The tariff that applies now; null: none.' }),
    tariffs: t.field({
      type: [Tariff],
      nullable: LIST,
      description: 'All tariffs, the earliest first.',
      resolve: ({ tariffs }) => [...tariffs],
    }),
  }),
});

const Price = builder.objectRef<EnergyPrice>('EnergyPrice').implement({
  description: 'The spot price of a stretch of time.',
  fields: (t) => fieldsOf(t, EnergyPrice),
});

const SavedPrices = builder.objectRef<SavedEnergyPrices>('SavedEnergyPrices').implement({
  description: 'The time that has new spot prices.',
  fields: (t) => fieldsOf(t, SavedEnergyPrices),
});

const RateInput = builder.inputType('EnergyRateInput', {
  description: 'The price of some hours of some days.',
  fields: (t) => inputFieldsOf(t, EnergyRate),
});

const PriceInput = builder.inputType('EnergyPriceInput', {
  description: 'The spot price of a stretch of time.',
  fields: (t) => inputFieldsOf(t, EnergyPrice),
});

const HOME = 'The home.';

builder.queryFields((t) => ({
  energy: t.field({
    type: Report,
    description: 'Energy and cost by hour, day, week or month, and by device.',
    args: argumentsOf(t.arg, EnergyQuery),
    resolve: async (_, { home, ...options }, { caller, deps, request: { signal } }) =>
      presentEnergy(await deps.energy.report(caller, { home, ...given(options) }, { signal })),
  }),
  energyNow: t.field({
    type: Now,
    description: 'The power of a home now, by device.',
    args: { home: t.arg.string({ required: true, description: HOME }) },
    resolve: (_, { home }, { caller, deps }) => deps.energy.now(caller, home),
  }),
  exportEnergy: t.string({
    description: 'Energy and cost as CSV: `start,end,accessory_id,meter,name,kwh,cost,currency`.',
    args: argumentsOf(t.arg, EnergyQuery),
    resolve: (_, { home, ...options }, { caller, deps, request: { signal } }) =>
      deps.energy.export(caller, { home, ...given(options) }, { signal }),
  }),
  energyTariff: t.field({
    type: HomeTariff,
    description: 'The tariffs of a home.',
    args: { home: t.arg.string({ required: true, description: HOME }) },
    resolve: (_, { home }, { caller, deps }) => presentTariffs(deps.energy.tariff(caller, home)),
  }),
  energyPrices: t.field({
    type: [Price],
    nullable: LIST,
    description: 'The known spot prices, from today on if left out; 40 days at most.',
    args: argumentsOf(t.arg, PriceQuery),
    resolve: (_, { home, ...window }, { caller, deps }) => [
      ...presentPrices(deps.energy.prices(caller, { home, ...given(window) })),
    ],
  }),
}));

builder.mutationFields((t) => ({
  setEnergyTariff: t.field({
    type: HomeTariff,
    description: 'Sets what energy costs, from the day `since` on or for all energy. For admins of the home.',
    args: {
      home: t.arg.string({ required: true, description: HOME }),
      ...argumentsOf(t.arg, NewEnergyTariff.omit({ rates: true })),
      rates: t.arg({ type: [RateInput], description: 'The prices of `times`. Together they cover the week.' }),
    },
    resolve: (_, { home, rates, ...others }, { caller, deps }) => {
      const tariff = { ...others, rates: (rates ?? []).map(({ days, ...rate }) => ({ ...rate, ...given({ days }) })) };
      return presentTariffs(deps.energy.setTariff(caller, home, tariff));
    },
  }),
  removeEnergyTariff: t.field({
    type: HomeTariff,
    description: 'Removes every tariff of a home. For its admins.',
    args: { home: t.arg.string({ required: true, description: HOME }) },
    resolve: (_, { home }, { caller, deps }) => presentTariffs(deps.energy.removeTariff(caller, home)),
  }),
  setEnergyPrices: t.field({
    type: SavedPrices,
    description: 'Replaces the spot prices of the time that the given ones cover. For admins of the home.',
    args: {
      home: t.arg.string({ required: true, description: HOME }),
      prices: t.arg({ type: [PriceInput], required: true, description: 'At most 3000.' }),
    },
    resolve: (_, { home, prices }, { caller, deps }) =>
      presentSavedPrices(deps.energy.setPrices(caller, home, { prices })),
  }),
}));
