/** Dry runs of a flow or a native automation. Routes under those of flows. */
import { Hono } from 'hono';
import type { Simulations } from '../../app/automations/simulation/simulations.ts';
import { NewSimulation, StoredSimulation } from '../../contract/simulations.ts';
import type { ApiEnv } from '../env.ts';
import { withoutShown } from '../present/flow.ts';
import { presentSimulation } from '../present/simulation.ts';
import { readBody, readOptionalBody } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export function flowSimulationRoutes({ simulations }: { readonly simulations: Simulations }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .post('/simulate', async (c) => {
      const { data, ...request } = await readBody(c, NewSimulation);
      return answerJson(
        presentSimulation(await simulations.simulate(c.get('caller'), { ...request, data: withoutShown(data) })),
      );
    })
    .post('/:id/simulate', async (c) => {
      const { data, ...request } = await readOptionalBody(c, StoredSimulation);
      const subject = { automationId: c.req.param('id'), data: withoutShown(data) };
      return answerJson(presentSimulation(await simulations.simulate(c.get('caller'), { ...request, ...subject })));
    });
}
