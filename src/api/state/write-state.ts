import type { AppDeps } from '../../app/access/app-deps.ts';
import { insufficientPermissions } from '../../app/access/authorize.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { ServiceGroups } from '../../app/groups/service-groups.ts';
import type { Homes } from '../../app/layout/homes.ts';
import { HearthError } from '../../kernel/errors.ts';
import { NameDirectory } from './name-directory.ts';
import { parseStateWrite, type StateWrite } from './parse-write.ts';
import { reportStateWrite } from './write-report.ts';

export interface StateWriteDeps extends AppDeps<'state' | 'access'> {
  readonly homes: Homes;
  readonly serviceGroups: ServiceGroups;
}

/**
 * Handles the body of `POST /rest/state`, for every route that takes one. @throws as `parseStateWrite` ·
 * `insufficient_permissions`
 */
export async function writeState(deps: StateWriteDeps, caller: Caller, body: unknown): Promise<object> {
  const request = parseRequest(deps, caller, body);
  requireControlOfNamed(deps, caller, request);
  const report = reportStateWrite(request, await deps.serviceGroups.setProperties(caller, request.targets));
  return request.withSuccess ? { success: report.failed === 0, ...report } : report;
}

/** @throws also `insufficient_permissions` the one home that it names is not among the caller's */
function parseRequest(deps: StateWriteDeps, caller: Caller, body: unknown): StateWrite {
  try {
    return parseStateWrite(body, new NameDirectory(deps.state, deps.homes.list(caller)));
  } catch (error) {
    if (error instanceof HearthError && error.code === 'home_not_found') {
      deps.access.requireSeesEveryHome(caller, deps.state.homes());
    }
    throw error;
  }
}

/** @throws `insufficient_permissions` the caller may control none of the homes that a write names, existing or not */
function requireControlOfNamed(
  { access, state }: Pick<StateWriteDeps, 'access' | 'state'>,
  caller: Caller,
  { homeIds, namesOtherHome }: Pick<StateWrite, 'homeIds' | 'namesOtherHome'>,
): void {
  const named = [...homeIds];
  if (named.some((id) => access.mayIn(caller, 'control', id))) return;
  if (named.length > 0) throw insufficientPermissions();
  if (namesOtherHome) access.requireSeesEveryHome(caller, state.homes());
}
