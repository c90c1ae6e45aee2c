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
import { hashOfPicture, type KeptPicture, keptPicture } from './picture.ts';

/** More than any home has, and few enough that a runaway script does no harm. */
const MAX_ROOMS_PER_HOME = 500;

/** They are in every backup. */
const MAX_PICTURES_PER_HOME = 100;

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
    const { name, color = null } = parseInput(NewRoom, input);
    requireFreeName(name, 'room', this.#state.rooms(home.id));
    if (this.#state.rooms(home.id).length >= MAX_ROOMS_PER_HOME) {
      throw new HearthError('conflict', `A home has at most ${MAX_ROOMS_PER_HOME} rooms. Delete one first.`, {
        reason: 'limit_reached',
      });
    }
    const place = { id: newId(), homeId: home.id, isDefault: false, createdAt: this.#clock.now() };
    return this.#save({ ...place, name, color, pictureHash: null });
  }

  /**
   * Renames a room, also the default one, and sets its color. Requires an admin of its home.
   * @throws `room_not_found` · `insufficient_permissions` · `invalid_value` the name or the color · `conflict` the name
   *         is taken
   */
  update(caller: Caller, id: string, input: RoomChanges): Room {
    const room = this.#authorized(caller, 'manage', id);
    const { name = room.name, color = room.color } = parseInput(RoomChanges, input);
    requireFreeName(name, 'room', this.#state.rooms(room.homeId), room.id);
    return this.#save({ ...room, name, color });
  }

  /** Requires view access to its home. @throws `room_not_found` · `not_found` it has no picture */
  picture(caller: Caller, id: string): KeptPicture {
    const { id: roomId, name, pictureHash: hash } = this.#authorized(caller, 'view', id);
    return keptPicture(name, hash, this.#store.findPicture('room', roomId));
  }

  /**
   * Sets or replaces the picture of a room: JPEG, PNG or WebP of at most 200 kB. Requires an admin of its home.
   * @throws `room_not_found` · `insufficient_permissions` · `invalid_value` no such picture, or an incomplete one ·
   *         `payload_too_large` · `conflict` the home has too many pictures
   */
  setPicture(caller: Caller, id: string, picture: Uint8Array): Room {
    const room = this.#authorized(caller, 'manage', id);
    const pictureHash = hashOfPicture(picture);
    const others = this.#state.rooms(room.homeId).filter((one) => one.id !== room.id && one.pictureHash !== null);
    if (others.length >= MAX_PICTURES_PER_HOME) {
      throw new HearthError('conflict', `A home has at most ${MAX_PICTURES_PER_HOME} pictures. Remove one first.`, {
        reason: 'limit_reached',
      });
    }
    this.#store.savePicture('room', room.id, picture, pictureHash);
    return this.#show({ ...room, pictureHash });
  }

  /** Removes its picture, if it has one. Requires an admin of its home. @throws as `setPicture` */
  removePicture(caller: Caller, id: string): Room {
    const room = this.#authorized(caller, 'manage', id);
    if (room.pictureHash === null) return room;
    this.#store.deletePicture('room', room.id);
    return this.#show({ ...room, pictureHash: null });
  }

  /**
   * Deletes a room with its picture and moves its accessories to the default room. Requires an admin of its home.
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

  #save(room: Room): Room {
    this.#store.saveRoom(room);
    return this.#show(room);
  }

  #show(room: Room): Room {
    this.#state.putRoom(room);
    return room;
  }

  #authorizedHome(caller: Caller, action: AccessLevel, id: string): Home {
    return this.#access.authorizeHome(caller, action, this.#state.home(id));
  }

  #authorized(caller: Caller, action: AccessLevel, id: string): Room {
    return this.#access.authorizeIn(caller, action, this.#state.room(id), 'room_not_found');
  }
}
