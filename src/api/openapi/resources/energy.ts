import { z } from 'zod';
import {
  EnergyNow,
  EnergyPrice,
  EnergyQuery,
  EnergyReport,
  HomeEnergyTariff,
  NewEnergyPrices,
  NewEnergyTariff,
  PriceQuery,
  SavedEnergyPrices,
} from '../../../contract/energy.ts';
import { text } from '../json-schema.ts';
import type { Operation, Resource } from '../operation.ts';
import { HOME } from '../parameters.ts';

const SPOT_DAY = [
  { from: '2030-01-31T12:00:00Z', to: '2030-01-31T13:00:00Z', price: 0.21 },
  { from: '2030-01-31T13:00:00Z', to: '2030-01-31T14:00:00Z', price: 0.18 },
];

const newPrices = (method: 'put' | 'post', operationId: string): Operation => ({
  method,
  path: '/rest/energy/prices',
  id: operationId,
  summary: 'Send spot prices',
  description:
    'For programs that know them. They replace the prices of the time that they cover and leave all others. ' +
    'A tariff of the kind `spot` uses them.',
  audience: 'admin',
  query: [HOME],
  body: { schema: NewEnergyPrices.shape.prices, examples: { 'Two hours': SPOT_DAY } },
  answer: { description: 'The time that has new prices.', schema: SavedEnergyPrices },
  errors: [400, 404],
});

export const energy: Resource = {
  tag: 'Energy',
  description:
    'What devices with a meter use, and what it costs. Energy is counted whether or not the history of the home is on. ' +
    'A total counter of the device is preferred; without one the relay adds up the power.',
  operations: [
    {
      method: 'get',
      path: '/rest/energy',
      id: 'getEnergy',
      summary: 'Energy and cost by hour, day, week or month, and by device',
      audience: 'view',
      query: EnergyQuery,
      answer: { description: 'The energy.', schema: EnergyReport },
      errors: [400, 404, 422],
    },
    {
      method: 'get',
      path: '/rest/energy/now',
      id: 'getEnergyNow',
      summary: 'The power now, by device',
      audience: 'view',
      query: [HOME],
      answer: { description: 'Every device that can measure.', schema: EnergyNow },
      errors: [400, 404],
    },
    {
      method: 'get',
      path: '/rest/energy/export',
      id: 'exportEnergy',
      summary: 'Energy and cost as CSV',
      audience: 'view',
      query: EnergyQuery,
      answer: {
        description: 'RFC 4180: a line for each step and device with energy.',
        type: 'text/csv',
        schema: text(),
        example: 'start,end,accessory_id,meter,name,kwh,cost,currency\r\n',
      },
      errors: [400, 404, 422],
    },
    {
      method: 'get',
      path: '/rest/energy/tariff',
      id: 'getEnergyTariff',
      summary: 'The tariffs of a home',
      audience: 'view',
      query: [HOME],
      answer: { description: 'The tariffs.', schema: HomeEnergyTariff },
      errors: [400, 404],
    },
    {
      method: 'put',
      path: '/rest/energy/tariff',
      id: 'setEnergyTariff',
      summary: 'Set what energy costs',
      description: 'From the day `since` on, or for all energy.',
      audience: 'admin',
      query: [HOME],
      body: {
        schema: NewEnergyTariff,
        examples: {
          'One price': { currency: 'EUR', kind: 'fixed', price: 0.34 },
          'Cheap at night': {
            currency: 'EUR',
            kind: 'times',
            rates: [
              { price: 0.36, start: '06:00', end: '22:00' },
              { price: 0.24, start: '22:00', end: '06:00' },
            ],
          },
          'Spot prices': { currency: 'EUR', kind: 'spot', price: 0.3 },
        },
      },
      answer: { description: 'The tariffs as they are now.', schema: HomeEnergyTariff },
      errors: [400, 404],
    },
    {
      method: 'delete',
      path: '/rest/energy/tariff',
      id: 'removeEnergyTariff',
      summary: 'Remove the tariffs of a home',
      audience: 'admin',
      query: [HOME],
      answer: { description: 'There are none now.', schema: HomeEnergyTariff },
      errors: [400, 404],
    },
    {
      method: 'get',
      path: '/rest/energy/prices',
      id: 'getEnergyPrices',
      summary: 'The known spot prices',
      description: 'From today on if left out; 40 days at most.',
      audience: 'view',
      query: PriceQuery,
      answer: { description: 'The prices, in the order of time.', schema: z.array(EnergyPrice) },
      errors: [400, 404, 422],
    },
    newPrices('put', 'replaceEnergyPrices'),
    newPrices('post', 'addEnergyPrices'),
  ],
};
