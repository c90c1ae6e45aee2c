/**
 * The home in memory. Every accessory is an immutable object that is replaced when something of it changes, so that a tile is drawn
 * again when its own accessory changed and at no other time. What people set is shown at once and kept on the screen until the device
 * has answered; then what the device says counts. Service groups are accessories too, made of their members whenever those change.
 */
import { combineGroup, type GroupMember } from './group-values.ts';
import type { House, HouseAccessory, HouseCharacteristic, HouseGroup, Value } from './house-document.ts';

type Listener = () => void;

/** A value that somebody set here and the device has not confirmed yet. */
interface Pending {
  readonly value: Value;
  /** Of the write that is under way; a later one takes its place. */
  readonly write: number;
}

/** What the store needs of the browser. */
export interface StoreTimes {
  /** When listeners are told of what changed: with the next frame. */
  schedule(act: () => void): unknown;
  later(act: () => void, ms: number): unknown;
  now(): number;
}

const PRESS = 'programmable_switch_event';
/** How long a press is shown; the relay shows it as long. */
const PRESS_SHOWN_MS = 10_000;
/**
 * A home that was asked for before a device changed may be read after it: what an event told this short a time ago is the later truth,
 * and if it is not, another event is on its way.
 */
const FRESH_MS = 2_000;

export class HouseStore {
  #house: House | undefined;
  /** Accessories, and service groups as the accessories that they are. */
  readonly #accessories = new Map<string, HouseAccessory>();
  readonly #groups = new Map<string, HouseGroup>();
  /** By accessory: the groups that it is in. */
  readonly #groupsOf = new Map<string, readonly string[]>();
  /** Groups whose members changed since they were made. */
  readonly #staleGroups = new Set<string>();
  /** As the relay told it last, by the characteristic's id. */
  readonly #confirmed = new Map<string, Value>();
  /** What events told, and when. */
  readonly #told = new Map<string, { readonly value: Value; readonly at: number }>();
  readonly #pending = new Map<string, Pending>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #layoutListeners = new Set<Listener>();
  /** Accessories whose listeners are to be told with the next frame. */
  readonly #dirty = new Set<string>();
  #isScheduled = false;
  #writes = 0;
  #presses = 0;
  readonly #times: StoreTimes;

  constructor(times: StoreTimes = BROWSER_TIMES) {
    this.#times = times;
  }

  /** The home's rooms, groups and scenes; accessories in it are as they were when it was loaded. */
  get house(): House | undefined {
    return this.#house;
  }

  accessory(id: string): HouseAccessory | undefined {
    if (this.#staleGroups.delete(id)) this.#remakeGroup(id);
    return this.#accessories.get(id);
  }

  /** The services that a group is made of; none for an accessory that is none. */
  membersOf(groupId: string): readonly GroupMember[] {
    const wanted = new Set(this.#groups.get(groupId)?.serviceIds);
    return (this.#groups.get(groupId)?.accessoryIds ?? []).flatMap((id) => {
      const accessory = this.#accessories.get(id);
      const services = accessory?.services.filter((service) => wanted.has(service.id)) ?? [];
      return accessory ? services.map((service) => ({ accessory, service })) : [];
    });
  }

  isGroup(id: string): boolean {
    return this.#groups.has(id);
  }

  /** A home as it was just read. Accessories that are the same as before stay the same objects. */
  load(house: House | undefined): void {
    if (house?.id !== this.#house?.id) this.#told.clear();
    this.#house = house;
    this.#confirmed.clear();
    const seen = new Set<string>();
    for (const accessory of house?.accessories ?? []) {
      seen.add(accessory.id);
      this.#keep(this.#loaded(accessory));
    }
    this.#loadGroups(house?.serviceGroups ?? [], seen);
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
    this.#told.set(characteristic.id, { value, at: this.#times.now() });
    if (characteristicType === PRESS) this.#press(accessory, characteristic, value);
    else if (!this.#pending.has(characteristic.id)) this.#show(accessoryId, characteristic.id, value);
  }

  /** Whether an accessory answers. */
  setReachable(accessoryId: string, isReachable: boolean, at: string): void {
    const accessory = this.#accessories.get(accessoryId);
    if (!accessory || accessory.isReachable === isReachable) return;
    // Heard from until it fell silent; from now on while it answers.
    this.#replace({ ...accessory, isReachable, lastSeenAt: isReachable ? at : (accessory.lastSeenAt ?? at) });
  }

  /** What was read of one accessory besides its values: when a timer ends, for one. */
  amend(accessoryId: string, facts: Partial<Omit<HouseAccessory, 'id' | 'services'>>): void {
    const accessory = this.#accessories.get(accessoryId);
    if (accessory) this.#replace({ ...accessory, ...facts });
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
      if (listeners.size === 0 && this.#listeners.get(accessoryId) === listeners) this.#listeners.delete(accessoryId);
    };
  }

  /** Told when rooms, groups, scenes, or which accessories there are, changed. */
  readonly subscribeToLayout = (listener: Listener): (() => void) => {
    this.#layoutListeners.add(listener);
    return () => this.#layoutListeners.delete(listener);
  };

  /** As the relay told it, with what is known here and not there. */
  #loaded(accessory: HouseAccessory): HouseAccessory {
    let shown = accessory;
    const freshFrom = this.#times.now() - FRESH_MS;
    for (const { characteristics } of accessory.services) {
      for (const { id, value } of characteristics) {
        const told = this.#told.get(id);
        const confirmed = told && told.at > freshFrom ? told.value : value;
        this.#confirmed.set(id, confirmed);
        const pending = this.#pending.get(id);
        if (pending) shown = withValue(shown, id, pending.value);
        else if (confirmed !== value) shown = withValue(shown, id, confirmed);
      }
    }
    const { lastPress } = this.#accessories.get(accessory.id) ?? {};
    return this.#marked(lastPress ? { ...shown, lastPress } : shown);
  }

  #loadGroups(groups: readonly HouseGroup[], seen: Set<string>): void {
    this.#groups.clear();
    this.#groupsOf.clear();
    this.#staleGroups.clear();
    for (const group of groups) {
      if (!group.accessory) continue;
      const { id } = group.accessory;
      seen.add(id);
      this.#groups.set(id, group);
      for (const member of group.accessoryIds) this.#groupsOf.set(member, [...(this.#groupsOf.get(member) ?? []), id]);
      this.#keep(combineGroup(group.accessory, this.membersOf(id)));
    }
  }

  #remakeGroup(id: string): void {
    const group = this.#accessories.get(id);
    if (group) this.#accessories.set(id, combineGroup(group, this.membersOf(id)));
  }

