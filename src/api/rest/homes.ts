import { Hono } from 'hono';
import { HomeChanges, NewHome } from '../../contract/homes.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ApiEnv } from '../env.ts';
import { type HomePresenterDeps, presentHome } from '../present/home.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';
import { answerCached } from './answer-cached.ts';
import { StateCache } from './state-cache.ts';

export interface HomeRoutesDeps extends HomePresenterDeps {
  readonly clock: Clock;
}

export function homeRoutes(deps: HomeRoutesDeps): Hono<ApiEnv> {
  const { homes, state, access, clock } = deps;
  const cache = new StateCache();
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const caller = c.get('caller');
      const visible = homes.list(caller);
      // A home shows the caller's role in it.
      const key = JSON.stringify(visible.map(({ id }) => [id, access.roleIn(caller, id)]));
      const list = cache.get(key, state.revision, () => ({
        json: JSON.stringify(visible.map((home) => presentHome(deps, caller, home))),
      }));
      return answerCached(c, list, clock.now());
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
