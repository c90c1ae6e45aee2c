/** Operations on the names, rooms and icons of accessories. Reading and writing values is in `app/control`. */
import { AccessoryChanges, type AccessoryUse } from '../../contract/accessories.ts';
import { parseInput } from '../../contract/parse.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory } from '../../home/model.ts';
import { nameKey } from '../../home/names.ts';
import { HearthError } from '../../kernel/errors.ts';
import { type Access, notFound } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import { type LayoutStore, placeAccessory, type StoredAccessory, shownName } from './layout-store.ts';
import type { References } from './references.ts';

export class Accessories {
  readonly #store: LayoutStore;
  readonly #state: HomeState;
  readonly #access: Access;
  readonly #references: Pick<References, 'usesOf'>;

  constructor(deps: {
    store: LayoutStore;
    state: HomeState;
    access: Access;
    references: Pick<References, 'usesOf'>;
  }) {
    this.#store = deps.store;
    this.#state = deps.state;
    this.#access = deps.access;
    this.#references = deps.references;
  }

  /**
   * The automations, scenes and groups that use an accessory or a service group, by kind and name. Requires view access
   * to its whole home. @throws `accessory_not_found`
   */
  usesOf(caller: Caller, id: string): readonly AccessoryUse[] {
    const thing = this.#state.accessory(id) ?? this.#state.serviceGroups.find(id);
    const { id: found } = this.#access.authorizeIn(caller, 'view', thing, 'accessory_not_found');
    return this.#references
      .usesOf(found)
      .toSorted((a, b) => a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name));
  }

  /**
   * Renames and moves an accessory and sets its icon, atomically. Requires an admin of its home.
   * @throws `accessory_not_found` · `insufficient_permissions` · `invalid_value` the name or the icon ·
   *         `room_not_found` not a room of its home · `conflict` the name of a virtual accessory is taken in its room
   */
  update(caller: Caller, id: string, input: AccessoryChanges): Accessory {
    const accessory = this.#access.authorizeAccessory(caller, 'manage', this.#state.accessory(id));
    const { name, roomId, icon } = parseInput(AccessoryChanges, input);
    const stored = this.#store.findAccessory(accessory.id);
    if (!stored)
      throw new HearthError('conflict', `${accessory.name} could not be stored yet. Try again in a moment.`, {
        reason: 'not_yet',
      });
    const changed: StoredAccessory = {
      ...stored,
      customName: name === undefined ? stored.customName : name,
      roomId: roomId === undefined ? stored.roomId : parseRoom(this.#state, accessory.homeId, roomId),
      icon: icon === undefined ? stored.icon : icon,
    };
    if (accessory.virtual !== null) requireFreeInRoom(this.#state, changed.roomId, [shownName(changed)], accessory.id);
    this.#store.saveAccessory(changed);
    this.#state.putAccessories([placeAccessory(changed, accessory)]);
    return accessory;
  }
}

/** @returns the id of a room of this home. @throws `invalid_value` · `room_not_found` */
export function parseRoom(state: HomeState, homeId: string, input: unknown): string {
  if (typeof input !== 'string') {
    throw new HearthError('invalid_value', 'Invalid value for roomId: give the id of a room.', { field: 'roomId' });
  }
  const room = state.room(input);
  if (room?.homeId !== homeId) throw notFound('room_not_found');
  return room.id;
}

/**
 * The name of a virtual accessory must be unique within its room. Devices name themselves and are not checked.
 * @throws `conflict`
 */
export function requireFreeInRoom(state: HomeState, roomId: string, names: readonly string[], exceptId?: string): void {
  const room = state.room(roomId);
  const keys = new Set(names.map(nameKey));
  const twin = state
    .accessories(room?.homeId)
    .find((accessory) => accessory.roomId === roomId && accessory.id !== exceptId && keys.has(nameKey(accessory.name)));
  if (!twin) return;
  throw new HearthError('conflict', `${room?.name ?? 'The room'} has an accessory named "${twin.name}" already.`, {
    reason: 'name_taken',
    field: 'name',
  });
}
