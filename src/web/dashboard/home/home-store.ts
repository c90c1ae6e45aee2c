/**
 * The home in memory. Each accessory is an immutable object that is replaced on change, so a tile re-renders only when
 * its own accessory changes. Its values are those that the device confirmed; what was asked for meanwhile is beside
 * them (`wanted.ts`), and shows at once. After a second without an answer, the accessory is marked as waiting and
 * wants nothing more. A dragged value stays where the user left it. Service groups are accessories too, recomputed
 * when their members change.
 */
import { combineGroup, type GroupMember } from './group-values.ts';
import type { HomeAccessory, HomeCharacteristic, HomeGroup, HomeInventory, Value } from './home-document.ts';
import { RecentReports, type ReportedReach } from './recent-reports.ts';
import { withMarks, withValue } from './wanted.ts';

type Listener = () => void;

/** A value that was set here and that the device has not confirmed yet. */
interface Pending {
  readonly value: Value;
  /** The number of the running write; a later write replaces it. */
  readonly write: number;
  /** Identifies the wait for one answer; an answer to an earlier write begins another. */
  readonly wait: number;
  /** The device has not answered for a second. */
  readonly isWaiting: boolean;
}

/** The store's dependencies on the browser. */
export interface StoreTimes {
  /** Schedules the notification of listeners, for the next frame. */
  schedule(act: () => void): unknown;
  later(act: () => void, ms: number): unknown;
  now(): number;
}

/** Most devices answer sooner. */
const WAITING_AFTER_MS = 1_000;
/** A number with more values than this is dragged: it stays where the user left it while the device is silent. */
const MAX_CHOICES = 10;
const PRESS = 'programmable_switch_event';
/** How long a press is shown; the same as on the relay. */
const PRESS_SHOWN_MS = 10_000;

export class HomeStore {
  #inventory: HomeInventory | undefined;
  #keptAt: number | undefined;
  /** Accessories, and service groups in the shape of accessories. */
  readonly #accessories = new Map<string, HomeAccessory>();
  readonly #groups = new Map<string, HomeGroup>();
  /** The groups of each accessory. */
  readonly #groupsOf = new Map<string, readonly string[]>();
  /** Groups with changed members, to be recomputed. */
  readonly #staleGroups = new Set<string>();
  /** The relay's last reported values, by characteristic id. */
  readonly #confirmed = new Map<string, Value>();
  readonly #reports: RecentReports;
  readonly #pending = new Map<string, Pending>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #layoutListeners = new Set<Listener>();
  /** Accessories whose listeners are notified with the next frame. */
  readonly #dirty = new Set<string>();
  #isScheduled = false;
  #writes = 0;
  #waits = 0;
  #presses = 0;
  readonly #times: StoreTimes;

  constructor(times: StoreTimes = BROWSER_TIMES) {
    this.#times = times;
    this.#reports = new RecentReports(() => times.now());
  }

  /** The home's rooms, groups and scenes; its accessories are in the state of the last load. */
  get inventory(): HomeInventory | undefined {
    return this.#inventory;
  }

  /**
   * Set while the home is the one that this device kept earlier: the time of its values, in milliseconds since the
   * epoch. Nothing can be set meanwhile.
   */
  get keptAt(): number | undefined {
    return this.#keptAt;
  }

  /** The home with the values that the relay last reported, without local changes. */
  snapshot(): HomeInventory | undefined {
    const inventory = this.#inventory;
    return (
      inventory && {
        ...inventory,
        accessories: inventory.accessories.map((loaded) =>
          this.#withoutLocal(this.#accessories.get(loaded.id) ?? loaded),
        ),
      }
    );
  }

