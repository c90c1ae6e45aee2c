import type { HomeState } from '../../home/home-state.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type Access, insufficientPermissions } from './authorize.ts';
import type { Caller } from './caller.ts';

/**
 * The home in which an admin adds something: a device, a publication. Optional if the caller manages only one home.
 * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` · `invalid_request` which home?
 */
export function managedHome(
  { state, access }: { readonly state: HomeState; readonly access: Access },
  caller: Caller,
  homeId: unknown,
): string {
  if (typeof homeId === 'string') return access.authorizeHome(caller, 'manage', state.home(homeId.trim())).id;
  const managed = state.homes().filter(({ id }) => access.mayIn(caller, 'manage', id));
  const [only] = managed;
  if (only === undefined) throw insufficientPermissions();
  if (homeId !== undefined && homeId !== null) {
    throw new HearthError('invalid_value', 'Invalid value for homeId: give a text.', { field: 'homeId' });
  }
  if (managed.length === 1) return only.id;
  throw new HearthError('invalid_request', 'There are several homes: choose one with homeId.', { field: 'homeId' });
}
