/** Rooms as operations. */
import { parseInput } from '../../contract/parse.ts';
import { NewRoom, RoomChanges } from '../../contract/rooms.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Home, Room } from '../../home/model.ts';
import { requireFreeName } from '../../home/names.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Access, AccessLevel } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { requireFreeInRoom } from './accessories.ts';
import type { LayoutStore } from './layout-store.ts';

/** More than any home has, and few enough that a runaway script does no harm. */
const MAX_ROOMS_PER_HOME = 500;

export class Rooms {
  readonly #store: LayoutStore;
  readonly #state: HomeState;
  readonly #access: Access;
  readonly #clock: Clock;

  constructor(deps: { store: LayoutStore; state: HomeState; access: Access; clock: Clock }) {
    this.#store = deps.store;
    this.#state = deps.state;
    this.#access = deps.access;
    this.#clock = deps.clock;
  }

  /** The rooms of one home, or of every home that the caller may view, by name. @throws `home_not_found` */
  list(caller: Caller, homeId?: string): readonly Room[] {
    if (homeId !== undefined) return this.#state.rooms(this.#authorizedHome(caller, 'view', homeId).id);
    return this.#access.visibleHomes(caller, this.#state.homes()).flatMap(({ id }) => this.#state.rooms(id));
  }

  /** Requires view access to its home. @throws `room_not_found` */
  get(caller: Caller, id: string): Room {
    return this.#authorized(caller, 'view', id);
  }

  /**
   * Creates a room. Requires an admin of the home.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` the name · `conflict` the name is taken, or
   *         there are too many
   */
  create(caller: Caller, input: NewRoom): Room {
    const home = this.#authorizedHome(caller, 'manage', input.homeId);
    const { name } = parseInput(NewRoom, input);
    requireFreeName(name, 'room', this.#state.rooms(home.id));
    if (this.#state.rooms(home.id).length >= MAX_ROOMS_PER_HOME) {
      throw new HearthError('conflict', `A home has at most ${MAX_ROOMS_PER_HOME} rooms. Delete one first.`, {
        reason: 'limit_reached',
      });
    }
    const room: Room = { id: newId(), homeId: home.id, name, isDefault: false, createdAt: this.#clock.now() };
    this.#store.saveRoom(room);
    this.#state.putRoom(room);
    return room;
  }

  /**
   * Renames a room, also the default one. Requires an admin of its home.
   * @throws `room_not_found` · `insufficient_permissions` · `invalid_value` the name · `conflict` the name is taken
   */
  rename(caller: Caller, id: string, name: string): Room {
    const room = this.#authorized(caller, 'manage', id);
    const renamed: Room = { ...room, ...parseInput(RoomChanges, { name }) };
    requireFreeName(renamed.name, 'room', this.#state.rooms(room.homeId), room.id);
    this.#store.saveRoom(renamed);
    this.#state.putRoom(renamed);
    return renamed;
  }

  /**
   * Deletes a room and moves its accessories to the default room. Requires an admin of its home.
   * @throws `room_not_found` · `insufficient_permissions` · `conflict` it is the default room, or a virtual accessory
   *         in it has a name that exists there
   */
  delete(caller: Caller, id: string): void {
    const room = this.#authorized(caller, 'manage', id);
    const fallback = this.#state.rooms(room.homeId).find(({ isDefault }) => isDefault);
    if (room.isDefault || !fallback) {
      throw new HearthError(
        'conflict',
        `${room.name} is the default room: accessories without a place of their own are there.`,
        { reason: 'default_room' },
      );
    }
    const moved = this.#state.accessories(room.homeId).filter(({ roomId }) => roomId === room.id);
    const virtual = moved.filter((accessory) => accessory.virtual !== null);
    requireFreeInRoom(
      this.#state,
      fallback.id,
      virtual.map(({ name }) => name),
    );
    this.#store.transaction(() => {
      this.#store.moveAccessories(room.id, fallback.id);
      this.#store.deleteRoom(room.id);
    });
    this.#state.putAccessories(moved.map((accessory) => ({ ...accessory, roomId: fallback.id })));
    this.#state.removeRoom(room.id);
  }

  #authorizedHome(caller: Caller, action: AccessLevel, id: string): Home {
    return this.#access.authorizeHome(caller, action, this.#state.home(id));
  }

  #authorized(caller: Caller, action: AccessLevel, id: string): Room {
    return this.#access.authorizeIn(caller, action, this.#state.room(id), 'room_not_found');
  }
}
