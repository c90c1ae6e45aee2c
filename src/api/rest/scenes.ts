/** Scenes (API §4.1): `/rest/scenes` by id, and `/rest/scene`, which executes one by its name in GET /rest/state. */
import { Hono } from 'hono';
import type { AppDeps } from '../../app/access/app-deps.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { Homes } from '../../app/layout/homes.ts';
import type { Scenes } from '../../app/scenes/scenes.ts';
import { NewScene, SceneCapture, SceneChanges, SceneName } from '../../contract/scenes.ts';
import type { Home } from '../../home/model.ts';
import { nameKey } from '../../home/names.ts';
import { slugKey } from '../../home/slug.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { presentExecution, presentScene } from '../present/scene.ts';
import { readBody, readInput } from '../read-body.ts';
import { queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export interface SceneRoutesDeps extends AppDeps<'state' | 'access'> {
  readonly scenes: Scenes;
  readonly homes: Homes;
}

export function sceneRoutes(deps: SceneRoutesDeps): Hono<ApiEnv> {
  const { scenes } = deps;
  return new Hono<ApiEnv>()
    .get('/', (c) =>
      answerJson(scenes.list(c.get('caller'), queryId(c, 'home')).map((scene) => presentScene(scene, deps))),
    )
    .post('/', async (c) => {
      const scene = scenes.create(c.get('caller'), await readInput(c, NewScene));
      return answerJson(presentScene(scene, deps));
    })
    .post('/capture', async (c) => {
      const scene = scenes.capture(c.get('caller'), await readInput(c, SceneCapture));
      return answerJson(presentScene(scene, deps));
    })
    .get('/:id', (c) => answerJson(presentScene(scenes.get(c.get('caller'), c.req.param('id')), deps)))
    .patch('/:id', async (c) => {
      const scene = scenes.update(c.get('caller'), c.req.param('id'), await readInput(c, SceneChanges));
      return answerJson(presentScene(scene, deps));
    })
    .delete('/:id', (c) => {
      const caller = c.get('caller');
      const { id } = scenes.get(caller, c.req.param('id'));
      scenes.delete(caller, id);
      return answerJson({ success: true, sceneId: id });
    })
    .post('/:id/execute', async (c) =>
      answerJson(presentExecution(await scenes.execute(c.get('caller'), c.req.param('id')))),
    );
}

/** POST `/rest/scene`. */
export function executeNamedScene(deps: SceneRoutesDeps): (c: ApiContext) => Promise<Response> {
  return async (c) => {
    const caller = c.get('caller');
    const { home, name } = await readBody(c, SceneName.partial());
    if (!isText(home) || !isText(name)) {
      throw new HearthError('invalid_request', "Both 'home' and 'name' are required", {
        field: isText(home) ? 'name' : 'home',
      });
    }
    const { scenes } = deps;
    const { id } = scenes.findByName(caller, findHome(deps, caller, home).id, name);
    return answerJson(presentExecution(await scenes.execute(caller, id)));
  };
}

/**
 * By slug key, by id or by name, ignoring case.
 * @throws `home_not_found` · `insufficient_permissions` it is not among the homes that a caller with limits sees
 */
function findHome({ homes, access, state }: SceneRoutesDeps, caller: Caller, text: string): Home {
  const wanted = text.trim().toLowerCase();
  const found = homes
    .list(caller)
    .find(({ id, name }) => id === wanted || slugKey(name, id) === wanted || nameKey(name) === nameKey(text));
  if (found) return found;
  access.requireSeesEveryHome(caller, state.homes());
  throw new HearthError('home_not_found', `Home not found: ${shorten(text)}`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
