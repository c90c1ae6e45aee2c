import { Hono } from 'hono';
import { z } from 'zod';
import type { ApiEnv } from '../env.ts';
import { type HomePresenterDeps, presentHome } from '../present/home.ts';
import { readBody } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export const NewHome = z.strictObject({ name: z.string() });
export const HomeChanges = z.strictObject({
  name: z.string().optional(),
  paused: z.boolean().optional(),
  privileges: z.string().optional(),
  timeZone: z.string().nullable().optional(),
  /** The operation checks its content. */
  location: z.record(z.string(), z.unknown()).nullable().optional(),
});

export function homeRoutes(deps: HomePresenterDeps): Hono<ApiEnv> {
  const { homes } = deps;
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const caller = c.get('caller');
      return answerJson(homes.list(caller).map((home) => presentHome(deps, caller, home)));
    })
    .post('/', async (c) => {
      const caller = c.get('caller');
      return answerJson(presentHome(deps, caller, homes.create(caller, await readBody(c, NewHome))));
    })
    .patch('/:id', async (c) => {
      const caller = c.get('caller');
      const home = homes.update(caller, c.req.param('id'), await readBody(c, HomeChanges));
      return answerJson(presentHome(deps, caller, home));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = homes.get(caller, c.req.param('id'));
      homes.delete(caller, id);
      return answerJson({ success: true, homeId: id });
    });
}
