/**
 * The whole home in memory: homes, rooms, accessories with their services and values. Reads never wait for a device.
 *
 * Pure and synchronous. Only the layout operations and the driver sink (`app/layout`) write to it; all other code only
 * reads. Returned objects are live: the same object shows the next value. Treat them as read only, and copy them for a
 * snapshot. This file writes nothing to disk; callers save a layout change before they apply it here.
 *
 * Lists have one stable order: homes by creation, rooms and accessories in natural order by name (`Lamp 2` before `Lamp
 * 10`), then by id.
 */
import { CHARACTERISTIC } from '../hap-spec/characteristics.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventBus } from '../kernel/event-bus.ts';
import { HomeItems } from './collection.ts';
import type { ChangeOrigin, HomeEvents } from './events.ts';
import type {
  Accessory,
  AccessoryAddress,
  Characteristic,
  CharacteristicRef,
  CharacteristicValue,
  HapId,
  Home,
  Room,
  RoomGroup,
  Scene,
  ServiceGroup,
  Zone,
} from './model.ts';
import { type Press, RecentPresses } from './recent-presses.ts';
import { type IndexedAccessory, indexSlots, mapAccessories, type PlacedAccessory, sortedOnce } from './slots.ts';

/** HAP 73, Programmable Switch Event: an event in the form of a characteristic. It never has a value. */
export const PROGRAMMABLE_SWITCH_EVENT = CHARACTERISTIC.programmableSwitchEvent;
/** The stored accessory, with its last known reachability. */
export type RestoredAccessory = PlacedAccessory & Partial<Pick<Accessory, 'reachable'>>;

export class HomeState {
  readonly #bus: EventBus<HomeEvents>;
  readonly #clock: Clock;
  readonly #presses: RecentPresses;
  readonly #homes = new Map<string, Home>();
  #homeList: readonly Home[] | undefined;
  readonly #rooms = new Map<string, Room>();
  readonly #entries = new Map<string, IndexedAccessory>();
  /** source → aid → entry. */
  readonly #bySource = new Map<string, Map<HapId, IndexedAccessory>>();
  readonly #connected = new Set<string>();
  /** Restored accessories whose driver has not reported their reachability yet. */
  readonly #unsettled = new Set<string>();
  /** Sorted lists by home id, rebuilt after a layout change. */
  readonly #roomLists = new Map<string, readonly Room[]>();
  readonly #accessoryLists = new Map<string, readonly Accessory[]>();
  #version = 1;
  #revision = 1;
  /** The revision of the last change of a layout. */
  #layoutRevision = 1;

