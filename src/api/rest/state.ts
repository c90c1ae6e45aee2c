import type { Caller } from '../../app/access/caller.ts';
import type { Home } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ApiContext, GuardedRequest } from '../env.ts';
import type { QuickRoute } from '../quick/quick-routes.ts';
import { readJson } from '../read-body.ts';
import { type PlainAnswer, plainJson, responseOf } from '../respond.ts';
import { presentNames, presentTree, summarize } from '../state/present-state.ts';
import { type StateSource, selectState } from '../state/select-state.ts';
import { type StateWriteDeps, writeState } from '../state/write-state.ts';
import { answered, cachedAnswer } from './answer-cached.ts';
import { type Rendered, StateCache } from './state-cache.ts';
import { EVERYTHING, parseStateQuery, type StateQuery } from './state-query.ts';

export interface StateRoutesDeps extends StateWriteDeps, StateSource {
  readonly clock: Clock;
  /** The scenes of a home by name, as `_scenes` lists them. */
  readonly sceneNames: (homeId: string) => readonly string[];
}

export interface StateRoutes {
  readonly read: Handler;
  readonly write: Handler;
  /** The same, of the whole state, for requests that don't pass through Hono. */
  readonly quick: readonly QuickRoute[];
}

export function stateRoutes(deps: StateRoutesDeps): StateRoutes {
  const { state, homes, clock } = deps;
  const cache = new StateCache();

  const readAs = (c: GuardedRequest, caller: Caller, query: StateQuery): PlainAnswer | Promise<PlainAnswer> => {
    const visible = homes.list(caller);
    // Callers with the same homes see the same accessories: in this API permissions cover whole homes.
    const key = visible.reduce((text, { id }) => text + id, query.key);
    return cachedAnswer(
      c,
      cache.get(key, state.version, () => render(deps, caller, visible, query)),
      clock.now(),
    );
  };

  const writeAs = async (caller: Caller, body: unknown): Promise<PlainAnswer> =>
    plainJson(await writeState(deps, caller, body));

  return {
    read: (c) => answered(readAs(c, c.get('caller'), parseStateQuery(c))),
    write: async (c) => responseOf(await writeAs(c.get('caller'), await readJson(c))),
    quick: [
      { method: 'GET', path: STATE_PATH, answer: (c, caller) => readAs(c, caller, EVERYTHING) },
      { method: 'POST', path: STATE_PATH, answer: (_, caller, { body }) => writeAs(caller, body) },
    ],
  };
}

const STATE_PATH = '/rest/state';

type Handler = (c: ApiContext) => Response | Promise<Response>;

function render(deps: StateRoutesDeps, caller: Caller, visible: readonly Home[], query: StateQuery): Rendered {
  const selected = selectState(deps, caller, visible, query.filters);
  if (query.form === 'names') return { json: JSON.stringify(presentNames(selected)) };
  const { state, sceneNames } = deps;
  const tree = presentTree({ state, sceneNames }, selected, visible);
  return { json: JSON.stringify(tree), message: summarize(selected, visible, query.filters) };
}
