/** Named sets of rooms as operations. Zones and room groups follow the same rules under different names. */
import type { NewRoomSet, RoomSetChanges } from '../../contract/rooms.ts';
import type { HomeItems } from '../../home/collection.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Zone } from '../../home/model.ts';
import { parseName, requireFreeName } from '../../home/names.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { type Access, type AccessLevel, notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { parseIdList } from './id-list.ts';
import type { RoomSetStore } from './room-set-store.ts';

/** More than any home needs, and few enough that a runaway script does no harm. */
const MAX_SETS_PER_HOME = 200;
const MAX_ROOMS = 500;

interface RoomSetDeps extends AppDeps<'state' | 'access' | 'clock'> {
  readonly store: RoomSetStore;
}

/** The names of one kind of set. */
interface Kind {
  readonly title: 'Zone' | 'Room group';
  readonly notFound: 'zone_not_found' | 'not_found';
}

export class RoomSets implements Startable {
  readonly #store: RoomSetStore;
  readonly #state: HomeState;
  readonly #access: Access;
  readonly #clock: Clock;
  readonly #sets: HomeItems<Zone>;
  readonly #kind: Kind;

  constructor({ store, state, access, clock }: RoomSetDeps, sets: HomeItems<Zone>, kind: Kind) {
    this.#store = store;
    this.#state = state;
    this.#access = access;
    this.#clock = clock;
    this.#sets = sets;
    this.#kind = kind;
  }

  /** Loads the stored sets. Call after the layout is loaded and before any request. */
  start(): void {
    this.#sets.restore(this.#store.load());
  }

  stop(): void {}

  /** Those of one home, or of every home that the caller may view, by name. @throws `home_not_found` */
  list(caller: Caller, homeId?: string): readonly Zone[] {
    if (homeId !== undefined) return this.#sets.list(this.#authorizedHome(caller, 'view', homeId));
    return this.#access.visibleHomes(caller, this.#state.homes()).flatMap(({ id }) => this.#sets.list(id));
  }

  /** Requires view access to its home. @throws `zone_not_found`, for a room group `not_found` */
  get(caller: Caller, id: string): Zone {
    return this.#authorized(caller, 'view', id);
  }

  /**
   * Creates a set. Its rooms keep the given order; the list may be empty. Requires an admin of the home.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` the name or the list · `room_not_found` not
   *         a room of this home · `conflict` the name is taken, or there are too many
   */
  create(caller: Caller, input: NewRoomSet): Zone {
    const homeId = this.#authorizedHome(caller, 'manage', input.homeId);
    const name = parseName(input.name, `${this.#kind.title} name`);
    const roomIds = this.#parseRooms(homeId, input.roomIds);
    requireFreeName(name, this.#kind.title.toLowerCase(), this.#sets.list(homeId));
    if (this.#sets.list(homeId).length >= MAX_SETS_PER_HOME) {
      throw new HearthError('conflict', `A home has at most ${MAX_SETS_PER_HOME} of these. Delete one first.`, {
        reason: 'limit_reached',
      });
    }
    return this.#save({ id: newId(), homeId, name, roomIds, createdAt: this.#clock.now() });
  }

  /**
   * Renames it and replaces its rooms, atomically. Requires an admin of its home.
   * @throws as `create`, and `zone_not_found`, for a room group `not_found`
   */
  update(caller: Caller, id: string, changes: RoomSetChanges): Zone {
    const set = this.#authorized(caller, 'manage', id);
    const name = changes.name === undefined ? set.name : parseName(changes.name, `${this.#kind.title} name`);
    const roomIds = changes.roomIds === undefined ? set.roomIds : this.#parseRooms(set.homeId, changes.roomIds);
    requireFreeName(name, this.#kind.title.toLowerCase(), this.#sets.list(set.homeId), set.id);
    return this.#save({ ...set, name, roomIds });
  }

  /**
   * Deletes the set; its rooms stay. Requires an admin of its home.
   * @throws `zone_not_found`, for a room group `not_found` · `insufficient_permissions`
   */
  delete(caller: Caller, id: string): void {
    const set = this.#authorized(caller, 'manage', id);
    this.#store.delete(set.id);
    this.#sets.remove(set.id);
  }

  #save(set: Zone): Zone {
    this.#store.save(set);
    this.#sets.put(set);
    return set;
  }

  #parseRooms(homeId: string, input: unknown): readonly string[] {
    const ids = parseIdList(input, 'roomIds', MAX_ROOMS);
    if (ids.some((id) => this.#state.room(id)?.homeId !== homeId)) throw notFound('room_not_found');
    return ids;
  }

  #authorizedHome(caller: Caller, action: AccessLevel, id: string): string {
    return this.#access.authorizeHome(caller, action, this.#state.home(id)).id;
  }

  #authorized(caller: Caller, action: AccessLevel, id: string): Zone {
    return this.#access.authorizeIn(caller, action, this.#sets.find(id), this.#kind.notFound);
  }
}

/** Zones (API §4.2): parts of a home, such as a floor. */
export class Zones extends RoomSets {
  constructor(deps: RoomSetDeps) {
    super(deps, deps.state.zones, { title: 'Zone', notFound: 'zone_not_found' });
  }
}

/** Room groups (API §2.5): rooms that are shared together. */
export class RoomGroups extends RoomSets {
  constructor(deps: RoomSetDeps) {
    super(deps, deps.state.roomGroups, { title: 'Room group', notFound: 'not_found' });
  }
}
