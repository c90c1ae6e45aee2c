import { Hono } from 'hono';
import type { Caller } from '../../app/access/caller.ts';
import { HomeChanges, NewHome } from '../../contract/homes.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ApiContext, ApiEnv, GuardedRequest } from '../env.ts';
import { type HomePresenterDeps, presentHome } from '../present/home.ts';
import type { QuickResource } from '../quick/quick-routes.ts';
import { readBytes, readInput } from '../read-body.ts';
import { answerJson, type PlainAnswer } from '../respond.ts';
import { answered, cachedAnswer } from './answer-cached.ts';
import { answerPicture } from './answer-picture.ts';
import { StateCache } from './state-cache.ts';

export interface HomeRoutesDeps extends HomePresenterDeps {
  readonly clock: Clock;
}

export function homeRoutes(deps: HomeRoutesDeps): QuickResource {
  const { homes, state, access, clock } = deps;
  const cache = new StateCache();
  const list = (c: GuardedRequest, caller: Caller): PlainAnswer | Promise<PlainAnswer> => {
    const visible = homes.list(caller);
    // A home shows the caller's role in it.
    const key = JSON.stringify(visible.map(({ id }) => [id, access.roleIn(caller, id)]));
    const cached = cache.get(key, state.revision, () => ({
      json: JSON.stringify(visible.map((home) => presentHome(deps, caller, home))),
    }));
    return cachedAnswer(c, cached, clock.now());
  };
  const routes = new Hono<ApiEnv>()
    .get('/', (c) => answered(list(c, c.get('caller'))))
    .post('/', async (c) => {
      const caller = c.get('caller');
      return answerJson(presentHome(deps, caller, homes.create(caller, await readInput(c, NewHome))));
    })
    .patch('/:id', async (c) => {
      const caller = c.get('caller');
      const home = homes.update(caller, c.req.param('id'), await readInput(c, HomeChanges));
      return answerJson(presentHome(deps, caller, home));
    })
    .get('/:id/picture', (c) => answerPicture(c, homes.picture(c.get('caller'), c.req.param('id'))))
    .delete('/:id/picture', (c) => {
      const caller = c.get('caller');
      return answerJson(presentHome(deps, caller, homes.removePicture(caller, c.req.param('id'))));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = homes.get(caller, c.req.param('id'));
      homes.delete(caller, id);
      return answerJson({ success: true, homeId: id });
    });
  return { routes, quick: [{ method: 'GET', path: '/rest/homes', answer: list }] };
}

/** A separate route, since its body is no JSON. The bytes decide what they are, not the Content-Type. */
export function homePictureUpload(deps: HomeRoutesDeps): (c: ApiContext) => Promise<Response> {
  return async (c) => {
    const caller = c.get('caller');
    const picture = new Uint8Array(await readBytes(c));
    return answerJson(presentHome(deps, caller, deps.homes.setPicture(caller, c.req.param('id') ?? '', picture)));
  };
}
