import type { AppDeps } from '../../app/access/app-deps.ts';
import type { Caller } from '../../app/access/caller.ts';
import type { Homes } from '../../app/layout/homes.ts';
import type { Home } from '../../contract/homes.ts';
import type { Home as StoredHome } from '../../home/model.ts';
import { slugKey } from '../../home/slug.ts';

export interface HomePresenterDeps extends AppDeps<'state' | 'access'> {
  readonly homes: Homes;
}

/** The API document's fields, and those that existing clients read (wire-facts §2.8). */
export function presentHome({ state, access, homes }: HomePresenterDeps, caller: Caller, home: StoredHome): Home {
  const { id, name, paused, privileges, timeZone, location, background, pictureHash } = home;
  return {
    id,
    name,
    key: slugKey(name, id),
    connected: state.isConnected(id),
    role: access.roleIn(caller, id) ?? 'view',
    isPrimary: homes.list(caller)[0]?.id === id,
    isAdmin: privileges === 'edit',
    roomCount: state.rooms(id).length,
    accessoryCount: state.accessories(id).length,
    paused,
    privileges,
    timeZone,
    location: location && {
      latitude: location.latitude,
      longitude: location.longitude,
      radius: location.radiusM,
    },
    background,
    pictureHash,
  };
}
