/** Homes as operations. */
import { HomeChanges, NewHome } from '../../contract/homes.ts';
import { parseInput } from '../../contract/parse.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Home, Room } from '../../home/model.ts';
import { requireFreeName } from '../../home/names.ts';
import type { PairingDriver } from '../../home/pairing-driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { AccessLevel } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { LayoutStore } from './layout-store.ts';
import { hashOfPicture, type KeptPicture, keptPicture } from './picture.ts';

const DEFAULT_ROOM_NAME = 'Default Room';

/** Ensures that every home has an owner. */
interface Owners {
  /** Runs in the transaction that creates the home. @param userId `null`: no user requested it */
  assignOwner(homeId: string, userId: string | null): void;
}

interface HomesDeps extends AppDeps<'state' | 'access' | 'clock'> {
  readonly store: LayoutStore;
  readonly driver: Pick<PairingDriver, 'listPaired' | 'setHomePaused'>;
  readonly members: Owners;
}

export class Homes {
  readonly #deps: HomesDeps;

  constructor(deps: HomesDeps) {
    this.#deps = deps;
  }

  /** The homes that the caller may view, oldest first. */
  list(caller: Caller): readonly Home[] {
    return this.#deps.access.visibleHomes(caller, this.#deps.state.homes());
  }

  /** Requires view access. @throws `home_not_found` */
  get(caller: Caller, id: string): Home {
    return this.#authorized(caller, 'view', id);
  }

  /**
   * Creates a home with its default room, owned by the caller's user, otherwise by the relay's founder. Requires the
   * system or an owner.
   * @throws `insufficient_permissions` · `invalid_value` the name · `conflict` the name is taken
   */
  create(caller: Caller, input: NewHome): Home {
    this.#deps.access.authorizeAny(caller, 'own');
    const { name } = parseInput(NewHome, input);
    requireFreeName(name, 'home', this.#deps.state.homes());
    const id = newId();
    const adopt = (): void => this.#deps.members.assignOwner(id, ownerOf(caller) ?? null);
    const home = createHomeWithRoom({ id, name }, this.#deps.store, this.#deps.state, this.#deps.clock, adopt);
    this.#deps.driver.setHomePaused(home.id, false);
    return home;
  }

  /**
   * Renames a home, pauses or resumes its driver, and sets its platform privileges, time zone, location and background,
   * atomically.
   * Requires an admin.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` · `conflict` the name is taken
   */
  update(caller: Caller, id: string, input: HomeChanges): Home {
    const home = this.#authorized(caller, 'manage', id);
    const changed = { ...home, ...parseInput(HomeChanges, input) };
    requireFreeName(changed.name, 'home', this.#deps.state.homes(), home.id);
    this.#deps.store.saveHome(changed);
    this.#deps.state.putHome(changed);
    if (changed.paused !== home.paused) this.#deps.driver.setHomePaused(home.id, changed.paused);
    return changed;
  }

  /** Requires view access. @throws `home_not_found` · `not_found` it has no picture */
  picture(caller: Caller, id: string): KeptPicture {
    const { id: homeId, name, pictureHash } = this.#authorized(caller, 'view', id);
    return keptPicture(name, pictureHash, this.#deps.store.findPicture('home', homeId));
  }

  /**
   * Sets or replaces what is behind the tiles: JPEG, PNG or WebP of at most 200 kB. Requires an admin.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` no such picture, or an incomplete one ·
   *         `payload_too_large`
   */
  setPicture(caller: Caller, id: string, picture: Uint8Array): Home {
    const home = this.#authorized(caller, 'manage', id);
    const pictureHash = hashOfPicture(picture);
    this.#deps.store.savePicture('home', home.id, picture, pictureHash);
    return this.#show({ ...home, pictureHash });
  }

  /** Removes its picture, if it has one. Requires an admin. @throws as `setPicture` */
  removePicture(caller: Caller, id: string): Home {
    const home = this.#authorized(caller, 'manage', id);
    if (home.pictureHash === null) return home;
    this.#deps.store.deletePicture('home', home.id);
    return this.#show({ ...home, pictureHash: null });
  }

  /**
   * Deletes a home with its rooms. Requires an owner.
   * @throws `home_not_found` · `insufficient_permissions` · `conflict` it is the last home, or still has accessories
   */
  delete(caller: Caller, id: string): void {
    const home = this.#authorized(caller, 'own', id);
    if (this.#deps.state.homes().length === 1) {
      throw new HearthError('conflict', `${home.name} is the only home. Create another one first.`, {
        reason: 'last_home',
      });
    }
    const left = this.#deps.state.accessories(home.id);
    if (left.length > 0 && left.every(({ virtual }) => virtual !== null)) {
      throw new HearthError('conflict', `${home.name} still has virtual accessories. Delete them first.`, {
        reason: 'home_not_empty',
      });
    }
    const isPaired = this.#deps.driver.listPaired().some((device) => device.homeId === home.id);
    // The database also checks this: a pairing in progress has a row before it is visible.
    if (isPaired || left.length > 0 || !this.#deps.store.deleteHome(home.id)) {
      throw new HearthError('conflict', `${home.name} still has accessories. Unpair them first.`, {
        reason: 'home_not_empty',
      });
    }
    this.#deps.state.removeHome(home.id);
    this.#deps.driver.setHomePaused(home.id, true);
  }

  #show(home: Home): Home {
    this.#deps.state.putHome(home);
    return home;
  }

  #authorized(caller: Caller, action: AccessLevel, id: string): Home {
    return this.#deps.access.authorizeHome(caller, action, this.#deps.state.home(id));
  }
}

/**
 * Stores and shows a new home with its default room. If only the home's row was lost, its rooms may still exist.
 * @param alongside writes in the same transaction
 */
export function createHomeWithRoom(
  { id, name }: { id: string; name: string },
  store: LayoutStore,
  state: HomeState,
  clock: Clock,
  alongside: () => void = () => {},
): Home {
  const createdAt = clock.now();
  const home: Home = {
    id,
    name,
    privileges: 'edit',
    paused: false,
    timeZone: null,
    location: null,
    background: null,
    pictureHash: null,
    createdAt,
  };
  const hasDefaultRoom = store.loadRooms().some((room) => room.homeId === id && room.isDefault);
  const room: Room = {
    id: newId(),
    homeId: id,
    name: DEFAULT_ROOM_NAME,
    isDefault: true,
    color: null,
    pictureHash: null,
    createdAt,
  };
  store.transaction(() => {
    store.saveHome(home);
    if (!hasDefaultRoom) store.saveRoom(room);
    alongside();
  });
  state.putHome(home);
  if (!hasDefaultRoom) state.putRoom(room);
  return home;
}
