import type { Caller } from '../../app/access/caller.ts';
import type { Home } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type ApiContext, headerOf } from '../env.ts';
import { acceptsGzip, matchesEtag } from '../negotiate.ts';
import { readJson } from '../read-body.ts';
import { answerJson } from '../respond.ts';
import { presentNames, presentTree, summarize } from '../state/present-state.ts';
import { type StateSource, selectState } from '../state/select-state.ts';
import { type StateWriteDeps, writeState } from '../state/write-state.ts';
import { type CachedState, type Rendered, StateCache } from './state-cache.ts';
import { parseStateQuery, type StateQuery } from './state-query.ts';

export interface StateRoutesDeps extends StateWriteDeps, StateSource {
  readonly clock: Clock;
  /** The scenes of a home by name, as `_scenes` lists them. */
  readonly sceneNames: (homeId: string) => readonly string[];
}

/** Below this, compressing costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1_024;

export function stateRoutes(deps: StateRoutesDeps): { read: Handler; write: Handler } {
  const { state, homes, clock } = deps;
  const cache = new StateCache();

  const read: Handler = (c) => {
    const caller = c.get('caller');
    const query = parseStateQuery(c);
    const visible = homes.list(caller);
    // Callers with the same homes see the same accessories: in this API permissions cover whole homes.
    const key = visible.reduce((text, { id }) => text + id, query.key);
    return answerState(
      c,
      cache.get(key, state.version, () => render(deps, caller, visible, query)),
      clock.now(),
    );
  };

  const write: Handler = async (c) => answerJson(await writeState(deps, c.get('caller'), await readJson(c)));

  return { read, write };
}

type Handler = (c: ApiContext) => Response | Promise<Response>;

function render(deps: StateRoutesDeps, caller: Caller, visible: readonly Home[], query: StateQuery): Rendered {
  const selected = selectState(deps, caller, visible, query.filters);
  if (query.form === 'names') return { json: JSON.stringify(presentNames(selected)) };
  const { state, sceneNames } = deps;
  const tree = presentTree({ state, sceneNames }, selected, visible);
  return { json: JSON.stringify(tree), message: summarize(selected, visible, query.filters) };
}

function answerState(c: ApiContext, cached: CachedState, now: number): Response | Promise<Response> {
  const { plain, gzipped, empty } = cached.headers;
  if (matchesEtag(headerOf(c, 'if-none-match'), cached.etag))
    return new Response(null, { status: 304, headers: empty });
  const body = cached.body(now);
  if (body.byteLength < MIN_COMPRESSED_BYTES || !acceptsGzip(headerOf(c, 'accept-encoding'))) {
    return new Response(body, { headers: plain });
  }
  return cached.gzipped(now).then((bytes) => new Response(bytes, { headers: gzipped }));
}
