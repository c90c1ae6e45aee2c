/** What the home says about accessories (their names and rooms) as operations. Reading and writing values is `app/control`. */
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory } from '../../home/model.ts';
import { parseName } from '../../home/names.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type Access, notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { type LayoutStore, placeAccessory, type StoredAccessory } from './layout-store.ts';

export interface AccessoryChanges {
  /** `null` restores the device's own name. */
  readonly name?: unknown;
  /** A room of the same home. */
  readonly roomId?: unknown;
}

export class Accessories {
  readonly #store: LayoutStore;
  readonly #state: HomeState;
  readonly #access: Access;

  constructor(parts: { store: LayoutStore; state: HomeState; access: Access }) {
    this.#store = parts.store;
    this.#state = parts.state;
    this.#access = parts.access;
  }

  /**
   * Renames and moves an accessory; both or neither. For admins of its home.
   * @throws `accessory_not_found` · `insufficient_permissions` · `invalid_value` the name · `room_not_found` no room of its home
   */
  update(caller: Caller, id: string, changes: AccessoryChanges): Accessory {
    const accessory = this.#state.accessory(id);
    if (!accessory) throw notFound('accessory_not_found');
    this.#access.authorizeAccessory(caller, 'manage', accessory);
    const stored = this.#store.findAccessory(accessory.id);
    if (!stored) throw new HearthError('conflict', `${accessory.name} could not be stored yet. Try again in a moment.`);
    const changed: StoredAccessory = {
      ...stored,
      customName: changes.name === undefined ? stored.customName : parseCustomName(changes.name),
      roomId: changes.roomId === undefined ? stored.roomId : this.#parseRoom(accessory.homeId, changes.roomId),
    };
    this.#store.saveAccessory(changed);
    this.#state.putAccessories([placeAccessory(changed, accessory)]);
    return accessory;
  }

  #parseRoom(homeId: string, input: unknown): string {
    if (typeof input !== 'string') {
      throw new HearthError('invalid_value', 'Invalid value for roomId: give the id of a room.', { field: 'roomId' });
    }
    const room = this.#state.room(input);
    if (room?.homeId !== homeId) throw notFound('room_not_found');
    return room.id;
  }
}

function parseCustomName(input: unknown): string | null {
  return input === null ? null : parseName(input, 'Accessory name');
}
