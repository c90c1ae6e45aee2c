/** Dry runs of a flow or a native automation. Routes under those of flows. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Simulations } from '../../app/automations/simulation/simulations.ts';
import type { ApiEnv } from '../env.ts';
import { withoutShown } from '../present/flow.ts';
import { presentSimulation } from '../present/simulation.ts';
import { readBody, readOptionalBody } from '../read-body.ts';
import { answerJson } from '../respond.ts';

/** The operation checks `data` and `scenario`. */
const SUBJECT = { data: z.unknown().optional(), document: z.string().optional(), scenario: z.unknown().optional() };
export const FlowSimulation = z.strictObject({ homeId: z.string(), ...SUBJECT });
export const StoredFlowSimulation = z.strictObject(SUBJECT);

export function flowSimulationRoutes({ simulations }: { readonly simulations: Simulations }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .post('/simulate', async (c) => {
      const { data, ...request } = await readBody(c, FlowSimulation);
      return answerJson(
        presentSimulation(await simulations.simulate(c.get('caller'), { ...request, data: withoutShown(data) })),
      );
    })
    .post('/:id/simulate', async (c) => {
      const { data, ...request } = await readOptionalBody(c, StoredFlowSimulation);
      const subject = { automationId: c.req.param('id'), data: withoutShown(data) };
      return answerJson(presentSimulation(await simulations.simulate(c.get('caller'), { ...request, ...subject })));
    });
}
