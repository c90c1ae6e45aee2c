import { Hono } from 'hono';
import { HomeChanges, NewHome } from '../../contract/homes.ts';
import type { ApiEnv } from '../env.ts';
import { type HomePresenterDeps, presentHome } from '../present/home.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export function homeRoutes(deps: HomePresenterDeps): Hono<ApiEnv> {
  const { homes } = deps;
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const caller = c.get('caller');
      return answerJson(homes.list(caller).map((home) => presentHome(deps, caller, home)));
    })
    .post('/', async (c) => {
      const caller = c.get('caller');
      return answerJson(presentHome(deps, caller, homes.create(caller, await readInput(c, NewHome))));
    })
    .patch('/:id', async (c) => {
      const caller = c.get('caller');
      const home = homes.update(caller, c.req.param('id'), await readInput(c, HomeChanges));
      return answerJson(presentHome(deps, caller, home));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = homes.get(caller, c.req.param('id'));
      homes.delete(caller, id);
      return answerJson({ success: true, homeId: id });
    });
}
