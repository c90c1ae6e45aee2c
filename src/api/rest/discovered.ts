import { Hono } from 'hono';
import { z } from 'zod';
import type { Pairings } from '../../app/pairings/pairings.ts';
import type { DiscoveredDevice } from '../../home/pairing-driver.ts';
import type { ApiEnv } from '../env.ts';
import { presentTime } from '../present/time.ts';
import { readBody } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export const ManualEntry = z.strictObject({ hostPort: z.string() });

/** Accessory servers discovered on the network, paired or not. */
export function discoveredRoutes({ pairings }: { readonly pairings: Pairings }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(pairings.listDiscovered(c.get('caller')).map(presentDiscovered)))
    .post('/refresh', (c) => {
      pairings.refresh(c.get('caller'));
      return answerJson({ success: true });
    })
    .post('/manual', async (c) => {
      const { hostPort } = await readBody(c, ManualEntry);
      pairings.addManual(c.get('caller'), hostPort);
      return answerJson({ success: true, hostPort });
    })
    .delete('/manual', async (c) => {
      const { hostPort } = await readBody(c, ManualEntry);
      pairings.removeManual(c.get('caller'), hostPort);
      return answerJson({ success: true, hostPort });
    })
    .post('/:deviceId/identify', async (c) => {
      await pairings.identifyUnpaired(c.get('caller'), c.req.param('deviceId'));
      return answerJson({ success: true });
    });
}

function presentDiscovered({ lastSeenAt, ...device }: DiscoveredDevice): object {
  return { ...device, lastSeenAt: presentTime(lastSeenAt) };
}