  #press(accessory: HouseAccessory, { id }: HouseCharacteristic, value: Value): void {
    this.#presses += 1;
    const number = this.#presses;
    const serviceId = accessory.services.find(({ characteristics }) =>
      characteristics.some((one) => one.id === id),
    )?.id;
    this.#replace({
      ...withValue(accessory, id, value),
      lastPress: { serviceId: serviceId ?? '', value: Number(value), number },
    });
    this.#times.later(() => this.#forgetPress(accessory.id, id, number), PRESS_SHOWN_MS);
  }

  #forgetPress(accessoryId: string, characteristicId: string, number: number): void {
    const accessory = this.#accessories.get(accessoryId);
    if (accessory?.lastPress?.number !== number) return;
    this.#confirmed.set(characteristicId, null);
    this.#told.delete(characteristicId);
    const { lastPress: _, ...rest } = withValue(accessory, characteristicId, null);
    this.#replace(rest);
  }

  #show(accessoryId: string, characteristicId: string, value: Value): void {
    const accessory = this.#accessories.get(accessoryId);
    if (accessory) this.#replace(this.#marked(withValue(accessory, characteristicId, value)));
  }

  /** The same object where the mark stands already. */
  #marked(accessory: HouseAccessory): HouseAccessory {
    const isPending = this.#pending.size > 0 && accessory.services.some((service) => this.#isServicePending(service));
    if (isPending === (accessory.isPending ?? false)) return accessory;
    const { isPending: _, ...rest } = accessory;
    return isPending ? { ...rest, isPending } : rest;
  }

  #isServicePending({ characteristics }: HouseAccessory['services'][number]): boolean {
    return characteristics.some(({ id }) => this.#pending.has(id));
  }

  #keep(accessory: HouseAccessory): void {
    const before = this.#accessories.get(accessory.id);
    if (before && JSON.stringify(before) === JSON.stringify(accessory)) return;
    this.#replace(accessory);
  }

  #replace(accessory: HouseAccessory): void {
    if (this.#accessories.get(accessory.id) === accessory) return;
    this.#accessories.set(accessory.id, accessory);
    this.#touch(accessory.id);
    for (const id of this.#groupsOf.get(accessory.id) ?? []) {
      this.#staleGroups.add(id);
      this.#touch(id);
    }
  }

  #touch(id: string): void {
    this.#dirty.add(id);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#times.schedule(() => this.#tell());
  }

  #tell(): void {
    this.#isScheduled = false;
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

const BROWSER_TIMES: StoreTimes = {
  /** A page that nobody sees draws no frames, and must not fall behind for it. */
  schedule: (act) => (document.visibilityState === 'visible' ? requestAnimationFrame(act) : setTimeout(act, 0)),
  later: (act, ms) => setTimeout(act, ms),
  now: () => Date.now(),
};

export const houseStore = new HouseStore();