  #withoutLocal(accessory: HomeAccessory): HomeAccessory {
    const { isPending: _, isWaiting: __, wanted: ___, lastPress: ____, running: _____, ...rest } = accessory;
    const services = rest.services.map((service) => ({
      ...service,
      characteristics: service.characteristics.map((characteristic) => ({
        ...characteristic,
        value: this.#confirmed.get(characteristic.id) ?? null,
      })),
    }));
    return { ...rest, services };
  }

  accessory(id: string): HomeAccessory | undefined {
    if (this.#staleGroups.delete(id)) this.#remakeGroup(id);
    return this.#accessories.get(id);
  }

  /** The services of a group; none if the accessory is not a group. */
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

  /**
   * Replaces the home with freshly loaded data. Unchanged accessories stay the same objects.
   * @param keptAt the time of its values, if this device kept them
   */
  load(inventory: HomeInventory | undefined, keptAt?: number): void {
    this.#reports.forgetOld();
    this.#inventory = inventory;
    this.#keptAt = keptAt;
    this.#confirmed.clear();
    const seen = new Set<string>();
    for (const accessory of inventory?.accessories ?? []) {
      seen.add(accessory.id);
      this.#keep(this.#loaded(accessory));
    }
    this.#loadGroups(inventory?.serviceGroups ?? [], seen);
    for (const id of [...this.#accessories.keys()]) {
      if (seen.has(id)) continue;
      this.#accessories.delete(id);
      this.#touch(id);
    }
    for (const listener of this.#layoutListeners) listener();
  }

  /** Applies a value that the relay reports. @param serviceId the service, if the relay names it */
  confirm(accessoryId: string, characteristicType: string, value: Value, serviceId?: string): void {
    this.#reports.addValue(accessoryId, { type: characteristicType, serviceId, value });
    const accessory = this.#accessories.get(accessoryId);
    const characteristic = accessory && findCharacteristic(accessory, characteristicType, serviceId);
    if (!characteristic) return;
    this.#confirmed.set(characteristic.id, value);
    if (characteristicType === PRESS) this.#press(accessory, characteristic, value);
    else if (this.#pending.has(characteristic.id)) this.#showPending(accessoryId, characteristic.id);
    else this.#show(accessoryId, characteristic.id, value);
  }

  /** Sets whether an accessory answers. */
  setReachable(accessoryId: string, isReachable: boolean, at: string): void {
    const reach = { isReachable, timestamp: at };
    this.#reports.addReach(accessoryId, reach);
    const accessory = this.#accessories.get(accessoryId);
    if (accessory) this.#replace(withReach(accessory, reach));
  }

  /** After missed events, the values of the ones before them may be outdated. */
  forgetReports(): void {
    this.#reports.forgetAll();
  }

  /** Updates data of one accessory other than its values: for example the end of a timer. */
  amend(accessoryId: string, facts: Partial<Omit<HomeAccessory, 'id' | 'services'>>): void {
    const accessory = this.#accessories.get(accessoryId);
    if (accessory) this.#replace({ ...accessory, ...facts });
  }

  /** Notes what is asked of a device before it confirms it. @returns the write number for `settle` */
  expect(accessoryId: string, characteristicId: string, value: Value): number {
    this.#writes += 1;
    const before = this.#pending.get(characteristicId);
    const wait = before?.wait ?? this.#beginWait(accessoryId, characteristicId);
    const isWaiting = before?.isWaiting ?? false;
    this.#pending.set(characteristicId, { value, write: this.#writes, wait, isWaiting });
    this.#showPending(accessoryId, characteristicId);
    return this.#writes;
  }

  /** The device has answered: with `confirmed` as its value, or with an error, which restores the previous value. */
  settle(accessoryId: string, characteristicId: string, write: number, confirmed?: { readonly value: Value }): void {
    if (confirmed) this.#confirm(accessoryId, characteristicId, confirmed.value);
    const pending = this.#pending.get(characteristicId);
    if (!pending) return;
    if (pending.write !== write) {
      const wait = this.#beginWait(accessoryId, characteristicId);
      this.#pending.set(characteristicId, { ...pending, wait, isWaiting: false });
      this.#showPending(accessoryId, characteristicId);
      return;
    }
    this.#pending.delete(characteristicId);
    this.#show(accessoryId, characteristicId, this.#confirmed.get(characteristicId) ?? null);
  }

  /** The answer is newer than the events before it. */
  #confirm(accessoryId: string, characteristicId: string, value: Value): void {
    this.#confirmed.set(characteristicId, value);
    const accessory = this.#accessories.get(accessoryId);
    if (!accessory) return;
    this.#reports.forgetValues(
      accessoryId,
      ({ type, serviceId }) => findCharacteristic(accessory, type, serviceId)?.id === characteristicId,
    );
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

  /** Notifies when rooms, groups or scenes change, or when accessories come or go. */
  readonly subscribeToLayout = (listener: Listener): (() => void) => {
    this.#layoutListeners.add(listener);
    return () => this.#layoutListeners.delete(listener);
  };

  /** The accessory as the relay reports it, with its local state. */
  #loaded(accessory: HomeAccessory): HomeAccessory {
    const reported = new Map<string, Value>();
    for (const { type, serviceId, value } of this.#reports.valuesOf(accessory.id)) {
      const characteristic = findCharacteristic(accessory, type, serviceId);
      if (characteristic) reported.set(characteristic.id, value);
    }
    const reach = this.#reports.reachOf(accessory.id);
    let shown = reach ? withReach(accessory, reach) : accessory;
    for (const { characteristics } of accessory.services) {
      for (const { id, value } of characteristics) {
        const confirmed = reported.has(id) ? (reported.get(id) ?? null) : value;
        this.#confirmed.set(id, confirmed);
        const pending = this.#pending.get(id);
        if (pending) shown = withValue(shown, id, this.#shownWhilePending(shown, id, pending));
        else if (confirmed !== value) shown = withValue(shown, id, confirmed);
      }
    }
    const { lastPress } = this.#accessories.get(accessory.id) ?? {};
    return this.#marked(lastPress ? { ...shown, lastPress } : shown);
  }

  #loadGroups(groups: readonly HomeGroup[], seen: Set<string>): void {
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

  #press(accessory: HomeAccessory, { id }: HomeCharacteristic, value: Value): void {
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
    this.#reports.forgetValues(accessoryId, ({ type }) => type === PRESS);
    const { lastPress: _, ...rest } = withValue(accessory, characteristicId, null);
    this.#replace(rest);
  }

  #show(accessoryId: string, characteristicId: string, value: Value): void {
    const accessory = this.#accessories.get(accessoryId);
    if (accessory) this.#replace(this.#marked(withValue(accessory, characteristicId, value)));
  }

  /** @returns the number of the wait */
  #beginWait(accessoryId: string, characteristicId: string): number {
    this.#waits += 1;
    const wait = this.#waits;
    this.#times.later(() => {
      const pending = this.#pending.get(characteristicId);
      if (pending?.wait !== wait) return;
      this.#pending.set(characteristicId, { ...pending, isWaiting: true });
      this.#showPending(accessoryId, characteristicId);
    }, WAITING_AFTER_MS);
    return wait;
  }

  #showPending(accessoryId: string, characteristicId: string): void {
    const accessory = this.#accessories.get(accessoryId);
    const pending = this.#pending.get(characteristicId);
    if (!accessory || !pending) return;
    this.#show(accessoryId, characteristicId, this.#shownWhilePending(accessory, characteristicId, pending));
  }

  #shownWhilePending(accessory: HomeAccessory, id: string, { value }: Pending): Value {
    const characteristic = accessory.services
      .flatMap(({ characteristics }) => characteristics)
      .find((one) => one.id === id);
    return characteristic && isDragged(characteristic) ? value : (this.#confirmed.get(id) ?? null);
  }

  /** The same object if the marks are already set. */
  #marked(accessory: HomeAccessory): HomeAccessory {
    const characteristics =
      this.#pending.size === 0 ? [] : accessory.services.flatMap((service) => service.characteristics);
    const pending = characteristics.flatMap(({ id }) => this.#pending.get(id) ?? []);
    const isPending = pending.length > 0;
    const isWaiting = pending.some((each) => each.isWaiting);
    const wanted = characteristics.flatMap(({ id, value: shown }) => {
      const { value = shown, isWaiting: isOver } = this.#pending.get(id) ?? {};
      return isOver || Object.is(value, shown) ? [] : [[id, value] as const];
    });
    return withMarks(accessory, { isPending, isWaiting, wanted: Object.fromEntries(wanted) });
  }

  #keep(accessory: HomeAccessory): void {
    const before = this.#accessories.get(accessory.id);
    if (before && JSON.stringify(before) === JSON.stringify(accessory)) return;
    this.#replace(accessory);
  }

  #replace(accessory: HomeAccessory): void {
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
    this.#times.schedule(() => this.#notify());
  }

  #notify(): void {
    this.#isScheduled = false;
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    for (const id of dirty) for (const listener of this.#listeners.get(id) ?? []) listener();
  }
}