  readonly scenes = new HomeItems<Scene>((homeId) => this.#layoutChanged(homeId));
  readonly zones = new HomeItems<Zone>((homeId) => this.#layoutChanged(homeId));
  readonly roomGroups = new HomeItems<RoomGroup>((homeId) => this.#layoutChanged(homeId));
  readonly serviceGroups = new HomeItems<ServiceGroup>((homeId) => this.#layoutChanged(homeId));

  constructor(bus: EventBus<HomeEvents>, clock: Clock) {
    this.#bus = bus;
    this.#clock = clock;
    this.#presses = new RecentPresses(clock);
  }

  // — reading —

  /** Increases with every visible change (not with `lastSeenAt`), so that equal versions mean equal responses. */
  get version(): number {
    if (this.#presses.expire()) this.#version += 1;
    return this.#version;
  }

  /**
   * Increases with every change of homes, rooms and accessories, with `lastSeenAt` too, and not with what ends by
   * itself: presses and timers.
   */
  get revision(): number {
    return this.#revision;
  }

  /** The revision of the last change of something that this accessory or its layout shows. */
  revisionOf(accessoryId: string): number {
    return Math.max(this.#layoutRevision, this.#entry(accessoryId)?.revision ?? 0);
  }

  homes(): readonly Home[] {
    this.#homeList ??= [...this.#homes.values()].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    return this.#homeList;
  }

  home(id: string): Home | undefined {
    return this.#homes.get(id) ?? this.#homes.get(id.toLowerCase());
  }

  /** The rooms of one home, or of all homes, grouped by home. */
  rooms(homeId?: string): readonly Room[] {
    if (homeId === undefined) return this.homes().flatMap(({ id }) => this.rooms(id));
    return sortedOnce(this.#roomLists, homeId.toLowerCase(), this.#rooms.values());
  }

  room(id: string): Room | undefined {
    return this.#rooms.get(id) ?? this.#rooms.get(id.toLowerCase());
  }

  /** The accessories of one home, or of all homes, grouped by home. Includes vanished ones (`vanishedAt`). */
  accessories(homeId?: string): readonly Accessory[] {
    if (homeId === undefined) return this.homes().flatMap(({ id }) => this.accessories(id));
    return sortedOnce(this.#accessoryLists, homeId.toLowerCase(), mapAccessories(this.#entries.values()));
  }

  accessory(id: string): Accessory | undefined {
    return this.#entry(id)?.accessory;
  }

  /** An accessory of this home. A stored id may now belong to another home; such an accessory is not returned. */
  accessoryIn(homeId: string, id: string): Accessory | undefined {
    const accessory = this.accessory(id);
    return accessory?.homeId === homeId ? accessory : undefined;
  }

  characteristic({ accessoryId, iid }: CharacteristicRef): Characteristic | undefined {
    return this.#entry(accessoryId)?.slots.get(iid)?.characteristic;
  }

  findByAddress({ source, aid }: AccessoryAddress): Accessory | undefined {
    return this.#bySource.get(source)?.get(aid)?.accessory;
  }

  /** All accessories of one accessory server. */
  accessoriesOf(source: string): readonly Accessory[] {
    return [...mapAccessories(this.#bySource.get(source)?.values() ?? [])];
  }

  /** Button presses of this accessory within the last ten seconds, by the iid of the characteristic. */
  pressesOf(accessoryId: string): ReadonlyMap<HapId, Press> {
    if (this.#presses.expire()) this.#version += 1;
    return this.#presses.of(accessoryId.toLowerCase());
  }

  /** Whether the home accepts commands: its driver runs, and its owner has not paused it. */
  isConnected(homeId: string): boolean {
    const home = this.home(homeId);
    return home !== undefined && !home.paused && this.#connected.has(home.id);
  }

  /** Whether the accessory is known to be reachable now. `reachable` alone may date from before the start. */
  isAnswering(accessoryId: string): boolean {
    const accessory = this.accessory(accessoryId);
    return accessory?.reachable === true && !this.#unsettled.has(accessory.id);
  }

  // — the layout, by app/layout only, which saves before it calls —

  /**
   * Loads the stored home when the daemon starts. Emits nothing on the bus, because nothing changed. Accessories keep
   * their last known reachability until their driver reports it.
   */
  restore(stored: { homes: readonly Home[]; rooms: readonly Room[]; accessories: readonly RestoredAccessory[] }): void {
    for (const home of stored.homes) this.#homes.set(home.id, home);
    for (const room of stored.rooms) this.#rooms.set(room.id, room);
    for (const { reachable = false, ...placed } of stored.accessories) {
      const { accessory } = this.#place(placed);
      accessory.reachable = reachable && placed.vanishedAt === null;
      this.#unsettled.add(accessory.id);
    }
    this.#forgetLists();
  }

  putHome(home: Home): void {
    this.#homes.set(home.id, home);
    this.#layoutChanged(home.id);
  }

  /** Removes a home with all its contents. */
  removeHome(id: string): void {
    for (const kept of [this.scenes, this.zones, this.roomGroups, this.serviceGroups]) {
      for (const item of kept.list(id)) kept.remove(item.id);
    }
    this.removeAccessories(this.accessories(id).map((accessory) => accessory.id));
    for (const room of this.rooms(id)) this.#rooms.delete(room.id);
    this.#connected.delete(id);
    if (this.#homes.delete(id)) this.#layoutChanged(id);
  }

  putRoom(room: Room): void {
    this.#rooms.set(room.id, room);
    this.#layoutChanged(room.homeId);
  }

  /** Removes a room, also from its zones and room groups. */
  removeRoom(id: string): void {
    const room = this.#rooms.get(id);
    if (!room) return;
    this.#rooms.delete(id);
    for (const kept of [this.zones, this.roomGroups]) {
      for (const item of kept.list(room.homeId)) {
        if (item.roomIds.includes(id)) kept.put({ ...item, roomIds: item.roomIds.filter((one) => one !== id) });
      }
    }
    this.#layoutChanged(room.homeId);
  }

  /**
   * Adds accessories or replaces their layout data. Takes ownership of `services`, whose values it shows from now on.
   * New accessories are unreachable until their driver reports otherwise; vanished ones are unreachable.
   */
  putAccessories(accessories: readonly PlacedAccessory[]): void {
    const added: Accessory[] = [];
    const lost: Accessory[] = [];
    for (const placed of accessories) {
      const known = this.#entries.has(placed.id);
      const { accessory } = this.#place(placed);
      if (!known) added.push(accessory);
      if (accessory.vanishedAt !== null && accessory.reachable) {
        accessory.reachable = false;
        lost.push(accessory);
      }
    }
    this.#forgetLists();
    const at = this.#clock.now();
    for (const { id, homeId } of added) this.#bus.emit('accessory.added', { homeId, accessoryId: id, at });
    for (const accessory of lost) this.#announceReachability(accessory);
    for (const homeId of new Set(accessories.map((accessory) => accessory.homeId))) this.#layoutChanged(homeId);
  }

  removeAccessories(ids: readonly string[]): void {
    const removed: Accessory[] = [];
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (!entry) continue;
      this.#entries.delete(id);
      this.#unindex(entry.accessory);
      this.#presses.forget(id);
      this.#unsettled.delete(id);
      removed.push(entry.accessory);
    }
    if (removed.length === 0) return;
    this.#forgetLists();
    const at = this.#clock.now();
    for (const { id, homeId, name, roomId } of removed) {
      this.#bus.emit('accessory.removed', { homeId, accessoryId: id, name, roomId, at });
    }
    for (const homeId of new Set(removed.map((accessory) => accessory.homeId))) this.#layoutChanged(homeId);
  }

  // — device reports, by the driver sink only —

  /**
   * A value that the device confirmed. Emits `state.changed` only if it differs from the previous value. A stateless
   * switch has no value, see `press`.
   */
  applyValue(accessoryId: string, iid: HapId, value: CharacteristicValue, origin: ChangeOrigin): void {
    const entry = this.#entries.get(accessoryId);
    if (!entry?.slots.has(iid)) return;
    this.#seen(entry);
    this.applyOwnValue(accessoryId, iid, value, origin);
  }

  /** As `applyValue`, for a characteristic of the relay: its device does not send it. */
  applyOwnValue(accessoryId: string, iid: HapId, value: CharacteristicValue, origin: ChangeOrigin): void {
    const entry = this.#entries.get(accessoryId);
    const slot = entry?.slots.get(iid);
    if (!entry || !slot) return;
    const { characteristic, serviceIid } = slot;
    const previous = characteristic.value;
    if (previous === value || characteristic.type === PROGRAMMABLE_SWITCH_EVENT) return;
    characteristic.value = value;
    this.#version += 1;
    this.#touch(entry);
    const { type } = characteristic;
    const { homeId } = entry.accessory;
    const at = this.#clock.now();
    this.#bus.emit('state.changed', { homeId, accessoryId, serviceIid, iid, type, value, previous, origin, at });
  }

  /** A button press. Every call counts, equal or not. */
  press(accessoryId: string, iid: HapId, value: number): void {
    const entry = this.#entries.get(accessoryId);
    const slot = entry?.slots.get(iid);
    if (!entry || !slot) return;
    const at = this.#seen(entry);
    this.#presses.add(accessoryId, iid, { value, at });
    this.#version += 1;
    const { homeId } = entry.accessory;
    this.#bus.emit('button.pressed', { homeId, accessoryId, serviceIid: slot.serviceIid, iid, value, at });
  }

  /** A vanished accessory stays unreachable, regardless of the status of its server. */
  setReachable(accessoryId: string, reachable: boolean): void {
    const entry = this.#entries.get(accessoryId);
    const accessory = entry?.accessory;
    if (!accessory || (reachable && accessory.vanishedAt !== null)) return;
    if (reachable) this.#seen(entry);
    const isFirst = this.#unsettled.delete(accessory.id);
    if (accessory.reachable !== reachable) {
      accessory.reachable = reachable;
      this.#version += 1;
      this.#touch(entry);
      this.#announceReachability(accessory);
    }
    if (isFirst) this.#bus.emit('accessory.reachability_settled', this.#reachabilityOf(accessory));
  }

  /** Marks restored accessories without a driver report as unreachable. */
  settleReachability(): void {
    for (const id of [...this.#unsettled]) this.setReachable(id, false);
  }

  setConnected(homeId: string, connected: boolean): void {
    if (this.#connected.has(homeId) === connected) return;
    if (connected) this.#connected.add(homeId);
    else this.#connected.delete(homeId);
    this.#version += 1;
    this.#revision += 1;
    this.#bus.emit('home.connection_changed', { homeId, connected });
  }

  #entry(id: string): IndexedAccessory | undefined {
    return this.#entries.get(id) ?? this.#entries.get(id.toLowerCase());
  }

  /** Adds one accessory to the lookup tables. Existing live objects keep their identity. */
  #place(placed: PlacedAccessory): IndexedAccessory {
    let entry = this.#entries.get(placed.id);
    if (entry) {
      this.#unindex(entry.accessory);
      if (entry.accessory.services !== placed.services) entry.slots = indexSlots(placed);
      Object.assign(entry.accessory, placed);
    } else {
      const accessory = { ...placed, reachable: false, lastSeenAt: null };
      entry = { accessory, slots: indexSlots(placed), revision: this.#revision };
      this.#entries.set(placed.id, entry);
    }
    const { source, aid } = placed.address;
    const siblings = this.#bySource.get(source) ?? new Map<HapId, IndexedAccessory>();
    this.#bySource.set(source, siblings.set(aid, entry));
    return entry;
  }

  #unindex({ address }: Accessory): void {
    const siblings = this.#bySource.get(address.source);
    siblings?.delete(address.aid);
    if (siblings?.size === 0) this.#bySource.delete(address.source);
  }

  /** @returns now */
  #seen(entry: IndexedAccessory): number {
    const at = this.#clock.now();
    entry.accessory.lastSeenAt = at;
    this.#touch(entry);
    return at;
  }

  #touch(entry: IndexedAccessory): void {
    this.#revision += 1;
    entry.revision = this.#revision;
  }

  #announceReachability(accessory: Accessory): void {
    this.#bus.emit('accessory.reachability_changed', this.#reachabilityOf(accessory));
  }

  #reachabilityOf({ homeId, id, reachable }: Accessory): HomeEvents['accessory.reachability_changed'] {
    return { homeId, accessoryId: id, reachable, at: this.#clock.now() };
  }

  #layoutChanged(homeId: string): void {
    this.#forgetLists();
    this.#bus.emit('layout.changed', { homeId });
  }

  #forgetLists(): void {
    this.#version += 1;
    this.#revision += 1;
    this.#layoutRevision = this.#revision;
    this.#homeList = undefined;
    this.#roomLists.clear();
    this.#accessoryLists.clear();
  }
}
