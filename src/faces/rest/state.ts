import type { Access } from '../../app/access/authorize.ts';
import { insufficientPermissions } from '../../app/access/authorize.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { Control } from '../../app/control/control.ts';
import type { ServiceGroups } from '../../app/groups/service-groups.ts';
import type { Homes } from '../../app/layout/homes.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Home } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type FaceContext, headerOf } from '../env.ts';
import { acceptsGzip, matchesEtag } from '../negotiate.ts';
import { answerJson } from '../respond.ts';
import type { NameSpace } from './name-directory.ts';
import { readJson } from './request.ts';
import { type CachedState, type Rendered, StateCache } from './state-cache.ts';
import { presentNames, presentTree, summarize } from './state-present.ts';
import { parseStateQuery, type StateQuery, selectState } from './state-query.ts';
import { reportStateWrite } from './state-report.ts';
import { parseStateWrite } from './state-write.ts';

export interface StateRoutesDeps {
  readonly state: HomeState;
  readonly access: Access;
  readonly homes: Homes;
  readonly control: Control;
  readonly serviceGroups: ServiceGroups;
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
    // Who sees the same homes sees the same accessories: callers of this face reach over whole homes.
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

type Handler = (c: FaceContext) => Response | Promise<Response>;

/** What `POST /rest/state` does with its body, whoever brings it. @throws as `parseStateWrite` · `insufficient_permissions` */
export async function writeState(deps: StateRoutesDeps, caller: Caller, body: unknown): Promise<object> {
  const request = parseStateWrite(body, nameSpace(deps, caller));
  const named = [...request.homeIds];
  if (named.length > 0 && !named.some((id) => deps.access.mayIn(caller, 'control', id)))
    throw insufficientPermissions();
  const report = reportStateWrite(request, await deps.serviceGroups.setProperties(caller, request.targets));
  return request.withSuccess ? { success: report.failed === 0, ...report } : report;
}

function render(deps: StateRoutesDeps, caller: Caller, visible: readonly Home[], query: StateQuery): Rendered {
  const selected = selectState(deps, caller, visible, query.filters);
  if (query.form === 'names') return { json: JSON.stringify(presentNames(selected)) };
  const { state, sceneNames } = deps;
  const tree = presentTree({ state, sceneNames }, selected, visible);
  return { json: JSON.stringify(tree), message: summarize(selected, visible, query.filters) };
}

function answerState(c: FaceContext, cached: CachedState, now: number): Response | Promise<Response> {
  const { plain, gzipped, empty } = cached.headers;
  if (matchesEtag(headerOf(c, 'if-none-match'), cached.etag))
    return new Response(null, { status: 304, headers: empty });
  const body = cached.body(now);
  if (body.byteLength < MIN_COMPRESSED_BYTES || !acceptsGzip(headerOf(c, 'accept-encoding'))) {
    return new Response(body, { headers: plain });
  }
  return cached.gzipped(now).then((bytes) => new Response(bytes, { headers: gzipped }));
}

function nameSpace({ state, homes, control, serviceGroups }: StateRoutesDeps, caller: Caller): NameSpace {
  return {
    homes: homes.list(caller),
    rooms: (homeId) => state.rooms(homeId),
    accessories: (homeId) => [
      ...control.listAccessories(caller, { homeId }),
      ...serviceGroups.accessories(caller, homeId),
    ],
  };
}
