/**
 * The home in memory. Every accessory is an immutable object that is replaced when something of it changes, so that a tile is drawn
 * again when its own accessory changed and at no other time. What people set is shown at once and kept on the screen until the device
 * has answered; then what the device says counts.
 */
import type { House, HouseAccessory, HouseCharacteristic, Value } from './house-document.ts';

type Listener = () => void;

/** A value that somebody set here and the device has not confirmed yet. */
interface Pending {
  readonly value: Value;
  /** Of the write that is under way; a later one takes its place. */
  readonly write: number;
}

export class HouseStore {
  #house: House | undefined;
  /** Accessories, and service groups as the accessories that they are. */
  readonly #accessories = new Map<string, HouseAccessory>();
  /** As the relay told it last, by the characteristic's id. */
  readonly #confirmed = new Map<string, Value>();
  readonly #pending = new Map<string, Pending>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #layoutListeners = new Set<Listener>();
  /** Accessories whose listeners are to be told with the next frame. */
  readonly #dirty = new Set<string>();
  #frame: number | undefined;
  #writes = 0;
  readonly #schedule: (act: () => void) => number;

  /** @param schedule when listeners are told of what changed: with the next frame */
  constructor(schedule: (act: () => void) => number = scheduleFrame) {
    this.#schedule = schedule;
  }

  /** The home's rooms, groups and scenes; accessories in it are as they were when it was loaded. */
  get house(): House | undefined {
    return this.#house;
  }

  accessory(id: string): HouseAccessory | undefined {
    return this.#accessories.get(id);
  }

  /** A home as it was just read. Accessories that are the same as before stay the same objects. */
  load(house: House | undefined): void {
    this.#house = house;
    this.#confirmed.clear();
    const seen = new Set<string>();
    const groups = (house?.serviceGroups ?? []).flatMap(({ accessory }) => accessory ?? []);
    for (const accessory of [...(house?.accessories ?? []), ...groups]) {
      seen.add(accessory.id);
      for (const { characteristics } of accessory.services) {
        for (const { id, value } of characteristics) this.#confirmed.set(id, value);
      }
      const shown = this.#withPending(accessory);
      const before = this.#accessories.get(accessory.id);
      if (before && JSON.stringify(before) === JSON.stringify(shown)) continue;
      this.#accessories.set(accessory.id, shown);
      this.#touch(accessory.id);
    }
    for (const id of [...this.#accessories.keys()]) {
      if (seen.has(id)) continue;
      this.#accessories.delete(id);
      this.#touch(id);
    }
    for (const listener of this.#layoutListeners) listener();
  }

  /** What the relay tells of one characteristic. @param serviceId of which service, where it says so */
  confirm(accessoryId: string, characteristicType: string, value: Value, serviceId?: string): void {
    const accessory = this.#accessories.get(accessoryId);
    const characteristic = accessory && findCharacteristic(accessory, characteristicType, serviceId);
    if (!characteristic) return;
    this.#confirmed.set(characteristic.id, value);
    if (!this.#pending.has(characteristic.id)) this.#show(accessoryId, characteristic.id, value);
  }

  /** Whether an accessory answers. */
  setReachable(accessoryId: string, isReachable: boolean, at: string): void {
    const accessory = this.#accessories.get(accessoryId);
    if (!accessory || accessory.isReachable === isReachable) return;
    // Heard from until it fell silent; from now on while it answers.
    this.#replace({ ...accessory, isReachable, lastSeenAt: isReachable ? at : (accessory.lastSeenAt ?? at) });
  }

  /** Shows a value before the device has it. @returns what `settle` takes */
  expect(accessoryId: string, characteristicId: string, value: Value): number {
    this.#writes += 1;
    this.#pending.set(characteristicId, { value, write: this.#writes });
    this.#show(accessoryId, characteristicId, value);
    return this.#writes;
  }

  /** The device has answered: with `confirmed` as its value, or by refusing, which leaves it as it was. */
  settle(accessoryId: string, characteristicId: string, write: number, confirmed?: { readonly value: Value }): void {
    if (confirmed) this.#confirmed.set(characteristicId, confirmed.value);
    if (this.#pending.get(characteristicId)?.write !== write) return;
    this.#pending.delete(characteristicId);
    this.#show(accessoryId, characteristicId, this.#confirmed.get(characteristicId) ?? null);
  }

  isPending(characteristicId: string): boolean {
    return this.#pending.has(characteristicId);
  }

  /** @returns the function that ends the subscription. */
  subscribe(accessoryId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(accessoryId) ?? new Set();
    this.#listeners.set(accessoryId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(accessoryId);
    };
  }

  /** Told when rooms, groups, scenes, or which accessories there are, changed. */
  readonly subscribeToLayout = (listener: Listener): (() => void) => {
    this.#layoutListeners.add(listener);
    return () => this.#layoutListeners.delete(listener);
  };

  #withPending(accessory: HouseAccessory): HouseAccessory {
    let shown = accessory;
    for (const { characteristics } of accessory.services) {
      for (const { id } of characteristics) {
        const pending = this.#pending.get(id);
        if (pending) shown = withValue(shown, id, pending.value);
      }
    }
    return shown;
  }

  #show(accessoryId: string, characteristicId: string, value: Value): void {
    const accessory = this.#accessories.get(accessoryId);
    if (accessory) this.#replace(withValue(accessory, characteristicId, value));
  }

  #replace(accessory: HouseAccessory): void {
    if (this.#accessories.get(accessory.id) === accessory) return;
    this.#accessories.set(accessory.id, accessory);
    this.#touch(accessory.id);
  }

  #touch(id: string): void {
    this.#dirty.add(id);
    this.#frame ??= this.#schedule(() => this.#tell());
  }

  #tell(): void {
    this.#frame = undefined;
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    for (const id of dirty) for (const listener of this.#listeners.get(id) ?? []) listener();
  }
}

/** By its name in snake_case; of several services that have it the given one, else the primary one, else the first. */
export function findCharacteristic(
  accessory: HouseAccessory,
  type: string,
  serviceId?: string,
): HouseCharacteristic | undefined {
  const services = serviceId
    ? accessory.services.filter(({ id }) => id === serviceId)
    : [...accessory.services].sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
  for (const { characteristics } of services) {
    const found = characteristics.find((characteristic) => characteristic.type === type);
    if (found) return found;
  }
  return undefined;
}

/** The same object where nothing is different. */
function withValue(accessory: HouseAccessory, characteristicId: string, value: Value): HouseAccessory {
  for (const [index, service] of accessory.services.entries()) {
    const at = service.characteristics.findIndex(({ id }) => id === characteristicId);
    const characteristic = service.characteristics[at];
    if (!characteristic) continue;
    if (Object.is(characteristic.value, value)) return accessory;
    const characteristics = service.characteristics.with(at, { ...characteristic, value });
    return { ...accessory, services: accessory.services.with(index, { ...service, characteristics }) };
  }
  return accessory;
}

/** A page that nobody sees draws no frames, and must not fall behind for it. */
function scheduleFrame(act: () => void): number {
  return document.visibilityState === 'visible' ? requestAnimationFrame(act) : window.setTimeout(act, 0);
}

export const houseStore = new HouseStore();