/** While unreachable: the time of the last contact. Once reachable: the time of the event. */
function withReach(accessory: HomeAccessory, { isReachable, timestamp }: ReportedReach): HomeAccessory {
  if (accessory.isReachable === isReachable) return accessory;
  return { ...accessory, isReachable, lastSeenAt: isReachable ? timestamp : (accessory.lastSeenAt ?? timestamp) };
}

function isDragged({ format, validValues, minValue, maxValue }: HomeCharacteristic): boolean {
  if (format === 'bool' || format === 'string' || validValues) return false;
  return (maxValue ?? Infinity) - (minValue ?? 0) > MAX_CHOICES;
}

/**
 * Finds a characteristic by its name in snake_case. If several services have it: the given service, else the primary
 * one, else the first.
 */
export function findCharacteristic(
  accessory: HomeAccessory,
  type: string,
  serviceId?: string,
): HomeCharacteristic | undefined {
  const services = serviceId
    ? accessory.services.filter(({ id }) => id === serviceId)
    : [...accessory.services].sort((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
  for (const { characteristics } of services) {
    const found = characteristics.find((characteristic) => characteristic.type === type);
    if (found) return found;
  }
  return undefined;
}

const BROWSER_TIMES: StoreTimes = {
  /** A hidden page renders no frames, but must still apply changes. */
  schedule: (act) => (document.visibilityState === 'visible' ? requestAnimationFrame(act) : setTimeout(act, 0)),
  later: (act, ms) => setTimeout(act, ms),
  now: () => Date.now(),
};

export const homeStore = new HomeStore();
