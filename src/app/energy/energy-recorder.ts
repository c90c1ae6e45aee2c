/**
 * Counts the energy of all homes, whether or not their history is on. It listens to state changes like the recorder of
 * the history; its errors never reach the home. Counted energy is written every five minutes, together with the
 * counters up to which it was counted. What a kill loses of a counted meter is counted again from its counter.
 */
import type { HomeEvents } from '../../home/events.ts';
import type { HomeDeps } from '../../home/home-deps.ts';
import type { Accessory, HapId, Service } from '../../home/model.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { LogThrottle } from '../../kernel/logger.ts';
import type { EnergyStore, MeterChanges } from './energy-store.ts';
import { MeterCount, NO_MEMORY } from './meter-count.ts';
import { isMeasurement, type Meter, meterName, metersOf } from './meters.ts';

const MINUTE_MS = 60_000;
const SAVE_EVERY_MINUTES = 5;
const PRUNE_EVERY_MINUTES = 24 * 60;
/** More meters of one home are not counted. */
const MAX_METERS = 200;

interface CountedMeter {
  readonly meter: Meter;
  /** The last known name, for an accessory that was removed. */
  name: string;
  readonly count: MeterCount;
  /** Whether the counter has changed since it was written. */
  isChanged: boolean;
}

interface CountedAccessory {
  readonly homeId: string;
  /** The list of services that the meters were found in. */
  readonly services: readonly Service[];
  readonly meters: readonly CountedMeter[];
}

interface Deps extends HomeDeps<'state' | 'bus' | 'clock' | 'logger'> {
  readonly store: EnergyStore;
}

