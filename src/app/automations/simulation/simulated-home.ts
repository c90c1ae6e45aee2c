/**
 * The home of a dry run: a copy of the current state of a home, with a separate bus and clock. Nothing in it reaches
 * the real home.
 */
import type { AccessoryDriver, DriverWrite, WriteOutcome } from '../../../home/accessory-driver.ts';
import type { HomeEvents } from '../../../home/events.ts';
import type { HomeDeps } from '../../../home/home-deps.ts';
import { HomeState } from '../../../home/home-state.ts';
import type { Accessory, CharacteristicValue, HapId, Home } from '../../../home/model.ts';
import { isVirtualSource, type TimerState } from '../../../home/virtual-driver.ts';
import type { RehearsedVirtual, RehearseVirtuals, VirtualRehearsal } from '../../../home/virtual-rehearsal.ts';
import { EventBus } from '../../../kernel/event-bus.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { SimulatedPeople } from './simulated-people.ts';
import { SimulatedTimers } from './simulated-timers.ts';

export interface SimulatedHomeDeps extends HomeDeps<'state' | 'presence' | 'logger'> {
  /** Of the real home. */
  readonly timerOf: (accessoryId: string) => TimerState | undefined;
  readonly rehearseVirtuals: RehearseVirtuals;
  readonly home: Home;
  /** Milliseconds since the epoch. */
  readonly startAt: number;
  /** How far the dry run is ahead of real time: durations keep their remaining length. */
  readonly aheadMs: number;
}

export class SimulatedHome {
  readonly clock: SimulatedClock;
  readonly timers: SimulatedTimers;
  readonly bus: EventBus<HomeEvents>;
  /** Empty until `furnish`. */
  readonly state: HomeState;
  readonly people: SimulatedPeople;
  readonly driver: Pick<AccessoryDriver, 'write' | 'identify'>;
  readonly #deps: SimulatedHomeDeps;
  #virtuals: VirtualRehearsal | undefined;

  constructor(deps: SimulatedHomeDeps) {
    const { home, startAt, logger } = deps;
    this.#deps = deps;
    this.clock = new SimulatedClock(startAt);
    this.timers = new SimulatedTimers({ clock: this.clock, logger });
    this.bus = new EventBus<HomeEvents>(logger);
    this.state = new HomeState(this.bus, this.clock);
    this.people = new SimulatedPeople({ homeId: home.id, presence: deps.presence, bus: this.bus, clock: this.clock });
    this.driver = { write: (writes) => this.#write(writes), identify: async () => {} };
  }

  /** Loads the objects before any listener subscribes. */
  furnish(): void {
    const { state: real, home, rehearseVirtuals, timerOf, aheadMs } = this.#deps;
    const accessories = real.accessories(home.id);
    this.state.restore({ homes: [home], rooms: real.rooms(home.id), accessories: accessories.map(copyOf) });
    this.state.scenes.restore(real.scenes.list(home.id));
    this.state.zones.restore(real.zones.list(home.id));
    this.state.roomGroups.restore(real.roomGroups.list(home.id));
    this.state.serviceGroups.restore(real.serviceGroups.list(home.id));
    for (const { id, reachable } of accessories) this.state.setReachable(id, reachable);
    this.state.setConnected(home.id, real.isConnected(home.id));
    this.#virtuals = rehearseVirtuals({
      accessories: accessories.flatMap((accessory) => rehearsed(accessory, shifted(timerOf(accessory.id), aheadMs))),
      timers: this.timers,
      report: (address, iid, value, via) => {
        const accessory = this.state.findByAddress(address);
        if (accessory) this.state.applyValue(accessory.id, iid, value, via);
      },
    });
  }

  get virtuals(): VirtualRehearsal {
    if (!this.#virtuals) throw new Error('The home has not been furnished');
    return this.#virtuals;
  }

  /** The characteristic gets this value from the device or from a person. */
  set(accessoryId: string, iid: HapId, value: CharacteristicValue): void {
    const accessory = this.state.accessory(accessoryId);
    if (accessory?.virtual) this.virtuals.set(accessory.address, value);
    else this.state.applyValue(accessoryId, iid, value, 'device');
  }

  timerOf(accessoryId: string): TimerState | undefined {
    const accessory = this.state.accessory(accessoryId);
    return accessory && this.virtuals.timerOf(accessory.address);
  }

  async #write(writes: readonly DriverWrite[]): Promise<readonly WriteOutcome[]> {
    const outcomes: WriteOutcome[] = [];
    for (const write of writes) outcomes.push(await this.#writeOne(write));
    return outcomes;
  }

  /** A device accepts every write while it is reachable. */
  async #writeOne(write: DriverWrite): Promise<WriteOutcome> {
    if (isVirtualSource(write.address.source)) {
      const [outcome] = await this.virtuals.write([write]);
      if (outcome) return outcome;
    }
    const accessory = this.state.findByAddress(write.address);
    if (!accessory?.reachable) return { ok: false, reason: 'unreachable', detail: 'It can’t be reached.' };
    this.state.applyValue(accessory.id, write.iid, write.value, 'write');
    return { ok: true, value: write.value };
  }
}

function copyOf(accessory: Accessory): Accessory {
  const services = accessory.services.map((service) => ({
    ...service,
    characteristics: service.characteristics.map((characteristic) => ({ ...characteristic })),
  }));
  return { ...accessory, services };
}

function rehearsed(accessory: Accessory, timer: TimerState | undefined): RehearsedVirtual[] {
  const { address, virtual: config, services } = accessory;
  // It has one characteristic, which holds its value.
  const value = services[0]?.characteristics[0]?.value ?? null;
  return config === null ? [] : [{ address, config, value, timer }];
}

function shifted(timer: TimerState | undefined, byMs: number): TimerState | undefined {
  if (!timer) return undefined;
  const shift = (at: number | null): number | null => (at === null ? null : at + byMs);
  return {
    ...timer,
    startedAt: shift(timer.startedAt),
    endsAt: shift(timer.endsAt),
    finishedAt: shift(timer.finishedAt),
  };
}
