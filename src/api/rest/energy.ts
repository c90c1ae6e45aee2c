/** Energy of a home: the power now, energy and cost by step, tariffs, spot prices. */
import { Hono } from 'hono';
import type { Energy } from '../../app/energy/energy.ts';
import { type EnergyQuery, NewEnergyPrices, NewEnergyTariff } from '../../contract/energy.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { presentEnergy, presentPrices, presentSavedPrices, presentTariffs } from '../present/energy.ts';
import { readInput } from '../read-body.ts';
import { queryId, queryText, requiredHome } from '../read-query.ts';
import { answer, answerJson } from '../respond.ts';

export function energyRoutes({ energy }: { readonly energy: Energy }): Hono<ApiEnv> {
  const savePrices = async (c: ApiContext): Promise<Response> => {
    const homeId = requiredHome(c);
    const prices = await readInput(c, NewEnergyPrices.shape.prices);
    return answerJson(presentSavedPrices(energy.setPrices(c.get('caller'), homeId, { prices })));
  };
  return new Hono<ApiEnv>()
    .get('/', async (c) => {
      const { signal } = c.req.raw;
      return answerJson(presentEnergy(await energy.report(c.get('caller'), queryOf(c), { signal })));
    })
    .get('/now', (c) => answerJson(energy.now(c.get('caller'), requiredHome(c))))
    .get('/export', async (c) => {
      const { signal } = c.req.raw;
      const csv = await energy.export(c.get('caller'), queryOf(c), { signal });
      return answer(csv, 200, {
        'Content-Type': 'text/csv; charset=utf-8; header=present',
        'Content-Disposition': 'attachment; filename="energy.csv"',
      });
    })
    .get('/tariff', (c) => answerJson(presentTariffs(energy.tariff(c.get('caller'), requiredHome(c)))))
    .put('/tariff', async (c) => {
      const homeId = requiredHome(c);
      const tariff = await readInput(c, NewEnergyTariff);
      return answerJson(presentTariffs(energy.setTariff(c.get('caller'), homeId, tariff)));
    })
    .delete('/tariff', (c) => answerJson(presentTariffs(energy.removeTariff(c.get('caller'), requiredHome(c)))))
    .get('/prices', (c) => {
      const query = { home: requiredHome(c), from: queryText(c, 'from'), to: queryText(c, 'to') };
      return answerJson(presentPrices(energy.prices(c.get('caller'), query)));
    })
    .put('/prices', savePrices)
    .post('/prices', savePrices);
}

function queryOf(c: ApiContext): EnergyQuery {
  return {
    home: requiredHome(c),
    from: queryText(c, 'from'),
    to: queryText(c, 'to'),
    by: queryText(c, 'by'),
    accessory: queryId(c, 'accessory'),
  };
}
