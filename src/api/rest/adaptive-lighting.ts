/** Adaptive lighting of homes, rooms and accessories. */
import { Hono } from 'hono';
import type { AdaptiveLighting } from '../../app/adaptive-lighting/adaptive-lighting.ts';
import { AdaptiveLightingChanges, NewAdaptiveSetting } from '../../contract/adaptive-lighting.ts';
import type { ApiEnv } from '../env.ts';
import { presentAdaptiveAccessory, presentAdaptiveLighting } from '../present/adaptive-lighting.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export function adaptiveLightingRoutes(deps: { readonly adaptiveLighting: AdaptiveLighting }): Hono<ApiEnv> {
  const { adaptiveLighting } = deps;
  return new Hono<ApiEnv>()
    .get('/homes/:id/adaptive-lighting', (c) =>
      answerJson(presentAdaptiveLighting(adaptiveLighting.get(c.get('caller'), c.req.param('id')))),
    )
    .patch('/homes/:id/adaptive-lighting', async (c) => {
      const changes = await readInput(c, AdaptiveLightingChanges);
      return answerJson(presentAdaptiveLighting(adaptiveLighting.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .patch('/rooms/:id/adaptive-lighting', async (c) => {
      const input = await readInput(c, NewAdaptiveSetting);
      return answerJson(presentAdaptiveLighting(adaptiveLighting.setRoom(c.get('caller'), c.req.param('id'), input)));
    })
    .patch('/accessories/:id/adaptive-lighting', async (c) => {
      const input = await readInput(c, NewAdaptiveSetting);
      const id = c.req.param('id');
      return answerJson(
        presentAdaptiveAccessory(id.toLowerCase(), adaptiveLighting.setAccessory(c.get('caller'), id, input)),
      );
    });
}