export class EnergyRecorder implements Startable {
  readonly #deps: Deps;
  readonly #throttle: LogThrottle;
  readonly #accessories = new Map<string, CountedAccessory>();
  #subscriptions: (() => void)[] = [];
  #cancel: (() => void) | undefined;
  #minutes = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#throttle = new LogThrottle(deps.clock);
  }

  start(): void {
    const { bus, state } = this.#deps;
    this.#subscriptions = [
      bus.on('state.changed', (change) => this.#changed(change)),
      bus.on('accessory.added', ({ accessoryId }) => this.#takeStock(accessoryId)),
      bus.on('accessory.removed', ({ accessoryId }) => this.#forget(accessoryId)),
      bus.on('accessory.reachability_changed', ({ accessoryId }) => this.#takeStock(accessoryId)),
      bus.on('accessory.reachability_settled', ({ accessoryId }) => this.#takeStock(accessoryId)),
      bus.on('layout.changed', ({ homeId }) => this.#layoutChanged(homeId)),
    ];
    for (const { id } of state.accessories()) this.#takeStock(id);
  }

  stop(): void {
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe();
    this.#cancel?.();
    this.#cancel = undefined;
    this.flush();
    this.#accessories.clear();
  }

  /** Counts up to now and writes it, so that a query sees it. Never throws: on an error it stays in memory. */
  flush(): void {
    this.#cover();
    const counted = [...this.#accessories].flatMap(([accessoryId, { homeId, meters }]) => {
      const accessory = this.#deps.state.accessory(accessoryId);
      for (const one of meters) if (accessory) one.name = meterName(accessory.name, one.meter, meters.length);
      return meters.map((meter) => ({ accessoryId, homeId, meter }));
    });
    const changed = counted.filter(({ meter }) => meter.isChanged || meter.count.used.size > 0);
    if (changed.length === 0) return;
    const changes = changed.map(({ accessoryId, homeId, meter: { meter, name, count } }): MeterChanges => {
      return { homeId, accessoryId, number: meter.number, name, memory: count.memory, used: count.used };
    });
    try {
      this.#deps.store.save(changes, this.#deps.clock.now());
    } catch (error) {
      this.#throttle.once('write', () =>
        this.#deps.logger.warn(
          { error: messageOf(error) },
          'Cannot write the energy that was used. It waits in memory; everything else works',
        ),
      );
      return;
    }
    for (const { meter } of changed) {
      meter.count.take();
      meter.isChanged = false;
    }
  }

  #changed({ accessoryId, iid, type, value, at }: HomeEvents['state.changed']): void {
    if (!isMeasurement(type)) return;
    const accessory = this.#deps.state.accessory(accessoryId);
    if (!accessory) return;
    for (const counted of this.#countedOf(accessory)) this.#read(counted, iid, value, at);
  }

  #read(counted: CountedMeter, iid: HapId, value: unknown, at: number): void {
    if (typeof value !== 'number') return;
    const { meter, count } = counted;
    if (iid === meter.counter) {
      count.readCounter(value, at);
      counted.isChanged = true;
    } else if (iid === meter.power) {
      count.readPower(value, at);
    }
  }

  /** Values of an accessory that is unreachable, or has not answered since the start, are only cached. */
  #takeStock(accessoryId: string): void {
    const { state, clock } = this.#deps;
    const accessory = state.accessory(accessoryId);
    if (!accessory) return;
    const at = clock.now();
    for (const counted of this.#countedOf(accessory)) {
      if (!state.isAnswering(accessoryId)) {
        counted.count.interrupt(at);
        continue;
      }
      // The counter first: whether there is one decides what becomes of the power.
      for (const iid of [counted.meter.counter, counted.meter.power]) {
        if (iid !== null) this.#read(counted, iid, state.characteristic({ accessoryId, iid })?.value, at);
      }
    }
  }

  #layoutChanged(homeId: string): void {
    const { state } = this.#deps;
    for (const [id, { homeId: home }] of this.#accessories) {
      if (home === homeId && state.accessory(id)?.homeId !== homeId) this.#forget(id);
    }
    for (const { id, services } of state.accessories(homeId)) {
      // An update of the device may have added a meter.
      if (this.#accessories.get(id)?.services !== services && metersOf(services).length > 0) this.#takeStock(id);
    }
  }

  #countedOf(accessory: Accessory): readonly CountedMeter[] {
    const { id, homeId, services, name } = accessory;
    const known = this.#accessories.get(id);
    if (known?.services === services && known.homeId === homeId) return known.meters;
    const meters = metersOf(services);
    if (meters.length === 0 && !known) return [];
    // What was counted so far is written under the old list of services.
    if (known) this.#forget(id);
    if (meters.length === 0 || this.#countIn(homeId) + meters.length > MAX_METERS) return [];
    const counted = meters.map((meter): CountedMeter => {
      const memory = meter.counter === null ? NO_MEMORY : this.#memoryOf(homeId, id, meter.number);
      const count = new MeterCount(memory);
      return { meter, name: meterName(name, meter, meters.length), count, isChanged: true };
    });
    this.#accessories.set(id, { homeId, services, meters: counted });
    this.#cancel ??= this.#deps.clock.after(MINUTE_MS, () => this.#tick());
    return counted;
  }

  #memoryOf(homeId: string, accessoryId: string, number: number) {
    try {
      return this.#deps.store.findMemory({ homeId, accessoryId, number }) ?? NO_MEMORY;
    } catch {
      // Without its last count, the meter begins a new one: nothing is counted twice.
      return NO_MEMORY;
    }
  }

  #countIn(homeId: string): number {
    return [...this.#accessories.values()]
      .filter((one) => one.homeId === homeId)
      .reduce((sum, { meters }) => sum + meters.length, 0);
  }

  #forget(accessoryId: string): void {
    const known = this.#accessories.get(accessoryId);
    if (!known) return;
    for (const { count } of known.meters) count.interrupt(this.#deps.clock.now());
    this.flush();
    this.#accessories.delete(accessoryId);
  }

  #tick(): void {
    this.#cancel = this.#deps.clock.after(MINUTE_MS, () => this.#tick());
    this.#cover();
    if (this.#minutes % SAVE_EVERY_MINUTES === SAVE_EVERY_MINUTES - 1) this.flush();
    if (this.#minutes % PRUNE_EVERY_MINUTES === 0) this.#prune();
    this.#minutes += 1;
  }

  /** The power of devices that answer has held until now. */
  #cover(): void {
    const at = this.#deps.clock.now();
    for (const [id, { meters }] of this.#accessories) {
      if (!this.#deps.state.isAnswering(id)) continue;
      for (const { count } of meters) count.cover(at);
    }
  }

  #prune(): void {
    try {
      this.#deps.store.prune((homeId) => this.#deps.state.home(homeId) !== undefined);
    } catch {
      // It is due again tomorrow.
    }
  }
}
