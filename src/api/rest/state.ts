import type { Access } from '../../app/access/authorize.ts';
import { insufficientPermissions } from '../../app/access/authorize.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { Control } from '../../app/control/control.ts';
import type { ServiceGroups } from '../../app/groups/service-groups.ts';
import type { Homes } from '../../app/layout/homes.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Home } from '../../home/model.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type ApiContext, headerOf } from '../env.ts';
import { acceptsGzip, matchesEtag } from '../negotiate.ts';
import { answerJson } from '../respond.ts';
import type { NameSpace } from './name-directory.ts';
import { readJson } from './request.ts';
import { type CachedState, type Rendered, StateCache } from './state-cache.ts';
import { presentNames, presentTree, summarize } from './state-present.ts';
import { parseStateQuery, type StateQuery, selectState } from './state-query.ts';
import { reportStateWrite } from './state-report.ts';
import { parseStateWrite, type StateWrite } from './state-write.ts';

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

/**
 * Handles the body of `POST /rest/state`, for every route that takes one. @throws as `parseStateWrite` ·
 * `insufficient_permissions`
 */
export async function writeState(deps: StateRoutesDeps, caller: Caller, body: unknown): Promise<object> {
  const request = parseRequest(deps, caller, body);
  requireControlOfNamed(deps, caller, request);
  const report = reportStateWrite(request, await deps.serviceGroups.setProperties(caller, request.targets));
  return request.withSuccess ? { success: report.failed === 0, ...report } : report;
}

/** @throws also `insufficient_permissions` the one home that it names is not among the caller's */
function parseRequest(deps: StateRoutesDeps, caller: Caller, body: unknown): StateWrite {
  try {
    return parseStateWrite(body, nameSpace(deps, caller));
  } catch (error) {
    if (error instanceof HearthError && error.code === 'home_not_found') {
      deps.access.requireSeesEveryHome(caller, deps.state.homes());
    }
    throw error;
  }
}

/** @throws `insufficient_permissions` the caller may control none of the homes that a write names, existing or not */
function requireControlOfNamed(
  { access, state }: Pick<StateRoutesDeps, 'access' | 'state'>,
  caller: Caller,
  { homeIds, namesOtherHome }: Pick<StateWrite, 'homeIds' | 'namesOtherHome'>,
): void {
  const named = [...homeIds];
  if (named.some((id) => access.mayIn(caller, 'control', id))) return;
  if (named.length > 0) throw insufficientPermissions();
  if (namesOtherHome) access.requireSeesEveryHome(caller, state.homes());
}

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
