import { Hono } from 'hono';
import type { Pairings } from '../../app/pairings/pairings.ts';
import { ManualEntry } from '../../contract/pairings.ts';
import type { ApiEnv } from '../env.ts';
import { presentDiscovered } from '../present/pairing.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';

/** Accessory servers discovered on the network, paired or not. */
export function discoveredRoutes({ pairings }: { readonly pairings: Pairings }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(pairings.listDiscovered(c.get('caller')).map(presentDiscovered)))
    .post('/refresh', (c) => {
      pairings.refresh(c.get('caller'));
      return answerJson({ success: true });
    })
    .post('/manual', async (c) => {
      const { hostPort } = await readInput(c, ManualEntry);
      pairings.addManual(c.get('caller'), hostPort);
      return answerJson({ success: true, hostPort });
    })
    .delete('/manual', async (c) => {
      const { hostPort } = await readInput(c, ManualEntry);
      pairings.removeManual(c.get('caller'), hostPort);
      return answerJson({ success: true, hostPort });
    })
    .post('/:deviceId/identify', async (c) => {
      await pairings.identifyUnpaired(c.get('caller'), c.req.param('deviceId'));
      return answerJson({ success: true });
    });
}
